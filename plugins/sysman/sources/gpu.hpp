// What a GPU's folders tell: /sys/bus/pci/devices/ADDRESS and what is under it.
#pragma once

#include "sources.hpp"

namespace zeroth::sysman {

struct Gpu {
  const Root& root;
  std::string pci;    // "0000:03:00.0"
  std::string folder; // /sys/bus/pci/devices/…
  std::string driver; // "amdgpu", "i915", "xe", "nvidia"; empty when none is bound

  std::string file(std::string_view name) const { return folder + "/" + std::string(name); }
  SharedFile open(std::string_view name) const { return find_file(root, file(name)); }
};

void find_pci(const Gpu& gpu, Found& found);         // address, link, windows, presence, sleep
void find_amd_gpu(const Gpu& gpu, Found& found);     // amdgpu
void find_intel_gpu(const Gpu& gpu, Found& found);   // i915 and xe
void find_gpu_hwmon(const Gpu& gpu, Found& found);   // temperatures, fans, power of any driver
void find_drm_clients(const Gpu& gpu, Found& found); // engines and processes of any driver
// NVIDIA's own library; nothing happens when it is not there. `library` empty: not asked.
void find_nvidia(const Gpu& gpu, const std::string& library, Found& found);

} // namespace zeroth::sysman
