// The one place that tells the sanitizers about stack switches. Everything here is empty in plain builds.
//
// AddressSanitizer must know which stack is current; ThreadSanitizer must see each fiber as a thread of its own. Fibers
// of one work-group run on one thread, but to the kernel they are concurrent between barriers: a switch is therefore
// announced without synchronisation, and only the barrier itself orders (arrive / leave), so that a race between two
// slices is reported though they never run at once.
#pragma once
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
extern "C" {
void* __tsan_get_current_fiber(void);
void* __tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void* fiber);
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}
#endif

// For the code that switches: it works for all fibers of its thread at once, which the sanitizer takes for threads.
#if defined(__SANITIZE_THREAD__)
#define ZEROTH_SWITCHES_STACKS __attribute__((no_sanitize_thread))
#else
#define ZEROTH_SWITCHES_STACKS
#endif

namespace zeroth::cpu {

// One stack as the sanitizers know it.
class AnnotatedStack {
public:
  // The stack of the thread itself.
  ZEROTH_SWITCHES_STACKS void adopt_current_thread() {
#if defined(__SANITIZE_THREAD__)
    fiber_ = __tsan_get_current_fiber();
#endif
  }

  void create([[maybe_unused]] void* bottom, [[maybe_unused]] std::size_t size) {
#if defined(__SANITIZE_ADDRESS__)
    bottom_ = bottom;
    size_ = size;
#endif
#if defined(__SANITIZE_THREAD__)
    fiber_ = __tsan_create_fiber(0);
#endif
  }

  void destroy() {
#if defined(__SANITIZE_THREAD__)
    __tsan_destroy_fiber(fiber_);
#endif
  }

  // Just before the jump; `last` when the stack that is left will not run again before a new start.
  ZEROTH_SWITCHES_STACKS static void leave([[maybe_unused]] AnnotatedStack& from, [[maybe_unused]] AnnotatedStack& to,
                                           [[maybe_unused]] bool last) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(last ? nullptr : &from.fake_stack_, to.bottom_, to.size_);
#endif
#if defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(to.fiber_, 1 /* no synchronisation */);
#endif
  }

  // Just after arriving on `self`, coming from `from`.
  ZEROTH_SWITCHES_STACKS static void arrive([[maybe_unused]] AnnotatedStack& self,
                                            [[maybe_unused]] AnnotatedStack* from) {
#if defined(__SANITIZE_ADDRESS__)
    const void* bottom = nullptr;
    std::size_t size = 0;
    __sanitizer_finish_switch_fiber(self.fake_stack_, &bottom, &size);
    if (from && !from->bottom_) from->bottom_ = bottom, from->size_ = size; // the thread's own stack
#endif
  }

private:
#if defined(__SANITIZE_ADDRESS__)
  void* fake_stack_ = nullptr;
  const void* bottom_ = nullptr;
  std::size_t size_ = 0;
#endif
#if defined(__SANITIZE_THREAD__)
  void* fiber_ = nullptr;
#endif
};

inline void annotate_release([[maybe_unused]] void* barrier) {
#if defined(__SANITIZE_THREAD__)
  __tsan_release(barrier);
#endif
}

inline void annotate_acquire([[maybe_unused]] void* barrier) {
#if defined(__SANITIZE_THREAD__)
  __tsan_acquire(barrier);
#endif
}

} // namespace zeroth::cpu
