// The device's side of kernel_abi.h for tests: one thread, fibers on Boost.Context, memory owned by the call.
#pragma once

#include "../../kernel_abi.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace zeroth::codegen::testing {

// The packed argument block, filled in order with natural alignment.
class Arguments {
public:
  template <class T> Arguments& value(const T& v) {
    append(&v, sizeof v, alignof(T));
    return *this;
  }
  template <class T> Arguments& buffer(std::vector<T>& v) { return value(v.data()); }
  // A local argument of `bytes`, placed behind the kernel's own `static_bytes`.
  Arguments& local(uint64_t static_bytes, uint64_t bytes);

  const uint8_t* data() const { return reinterpret_cast<const uint8_t*>(block_.data()); }
  size_t size() const { return end_; }
  uint64_t local_bytes() const { return local_bytes_; }

private:
  void append(const void* bytes, size_t size, size_t alignment);
  struct alignas(64) Chunk {
    std::byte bytes[64];
  };
  std::vector<Chunk> block_;
  size_t end_ = 0;
  uint64_t local_bytes_ = 0;
};

struct Launch {
  std::array<uint32_t, 3> group_size{1, 1, 1};
  std::array<uint32_t, 3> group_count{1, 1, 1};
  std::array<uint64_t, 3> offset{0, 0, 0};
  uint32_t work_dim = 1;
};

struct Memory {
  uint64_t local_bytes = 0;
  uint64_t scratch_bytes = 0;
};

// A launch and the memory of `threads` workers; arguments and the session outlive its runs.
class Session {
public:
  Session(const Arguments& arguments, const Launch& launch, const Memory& memory, unsigned threads);
  ~Session();
  Session(Session&&) = delete;
  uint64_t groups() const;
  void run(zeroth_kernel_fn entry, unsigned thread, uint64_t first, uint64_t end);
  const std::string& printed(unsigned thread) const;

private:
  struct State;
  State* state_;
};

// Runs all groups of the launch on this thread; returns what the kernel printed.
std::string run(zeroth_kernel_fn entry, const Arguments& arguments, const Launch& launch, const Memory& memory);

} // namespace zeroth::codegen::testing
