#include "environment.hpp"

#include <sdk/log.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <unistd.h>

namespace zeroth::cpu {

namespace {

constexpr std::array levels{"sse", "avx2", "avx512"};
constexpr std::array switches{"0", "1"};

std::string none_of(const char* name, const char* value, std::span<const char* const> words) {
  std::string line = std::string(name) + ": `" + value + "` is none of ";
  for (const char* word : words) line.append(word) += word == words.back() ? "" : ", ";
  return line + "; as if it were not set";
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_item(std::string_view text) {
  const std::size_t dot = text.find('.');
  return is_number(text.substr(0, dot)) && (dot == std::string_view::npos || is_number(text.substr(dot + 1)));
}

} // namespace

bool is_affinity_mask(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    if (end != 0 && !is_item(text.substr(0, end))) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

std::vector<std::string> words_not_taken(const std::function<const char*(const char*)>& environment) {
  std::vector<std::string> lines;
  const auto value_of = [&](const char* name) {
    const char* value = environment(name);
    return value ? value : "";
  };
  const auto one_of = [&](const char* name, std::span<const char* const> words) {
    const std::string_view value = value_of(name);
    if (!value.empty() && std::find(words.begin(), words.end(), value) == words.end())
      lines.push_back(none_of(name, value.data(), words));
  };
  const auto absolute = [&](const char* name) {
    const std::string_view value = value_of(name);
    if (!value.empty() && value[0] != '/')
      lines.push_back(std::string(name) + ": `" + value.data() + "` does not begin with /; as if it were not set");
  };
  one_of("ZEROTH_CPU", levels);
  one_of("ZEROTH_CACHE", switches);
  absolute("ZEROTH_CACHE_DIR");
  const char* kept = value_of("ZEROTH_KEEP_KERNELS");
  if (std::error_code error; *kept && (!std::filesystem::is_directory(kept, error) || ::access(kept, W_OK) != 0))
    lines.push_back(std::string("ZEROTH_KEEP_KERNELS: `") + kept +
                    "` is no folder that can be written; no kernel is kept");
  if (const char* mask = value_of("ZE_AFFINITY_MASK"); !is_affinity_mask(mask))
    lines.push_back(std::string("ZE_AFFINITY_MASK: `") + mask +
                    "` is no list of devices, as 0,1.0 is; as if it were not set");
  return lines;
}

void tell_words_not_taken() {
  static const bool told = [] {
    for (const std::string& line : words_not_taken(::secure_getenv)) log(Level::Warning, "{}", line);
    return true;
  }();
  (void)told;
}

} // namespace zeroth::cpu
