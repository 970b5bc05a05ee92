// run_jobs FOLDER: loads <name>.so of each <name>.job there, runs it and compares. Compiled for the machine that
// executes; knows of the compiler only kernel_abi.h. One thread; fibers are those of the C library.
#include "job.hpp"

#include <kernel_compiler/run_groups.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <ucontext.h>

namespace {

using namespace zeroth::aarch64;
namespace fs = std::filesystem;

struct Fiber {
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  bool done = false;
};

struct Group {
  std::vector<Fiber> fibers;
  size_t current = 0;
  ucontext_t scheduler;
  std::function<void(uint32_t)> slice;
};
Group* running = nullptr;

constexpr size_t stack_bytes = 1 << 18;

void start() {
  Group& group = *running;
  const size_t number = group.current;
  group.slice(uint32_t(number));
  group.fibers[number].done = true;
  swapcontext(&group.fibers[number].context, &group.scheduler);
}

void run_slices(const zeroth_launch* launch, zeroth_worker* worker, const uint32_t group_id[3], uint32_t slices,
                zeroth_slice_fn slice_fn, void* slice_context) {
  Group group;
  group.fibers.resize(slices);
  group.slice = [&](uint32_t slice) { slice_fn(launch, worker, group_id, slice, slice_context); };
  running = &group;
  for (Fiber& fiber : group.fibers) {
    fiber.stack = std::make_unique<char[]>(stack_bytes);
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = stack_bytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, start, 0);
  }
  for (bool any = true; any;) {
    any = false;
    for (group.current = 0; group.current < slices; ++group.current) {
      Fiber& fiber = group.fibers[group.current];
      if (fiber.done) continue;
      swapcontext(&group.scheduler, &fiber.context);
      any |= !fiber.done;
    }
  }
  running = nullptr;
}

void barrier(zeroth_worker*) { swapcontext(&running->fibers[running->current].context, &running->scheduler); }
void print(const zeroth_launch*, const char*, size_t) {}
uint64_t tick() {
  static uint64_t now = 0;
  return ++now;
}
constexpr zeroth_services services{run_slices, barrier, print, tick, zeroth_run_groups};

using Block = std::unique_ptr<uint8_t, decltype(&std::free)>;

// Filled with a pattern: kernels must not rely on zeros.
Block allocate(uint64_t bytes) {
  const uint64_t size = (bytes + 4096 + 127) / 128 * 128;
  Block block(static_cast<uint8_t*>(std::aligned_alloc(128, size)), &std::free);
  std::memset(block.get(), 0xA5, size);
  return block;
}

template <class T> bool are_close(const std::vector<uint8_t>& want, const uint8_t* got, T tolerance) {
  for (size_t i = 0; i + sizeof(T) <= want.size(); i += sizeof(T)) {
    T a, b;
    std::memcpy(&a, got + i, sizeof a);
    std::memcpy(&b, want.data() + i, sizeof b);
    if (a != b && !(std::fabs(a - b) <= tolerance * std::max(std::fabs(a), std::fabs(b)))) return false;
  }
  return true;
}

bool is_right(const Buffer& buffer, const uint8_t* got) {
  switch (buffer.elements) {
  case Buffer::Floats:
    return are_close<float>(buffer.after, got, buffer.tolerance);
  case Buffer::Doubles:
    return are_close<double>(buffer.after, got, double(buffer.tolerance));
  default:
    return std::memcmp(got, buffer.after.data(), buffer.after.size()) == 0;
  }
}

bool run(const Job& job, zeroth_kernel_fn entry) {
  std::vector<Block> memory;
  for (const Buffer& buffer : job.buffers) {
    memory.push_back(allocate(buffer.before.size()));
    std::memcpy(memory.back().get(), buffer.before.data(), buffer.before.size());
  }
  const Block block = allocate(job.block.size()), local = allocate(job.local_bytes),
              scratch = allocate(job.scratch_bytes);
  std::memcpy(block.get(), job.block.data(), job.block.size());
  for (const Pointer& pointer : job.pointers) {
    const uint8_t* address = memory[pointer.buffer].get();
    std::memcpy(block.get() + pointer.offset, &address, sizeof address);
  }
  zeroth_launch launch{};
  launch.arguments = block.get();
  launch.work_dim = job.work_dim;
  for (int d = 0; d < 3; ++d) {
    launch.global_offset[d] = job.global_offset[d];
    launch.group_size[d] = job.group_size[d];
    launch.group_count[d] = job.group_count[d];
  }
  zeroth_worker worker{&services, local.get(), scratch.get(), nullptr, job.local_bytes, job.scratch_bytes};
  entry(&launch, &worker, 0, uint64_t(job.group_count[0]) * job.group_count[1] * job.group_count[2]);
  for (size_t i = 0; i < job.buffers.size(); ++i)
    if (!is_right(job.buffers[i], memory[i].get())) return false;
  return true;
}

bool run_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  const Job job = read_job(in);
  void* library = dlopen(fs::path(file).replace_extension(".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto entry = library ? reinterpret_cast<zeroth_kernel_fn>(dlsym(library, job.symbol.c_str())) : nullptr;
  const bool right = entry && run(job, entry);
  if (!right) std::printf("%s: %s\n", file.stem().c_str(), entry ? "wrong results" : dlerror());
  return right;
}

} // namespace

int main(int count, char** arguments) {
  int run_count = 0, wrong = 0;
  for (const auto& entry : fs::directory_iterator(count == 2 ? arguments[1] : ".")) {
    if (entry.path().extension() != ".job") continue;
    ++run_count;
    wrong += !run_file(entry.path());
  }
  std::printf("%d runs, %d wrong\n", run_count, wrong);
  return wrong || !run_count;
}
