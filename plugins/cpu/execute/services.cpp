#include "services.hpp"

#include "clock.hpp"
#include "slices.hpp"
#include "worker.hpp"

#include <kernel_compiler/run_groups.h>

#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace zeroth::cpu {

namespace {

void run_slices(const zeroth_launch* launch, zeroth_worker* worker, const std::uint32_t group_id[3],
                std::uint32_t slices, zeroth_slice_fn function, void* context) {
  Worker::of(*worker).slices().run(*launch, *worker, group_id, slices, function, context);
}

void barrier(zeroth_worker* worker) { Worker::of(*worker).slices().barrier(); }

// One printf comes in pieces of `Piece` bytes and a shorter last one, which may be empty, all from one thread before
// its next. They are put together, so that lines of different work-items do not mix.
class Printer {
public:
  static Printer& shared() {
    static Printer& only = *new Printer; // kernels may print after main has returned
    return only;
  }

  void print(const char* text, std::size_t length) {
    std::lock_guard lock(mutex_);
    printed_.store(true, std::memory_order_relaxed);
    const auto begun = pending_.find(std::this_thread::get_id());
    if (length == Piece || begun != pending_.end()) {
      std::string& whole = pending_[std::this_thread::get_id()];
      whole.append(text, length);
      if (length == Piece) return;
      std::fwrite(whole.data(), 1, whole.size(), stdout);
      pending_.erase(std::this_thread::get_id());
      return;
    }
    std::fwrite(text, 1, length, stdout);
  }

  void flush() {
    if (!printed_.load(std::memory_order_relaxed) || !printed_.exchange(false, std::memory_order_relaxed)) return;
    std::lock_guard lock(mutex_); // what is pending belongs to printfs that are still under way
    std::fflush(stdout);
  }

private:
  static constexpr std::size_t Piece = 1024; // of the compiled code's formatter
  std::mutex mutex_;
  std::map<std::thread::id, std::string> pending_;
  std::atomic<bool> printed_{false};
};

void print(const zeroth_launch*, const char* text, std::size_t length) { Printer::shared().print(text, length); }

std::uint64_t clock_ticks() { return now(); }

} // namespace

const zeroth_services& kernel_services() {
  static constexpr zeroth_services table{&run_slices, &barrier, &print, &clock_ticks, &zeroth_run_groups};
  return table;
}

void flush_printed() { Printer::shared().flush(); }

} // namespace zeroth::cpu
