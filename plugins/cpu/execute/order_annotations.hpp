// Orders that ThreadSanitizer cannot see by itself, told to it. Everything here is empty in plain builds.
#pragma once

#if defined(__SANITIZE_THREAD__)
extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#endif

namespace zeroth::cpu {

// What we signal in shared memory and what we see signalled there may be cause and effect by way of another process.
#if defined(__SANITIZE_THREAD__)
inline char other_processes;
#endif
inline void annotate_signal_to_processes() {
#if defined(__SANITIZE_THREAD__)
  __tsan_release(&other_processes);
#endif
}
inline void annotate_signal_from_processes() {
#if defined(__SANITIZE_THREAD__)
  __tsan_acquire(&other_processes);
#endif
}

// While one lives, its thread works on pages that their protection keeps others from writing.
class UnderPageProtection {
public:
#if defined(__SANITIZE_THREAD__)
  UnderPageProtection() {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  }
  ~UnderPageProtection() {
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  }
#else
  UnderPageProtection() {}
  ~UnderPageProtection() {}
#endif
  UnderPageProtection(const UnderPageProtection&) = delete;
  UnderPageProtection& operator=(const UnderPageProtection&) = delete;
};

} // namespace zeroth::cpu
