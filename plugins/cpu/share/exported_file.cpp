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

ExportedFile::Given* ExportedFile::find_given(const IpcHandle& handle) {
  const auto found = registry().files.find(handle.secret);
  if (found == registry().files.end()) return nullptr;
  const auto given = found->second->given_.find(handle.entry);
  return given == found->second->given_.end() || given->second.id != handle.id ? nullptr : &given->second;
}

bool ExportedFile::put(const IpcHandle& handle) noexcept {
  std::lock_guard lock(registry().mutex);
  Given* given = find_given(handle);
  if (!given) return false;
  if (given->handles == 0 || --given->handles != 0) return true;
  registry().files.at(handle.secret)->shared_.withdraw(handle.entry);
  given->own = {};
  return true;
}

void ExportedFile::note_descriptor(const IpcHandle& handle, int file) noexcept {
  std::lock_guard lock(registry().mutex);
  if (Given* given = find_given(handle)) given->programs = file;
}

// The program may have closed its descriptor, and the number may be another file's by now.
int ExportedFile::descriptor_of(const IpcHandle& handle) noexcept {
  std::lock_guard lock(registry().mutex);
  const Given* given = find_given(handle);
  SharedFileFacts facts;
  const bool has = given && read_facts(given->programs, facts) && facts.secret == handle.secret;
  return has ? given->programs : handle.file;
}

} // namespace zeroth::cpu
