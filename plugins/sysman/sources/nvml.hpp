// NVIDIA's management library, opened at run time: a machine without it loses nothing. Only the functions that are used
// are declared, with the types that its public interface documents.
//
// Any thread. The library stays open; it is initialised once.
#pragma once

#include <sdk/error.hpp>

#include <cstdint>
#include <string>

namespace zeroth::sysman {

class Nvml {
public:
  using Device = struct NvmlDevice*;
  struct Memory {
    unsigned long long total, free, used;
  };
  struct Violation {
    unsigned long long reference, violation; // nanoseconds
  };
  struct Process {
    unsigned id;
    unsigned long long memory;
    unsigned instance, compute_instance;
  };
  struct Sample {
    unsigned long long time; // microseconds
    union {
      double as_double;
      unsigned as_unsigned;
      unsigned long long as_long;
    } value;
  };

  // Null when the library is not there or does not start; why is logged once.
  static const Nvml* open(const std::string& library);

  // A function by its name; null when the library has none.
  template <class Function> Function find(const char* name) const { return reinterpret_cast<Function>(symbol(name)); }

  // Calls NAME(device, arguments…). Throws Error for what it answers, UNSUPPORTED_FEATURE when it has no such function.
  template <class... Arguments> void call(const char* name, Device device, Arguments... arguments) const {
    const auto function = find<int (*)(Device, Arguments...)>(name);
    check(name, function ? function(device, arguments...) : NotSupported);
  }
  // One number that NAME(device, arguments…, &number) gives.
  template <class Number, class... Arguments>
  Number get(const char* name, Device device, Arguments... arguments) const {
    Number number{};
    call(name, device, arguments..., &number);
    return number;
  }
  std::string text(const char* name, Device device) const;

  // Null when it knows no GPU at this address.
  Device at(const std::string& pci) const;
  std::string driver_version() const;

private:
  static constexpr int NotSupported = 3;
  explicit Nvml(void* library) : library_(library) {}
  void* symbol(const char* name) const;
  void check(const char* name, int result) const;

  void* library_;
};

} // namespace zeroth::sysman
