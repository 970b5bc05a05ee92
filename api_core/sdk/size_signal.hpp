// A write or ftruncate beyond the process's limit on file sizes, which counts for memory files too, raises a signal
// that ends programs. Held back, it is nothing but the error that the call reports.
#pragma once
#include <csignal>
#include <ctime>

namespace zeroth {

// For the calling thread, which is the one that the signal goes to.
class SizeSignalHeldBack {
public:
  SizeSignalHeldBack() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~SizeSignalHeldBack() {
    const timespec at_once{};
    if (!sigismember(&before_, SIGXFSZ)) sigtimedwait(&signal_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  SizeSignalHeldBack(const SizeSignalHeldBack&) = delete;
  SizeSignalHeldBack& operator=(const SizeSignalHeldBack&) = delete;

private:
  sigset_t signal_, before_;
};

} // namespace zeroth
