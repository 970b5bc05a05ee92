#include "services.hpp"

#include "clock.hpp"
#include "slices.hpp"
#include "worker.hpp"

#include <atomic>
#include <cstdio>

namespace zeroth::cpu {

namespace {

std::atomic<bool> printed{false};

void run_slices(const zeroth_launch* launch, zeroth_worker* worker, const std::uint32_t group_id[3],
                std::uint32_t slices, zeroth_slice_fn function, void* context) {
  Worker::of(*worker).slices().run(*launch, *worker, group_id, slices, function, context);
}

void barrier(zeroth_worker* worker) { Worker::of(*worker).slices().barrier(); }

// One call is one printf, so the stream's own lock keeps lines whole.
void print(const zeroth_launch*, const char* text, std::size_t length) {
  std::fwrite(text, 1, length, stdout);
  printed.store(true, std::memory_order_relaxed);
}

std::uint64_t clock_ticks() { return now(); }

} // namespace

const zeroth_services& kernel_services() {
  static constexpr zeroth_services table{&run_slices, &barrier, &print, &clock_ticks};
  return table;
}

void flush_printed() {
  if (printed.load(std::memory_order_relaxed) && printed.exchange(false, std::memory_order_relaxed))
    std::fflush(stdout);
}

} // namespace zeroth::cpu
