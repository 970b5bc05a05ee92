// What stands in the 64 bytes of the API's IPC handles. The descriptor comes first, as programs expect that pass it
// along by themselves and write the number that it has in the other process over it.
#pragma once
#include "shared_file.hpp"

#include <array>
#include <cstddef>
#include <cstring>

namespace zeroth::cpu {

enum class IpcKind : std::uint16_t { Memory = 1, EventPool, CounterEvent };

struct IpcHandle {
  std::int32_t file = -1;
  std::int32_t process = 0; // that has the descriptor
  std::uint64_t secret = 0; // of the file
  std::uint64_t id = 0;     // of the block: another one in its place is not it
  std::uint64_t broker = 0; // names the exporter's socket
  std::uint64_t offset = 0; // of the exported part in the file
  std::uint64_t size = 0;
  std::uint32_t entry = 0;
  IpcKind kind = IpcKind::Memory;
  std::uint16_t seal = 0;  // of all that follows `process`: bytes that were not made here are no handle
  std::uint64_t extra = 0; // the kind's own

  template <class ApiHandle> static IpcHandle from(const ApiHandle& handle) {
    static_assert(sizeof(handle.data) == sizeof(IpcHandle));
    IpcHandle own;
    std::memcpy(static_cast<void*>(&own), handle.data, sizeof own);
    return own;
  }
  template <class ApiHandle> void to(ApiHandle& handle) const {
    IpcHandle sealed = *this;
    sealed.seal = seal_of(*this);
    std::memcpy(handle.data, &sealed, sizeof sealed);
  }

  bool is_sealed() const { return seal == seal_of(*this); }

private:
  static std::uint16_t seal_of(IpcHandle handle);
};
static_assert(sizeof(IpcHandle) == 64);

// FNV-1a, folded. The two numbers at the front are left out: programs that pass the descriptor along write over them.
inline std::uint16_t IpcHandle::seal_of(IpcHandle handle) {
  handle.seal = 1; // the format's version
  std::array<unsigned char, sizeof handle> bytes;
  std::memcpy(bytes.data(), &handle, sizeof handle);
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t i = offsetof(IpcHandle, secret); i < bytes.size(); ++i) hash = (hash ^ bytes[i]) * 0x100000001b3;
  hash ^= hash >> 32;
  return static_cast<std::uint16_t>(hash ^ hash >> 16);
}

// The file of a handle, from this process's own descriptors, from the exporter's by pidfd, or from the exporter's
// broker, and the block as it is described there. Throws Error: INVALID_ARGUMENT for what is no handle or a stale one,
// INSUFFICIENT_PERMISSIONS when the exporter lives but no way leads to its descriptor.
Descriptor fetch_file(const IpcHandle& handle, IpcKind kind, SharedBlock& block);

} // namespace zeroth::cpu
