// A stack for kernels whose private memory and spilled values are more than a thread's own stack may hold: that of a
// host thread is as small as its program made it.
//
// Threads: one per worker, used by that thread only. Ownership: the mapping grows to the largest request and stays.
#pragma once
#include "switch_annotations.hpp"

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>

namespace zeroth::cpu {

class RoomyStack {
public:
  RoomyStack() = default;
  ~RoomyStack() { release(); }
  RoomyStack(const RoomyStack&) = delete;
  RoomyStack& operator=(const RoomyStack&) = delete;

  // Calls function(argument), which must not throw, with at least `bytes` of stack. Throws std::bad_alloc.
  void call(std::size_t bytes, void (*function)(void*), void* argument);

  // Gives a large one back. Not inside call().
  void trim() noexcept;

private:
  [[noreturn]] static void enter(boost::context::detail::transfer_t from);
  void reserve(std::size_t bytes);
  void release() noexcept;

  std::byte* bottom_ = nullptr;
  std::size_t size_ = 0;
  AnnotatedStack own_, home_;
  void (*function_)(void*) = nullptr;
  void* argument_ = nullptr;
  char order_ = 0; // what caller and callee synchronise on, for the sanitizer
};

} // namespace zeroth::cpu
