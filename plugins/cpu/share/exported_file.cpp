#include "exported_file.hpp"

#include "broker.hpp"

#include <mutex>

namespace zeroth::cpu {

namespace {

struct Registry {
  std::mutex mutex;
  std::map<std::uint64_t, ExportedFile*> files; // by secret
};
Registry& registry() {
  static Registry& only = *new Registry; // memory may be freed after main has returned
  return only;
}

} // namespace

ExportedFile::ExportedFile(std::size_t bytes, std::uint32_t blocks) : shared_(bytes, blocks) {
  std::lock_guard lock(registry().mutex);
  registry().files[shared_.secret()] = this;
}

ExportedFile::~ExportedFile() {
  std::lock_guard lock(registry().mutex);
  registry().files.erase(shared_.secret());
  if (given_.empty()) return;
  for (auto& [entry, given] : given_) shared_.withdraw(entry);
  Broker::shared().withdraw(shared_.secret());
}

IpcHandle ExportedFile::get(IpcKind kind, std::uint32_t entry, const SharedBlock& block, bool own_descriptor) {
  std::lock_guard lock(registry().mutex);
  Broker& broker = Broker::shared();
  broker.offer(shared_.secret(), file());
  Given& given = given_[entry];
  if (own_descriptor && !given.own) given.own = shared_.descriptor_of(entry);
  shared_.publish(entry, block);
  given.id = block.id;
  ++given.handles;
  IpcHandle handle;
  handle.file = given.own ? given.own.number() : file();
  handle.process = getpid();
  handle.secret = shared_.secret();
  handle.id = block.id;
  handle.broker = broker.address();
  handle.offset = block.offset;
  handle.size = block.size;
  handle.entry = entry;
  handle.kind = kind;
  return handle;
}

void ExportedFile::withdraw(std::uint32_t entry) noexcept {
  std::lock_guard lock(registry().mutex);
  const auto given = given_.find(entry);
  if (given == given_.end()) return;
  shared_.withdraw(entry);
  given_.erase(given);
}

bool ExportedFile::put(const IpcHandle& handle) noexcept {
  std::lock_guard lock(registry().mutex);
  const auto found = registry().files.find(handle.secret);
  if (found == registry().files.end()) return false;
  ExportedFile& of = *found->second;
  const auto given = of.given_.find(handle.entry);
  if (given == of.given_.end() || given->second.id != handle.id) return false;
  if (given->second.handles == 0 || --given->second.handles != 0) return true;
  of.shared_.withdraw(handle.entry);
  given->second.own = {};
  return true;
}

} // namespace zeroth::cpu
