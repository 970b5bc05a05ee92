// A plugin's options from the configuration, as values. Under another loader, where there is no host, every option has
// its default.
//
//     const Options options(host);
//     const auto threads = options.integer("threads", 4);
//     const auto memory = options.bytes("memory", 64 << 20);   // "64 MiB", "1 GiB", 4096
//
// A value of the wrong type throws Error, which names the option. Any thread; keeps no more than the pointer to the
// host.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "zeroth_plugin.h"

namespace zeroth {

class Options {
public:
  explicit Options(const zeroth_host* host) noexcept : host_(host) {}

  // Keys of nested maps are joined by dots, items of lists are numbered: "devices.0.threads".
  bool has(const char* key) const noexcept { return text_of(key) != nullptr; }
  std::string text(const char* key, std::string_view otherwise) const;
  std::int64_t integer(const char* key, std::int64_t otherwise) const;
  bool boolean(const char* key, bool otherwise) const;
  std::uint64_t bytes(const char* key, std::uint64_t otherwise) const;

private:
  const char* text_of(const char* key) const noexcept { return host_ ? host_->option(host_, key) : nullptr; }

  const zeroth_host* host_;
};

} // namespace zeroth
