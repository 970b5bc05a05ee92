#include "options.hpp"

#include "../platform/core_sets.hpp"

#include <sdk/log.hpp>
#include <sdk/zeroth_plugin.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace zeroth::cpu {

namespace {

// What is said of the device by its number (there is one: 0) goes before what is said of all.
std::string text_of(const zeroth_host& host, const std::string& key) {
  if (!host.option) return "";
  const char* own = host.option(&host, ("devices.0." + key).c_str());
  const char* text = own ? own : host.option(&host, key.c_str());
  return text ? text : "";
}

std::string refuse(const char* key, const std::string& text, const std::string& why) {
  log(Level::Warning, "plugin cpu: option {}: `{}` {}; as if it were not set", key, text, why);
  return "";
}

unsigned threads_of(const zeroth_host& host) {
  const std::string text = text_of(host, "threads");
  if (text.empty()) return 0;
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  refuse("threads", text, "is no whole number from 0 on");
  return 0;
}

std::string cores_of(const zeroth_host& host) {
  const std::string text = text_of(host, "cores");
  return text.empty() || is_core_list(text) ? text : refuse("cores", text, "names no processors, as 0-3,8 does");
}

bool placed_on_cores(const zeroth_host& host) {
  const std::string text = text_of(host, "placement");
  if (text == "core") return true;
  if (text != "" && text != "none") refuse("placement", text, "is neither none nor core");
  return false;
}

std::string sub_devices_of(const zeroth_host& host) {
  const std::string text = text_of(host, "sub_devices");
  if (is_split(text)) return text;
  return refuse("sub_devices", text,
                "is no whole number from 0 to " + std::to_string(MostParts) +
                    ", not numa, and no sets of processors as 0-3;4-7");
}

std::string cpu_of(const zeroth_host& host) {
  const std::string text = text_of(host, "cpu");
  for (const char* known : {"", "sse", "avx2", "avx512"})
    if (text == known) return text;
  return refuse("cpu", text, "is none of sse, avx2 and avx512");
}

// Null for a program.
const char* why_no_program(const char* path) {
  struct stat status;
  if (stat(path, &status) != 0) return std::strerror(errno);
  if (!S_ISREG(status.st_mode)) return "it is no file";
  return access(path, X_OK) == 0 ? nullptr : std::strerror(errno);
}

std::string compiler_of(const zeroth_host& host) {
  const std::string text = text_of(host, "compiler");
  if (text.empty() || text == "in-process") return text;
  const char* why = why_no_program(text.c_str());
  return why ? refuse("compiler", text, std::string("cannot be started: ") + why) : text;
}

} // namespace

DriverOptions read_options(const zeroth_host& host) {
  DriverOptions options;
  options.threads = threads_of(host);
  options.cores = cores_of(host);
  options.pin = placed_on_cores(host);
  options.sub_devices = sub_devices_of(host);
  options.device_mask = text_of(host, "device_mask"); // judged by the host
  options.cpu = cpu_of(host);
  options.compiler = compiler_of(host);
  if (host.path) options.plugin_path = host.path; // this code may run from a private copy of the file, as after fork()
  return options;
}

} // namespace zeroth::cpu
