#include "test_device.hpp"

#include "../../run_groups.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

namespace zeroth::codegen::testing {

namespace context = boost::context;

void Arguments::append(const void* bytes, size_t size, size_t alignment) {
  end_ = (end_ + alignment - 1) / alignment * alignment;
  block_.resize((end_ + size + sizeof(Chunk) - 1) / sizeof(Chunk));
  std::memcpy(reinterpret_cast<std::byte*>(block_.data()) + end_, bytes, size);
  end_ += size;
}

Arguments& Arguments::local(uint64_t static_bytes, uint64_t bytes) {
  local_bytes_ = std::max(local_bytes_, (static_bytes + 127) / 128 * 128);
  value(local_bytes_);
  local_bytes_ += (bytes + 127) / 128 * 128;
  return *this;
}

namespace {

// Of the heap where AddressSanitizer looks: what it noted of frames then ends with the block, whereas the addresses of
// unmapped pages may soon be a mapped file's.
#if defined(__SANITIZE_ADDRESS__)
using Stack = context::fixedsize_stack;
#else
using Stack = context::protected_fixedsize_stack;
#endif

struct Group {
  std::vector<context::fiber> fibers;
  size_t current = 0;
  context::fiber scheduler;
};

struct Thread {
  Group* group = nullptr;
  std::string printed;
};

Thread& thread_of(zeroth_worker* worker) { return *static_cast<Thread*>(worker->device_data); }

void run_slices(const zeroth_launch* launch, zeroth_worker* worker, const uint32_t group_id[3], uint32_t slices,
                zeroth_slice_fn slice_fn, void* slice_context) {
  Group group;
  thread_of(worker).group = &group;
  for (uint32_t slice = 0; slice < slices; ++slice)
    group.fibers.emplace_back(std::allocator_arg, Stack(1 << 18), [=, &group](context::fiber&& back) {
      group.scheduler = std::move(back);
      slice_fn(launch, worker, group_id, slice, slice_context);
      return std::move(group.scheduler);
    });
  for (bool any = true; any;) {
    any = false;
    for (group.current = 0; group.current < group.fibers.size(); ++group.current) {
      context::fiber& fiber = group.fibers[group.current];
      if (!fiber) continue;
      fiber = std::move(fiber).resume();
      any |= static_cast<bool>(fiber);
    }
  }
  thread_of(worker).group = nullptr;
}

void barrier(zeroth_worker* worker) {
  Group& group = *thread_of(worker).group;
  context::fiber back = std::move(group.scheduler).resume();
  group.scheduler = std::move(back);
}

void print(const zeroth_launch* launch, const char* text, size_t length) {
  static_cast<Thread*>(launch->device_data)->printed.append(text, length);
}

uint64_t tick() {
  static uint64_t now = 0;
  return ++now;
}

constexpr zeroth_services Services{run_slices, barrier, print, tick, zeroth_run_groups};

using Block = std::unique_ptr<uint8_t, decltype(&std::free)>;

// Filled with a pattern: kernels must not rely on zeros.
Block allocate(uint64_t bytes) {
  uint64_t size = (bytes + 4096 + 127) / 128 * 128;
  Block block(static_cast<uint8_t*>(std::aligned_alloc(128, size)), &std::free);
  std::memset(block.get(), 0xA5, size);
  return block;
}

} // namespace

struct Session::State {
  struct Place {
    Thread thread;
    Block local, scratch;
    zeroth_worker worker;
  };
  zeroth_launch launch{};
  std::vector<std::unique_ptr<Place>> places;
};

Session::Session(const Arguments& arguments, const Launch& launch, const Memory& memory, unsigned threads)
    : state_(new State) {
  zeroth_launch& native = state_->launch;
  native.arguments = arguments.data();
  std::copy(launch.offset.begin(), launch.offset.end(), native.global_offset);
  std::copy(launch.group_size.begin(), launch.group_size.end(), native.group_size);
  std::copy(launch.group_count.begin(), launch.group_count.end(), native.group_count);
  native.work_dim = launch.work_dim;
  for (unsigned i = 0; i < threads; ++i) {
    auto place = std::make_unique<State::Place>(State::Place{
        {}, allocate(std::max(memory.local_bytes, arguments.local_bytes())), allocate(memory.scratch_bytes), {}});
    place->worker = {&Services,
                     place->local.get(),
                     place->scratch.get(),
                     &place->thread,
                     std::max(memory.local_bytes, arguments.local_bytes()),
                     memory.scratch_bytes};
    state_->places.push_back(std::move(place));
  }
  native.device_data = &state_->places[0]->thread;
}

Session::~Session() { delete state_; }

uint64_t Session::groups() const {
  const uint32_t* count = state_->launch.group_count;
  return uint64_t(count[0]) * count[1] * count[2];
}

void Session::run(zeroth_kernel_fn entry, unsigned thread, uint64_t first, uint64_t end) {
  entry(&state_->launch, &state_->places[thread]->worker, first, end);
}

const std::string& Session::printed(unsigned thread) const { return state_->places[thread]->thread.printed; }

std::string run(zeroth_kernel_fn entry, const Arguments& arguments, const Launch& launch, const Memory& memory) {
  Session session(arguments, launch, memory, 1);
  session.run(entry, 0, 0, session.groups() / 2);
  session.run(entry, 0, session.groups() / 2, session.groups());
  return session.printed(0);
}

} // namespace zeroth::codegen::testing
