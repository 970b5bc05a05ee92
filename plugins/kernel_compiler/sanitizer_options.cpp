// Part of every program that links LLVM under the address sanitizer. LLVM's libraries are not instrumented, its headers
// in our files are: one side would poison what the other uses.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  return "allow_user_poisoning=0";
}
