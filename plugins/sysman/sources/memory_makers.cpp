// Who made the memory modules: the firmware's tables, which are for root.
#include "sources.hpp"

#include "../parse/dmi.hpp"

#include <algorithm>

namespace zeroth::sysman {
namespace {

const std::string Entries = "/sys/firmware/dmi/entries/";

struct Maker {
  std::string locator;
  MemoryVendor vendor;
};

std::vector<Maker> makers(const Root& root) {
  std::vector<Maker> all;
  for (const std::string& name : root.names(Entries)) {
    if (!name.starts_with("17-")) continue;
    const std::string raw = root.text(Entries + name + "/raw").value_or("");
    const auto device = parse::memory_device(raw);
    if (!device || !device->present || device->vendor.empty()) continue;
    all.push_back({std::string(device->locator), {std::string(device->vendor), device->vendor_id}});
  }
  return all;
}

// Modules of one maker made all memory; of several, one whose label names a place on the board made that module.
const MemoryVendor* maker_of(const MemorySource& memory, const std::vector<Maker>& all) {
  const auto same = [&](const Maker& one) { return one.vendor.name == all.front().vendor.name; };
  if (std::all_of(all.begin(), all.end(), same)) return &all.front().vendor;
  for (const Maker& one : all)
    if (!one.locator.empty() && memory.label.find(one.locator) != std::string::npos) return &one.vendor;
  return nullptr;
}

} // namespace

void find_memory_makers(const Root& root, Found& found) {
  const std::vector<Maker> all = makers(root);
  for (MemorySource& memory : found.memories)
    if (const MemoryVendor* maker = all.empty() ? nullptr : maker_of(memory, all)) memory.vendor = *maker;
}

} // namespace zeroth::sysman
