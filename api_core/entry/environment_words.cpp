#include <entry/environment_words.hpp>

#include <algorithm>
#include <string_view>

namespace zeroth::entry {
namespace {

using Words = std::vector<std::string_view>;

struct Variable {
  const char* name;
  Words words;
};

const std::vector<Variable>& variables() {
  static const Words Switch = {"0", "1"};
  static const auto& all = *new std::vector<Variable>{
      {"ZES_ENABLE_SYSMAN", Switch},
      {"ZE_ENABLE_TRACING_LAYER", Switch},
      {"ZE_ENABLE_VALIDATION_LAYER", Switch},
      {"ZE_ENABLE_PARAMETER_VALIDATION", Switch},
      {"ZE_ENABLE_PCI_ID_DEVICE_ORDER", Switch},
      {"ZE_SHARED_FORCE_DEVICE_ALLOC", Switch},
      {"ZE_ENABLE_NULL_DRIVER", Switch},
      {"ZE_ENABLE_LOADER_DEBUG_TRACE", Switch},
      {"ZEL_ENABLE_LOADER_LOGGING", Switch},
      {"ZEL_LOADER_LOG_CONSOLE", Switch},
      {"ZEL_LOADER_LOGGING_LEVEL", {"trace", "debug", "info", "warn", "error", "critical", "off"}}};
  return all;
}

} // namespace

std::vector<std::string> wrong_words(const std::function<const char*(const char*)>& environment) {
  std::vector<std::string> lines;
  for (const Variable& variable : variables()) {
    const char* value = environment(variable.name);
    if (value == nullptr || *value == '\0') continue;
    if (std::find(variable.words.begin(), variable.words.end(), value) != variable.words.end()) continue;
    std::string line = std::string(variable.name) + ": `" + value + "` is none of ";
    for (const std::string_view word : variable.words) line.append(word) += word == variable.words.back() ? "" : ", ";
    lines.push_back(line + "; as if it were not set");
  }
  return lines;
}

std::vector<std::string> words_without_effect(const std::function<const char*(const char*)>& environment) {
  std::vector<std::string> lines;
  const auto tell = [&](const char* name, const char* what) {
    const char* value = environment(name);
    if (value != nullptr && std::string_view(value) == "1") lines.push_back(std::string(name) + " is set, but " + what);
  };
  tell("ZE_ENABLE_VALIDATION_LAYER",
       "Zeroth has no validation layer: what each call checks by itself is all that is checked");
  tell("ZE_ENABLE_NULL_DRIVER", "Zeroth has no null driver");
  return lines;
}

} // namespace zeroth::entry
