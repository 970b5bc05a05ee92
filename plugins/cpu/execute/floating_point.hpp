// Kernels run in the default floating-point environment: round to nearest, denormals kept, no traps.
#pragma once
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace zeroth::cpu {

// Sets it for a scope; afterwards the thread has its own back, sticky flags included.
class DefaultFloatingPoint {
public:
  DefaultFloatingPoint() : saved_(control()) {
    if (saved_ != Default) set_control(Default);
  }
  ~DefaultFloatingPoint() {
    if (control() != saved_) set_control(saved_);
  }
  DefaultFloatingPoint(const DefaultFloatingPoint&) = delete;
  DefaultFloatingPoint& operator=(const DefaultFloatingPoint&) = delete;

private:
#if defined(__x86_64__)
  using Control = unsigned;
  static constexpr Control Default = 0x1f80;
  static Control control() { return _mm_getcsr(); }
  static void set_control(Control value) { _mm_setcsr(value); }
#elif defined(__aarch64__)
  using Control = std::uint64_t;
  static constexpr Control Default = 0;
  static Control control() {
    Control value;
    asm volatile("mrs %0, fpcr" : "=r"(value));
    return value;
  }
  static void set_control(Control value) { asm volatile("msr fpcr, %0" : : "r"(value)); }
#else
  using Control = unsigned;
  static constexpr Control Default = 0;
  static Control control() { return Default; }
  static void set_control(Control) {}
#endif

  Control saved_;
};

} // namespace zeroth::cpu
