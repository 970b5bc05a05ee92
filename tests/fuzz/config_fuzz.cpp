// libFuzzer target: any bytes as a configuration. Either it is right, and can be read and explained, or every problem
// names its place.
#include <config/load.hpp>

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto problems = zeroth::check_config(text, "mutant.yaml");
  for (const std::string& problem : problems)
    if (!problem.starts_with("mutant.yaml:")) std::abort();
  if (problems.empty() && explain(zeroth::read_config(text, "mutant.yaml", {"blender"})).empty()) std::abort();
  return 0;
}
