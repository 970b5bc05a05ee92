#include "run_kernel.hpp"

#include <kernel_compiler/run_groups.h>

#include <boost/context/fiber.hpp>

#include <cstring>
#include <memory>

namespace zeroth::random_programs {
namespace {

namespace context = boost::context;

// The slices of one group: each runs to its next barrier in turn.
struct Slices {
  std::vector<context::fiber> fibers;
  context::fiber* caller = nullptr; // where the running slice goes at a barrier
};

void run_slices(const zeroth_launch* launch, zeroth_worker* worker, const uint32_t group_id[3], uint32_t count,
                zeroth_slice_fn slice, void* slice_context) {
  Slices slices;
  worker->device_data = &slices;
  for (uint32_t i = 0; i < count; ++i)
    slices.fibers.emplace_back([=, &slices](context::fiber&& caller) {
      slices.caller = &caller;
      slice(launch, worker, group_id, i, slice_context);
      return std::move(*slices.caller);
    });
  for (bool any = true; any;) {
    any = false;
    for (context::fiber& fiber : slices.fibers) {
      if (!fiber) continue;
      fiber = std::move(fiber).resume();
      any = true;
    }
  }
  worker->device_data = nullptr;
}

void barrier(zeroth_worker* worker) {
  Slices& slices = *static_cast<Slices*>(worker->device_data);
  context::fiber* own = slices.caller;
  *own = std::move(*own).resume();
  slices.caller = own;
}

void print(const zeroth_launch*, const char*, size_t) {}
uint64_t no_clock() { return 0; }

constexpr zeroth_services Services{run_slices, barrier, print, no_clock, zeroth_run_groups};

struct AlignedDelete {
  void operator()(uint8_t* bytes) const { ::operator delete[](bytes, std::align_val_t(128)); }
};
using AlignedBytes = std::unique_ptr<uint8_t[], AlignedDelete>;

AlignedBytes aligned_bytes(size_t size) {
  AlignedBytes bytes(static_cast<uint8_t*>(::operator new[](size + 128, std::align_val_t(128))));
  std::memset(bytes.get(), 0xa5, size + 128); // what a kernel must not rely on
  return bytes;
}

void set(uint8_t* block, const compiler::ArgumentInfo& argument, const void* value) {
  std::memcpy(block + argument.offset, value, argument.size);
}

} // namespace

void run_kernel(const compiler::KernelInfo& kernel, const Program& program, Buffers& buffers) {
  const AlignedBytes block = aligned_bytes(kernel.argument_block_size);
  const AlignedBytes local = aligned_bytes(kernel.local_bytes);
  const AlignedBytes scratch = aligned_bytes(kernel.scratch_bytes(program.group_items()));
  const void* pointers[] = {buffers.input.data(), buffers.output.data(), buffers.counters.data()};
  for (size_t i = 0; i < 3; ++i) set(block.get(), kernel.arguments.at(i), &pointers[i]);
  for (size_t i = 0; i < UniformCount; ++i) set(block.get(), kernel.arguments.at(3 + i), &program.uniforms[i]);

  zeroth_launch launch{};
  launch.arguments = block.get();
  launch.work_dim = 3;
  std::copy_n(program.group_size.begin(), 3, launch.group_size);
  std::copy_n(program.group_count.begin(), 3, launch.group_count);
  zeroth_worker worker{&Services, local.get(),        scratch.get(),
                       nullptr,   kernel.local_bytes, kernel.scratch_bytes(program.group_items())};
  kernel.entry(&launch, &worker, 0, program.groups());
}

} // namespace zeroth::random_programs
