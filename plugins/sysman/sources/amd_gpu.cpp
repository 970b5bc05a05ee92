// amdgpu's own files: clocks, memory, firmware, error counters, identity.
#include "gpu.hpp"

#include "../parse/clock_list.hpp"
#include "../parse/numbers.hpp"

#include <algorithm>
#include <array>

namespace zeroth::sysman {
namespace {

parse::ClockList clocks_in(const ValueFile& file) { return parse::clock_list(file.read_long()); }

void add_clock(const Gpu& gpu, std::string_view name, zes_freq_domain_t type, Found& found) {
  const SharedFile file = gpu.open(name);
  if (!file) return;
  FrequencySource clock;
  clock.type = type;
  const auto list = parse::clock_list(gpu.root.text(gpu.file(name)).value_or(""));
  if (!list.clocks.empty()) clock.lowest = list.clocks.front(), clock.highest = list.clocks.back();
  clock.actual = [file] {
    const auto now = clocks_in(*file).present;
    if (!now) throw Error(ZE_RESULT_ERROR_NOT_AVAILABLE, "{} marks no clock: the GPU is asleep", file->path());
    return *now;
  };
  clock.clocks = [file] { return clocks_in(*file).clocks; };
  found.frequencies.push_back(std::move(clock));
}

void add_memory(const Gpu& gpu, Found& found) {
  const SharedFile total = gpu.open("mem_info_vram_total"), used = gpu.open("mem_info_vram_used");
  if (!total || !used) return;
  MemorySource memory;
  memory.location = ZES_MEM_LOC_DEVICE;
  if (const auto bytes = gpu.root.number(gpu.file("mem_info_vram_total")); bytes && *bytes > 0)
    memory.physical_size = static_cast<std::uint64_t>(*bytes);
  if (auto maker = gpu.root.text(gpu.file("mem_info_vram_vendor")); maker && !maker->empty() && *maker != "unknown")
    memory.vendor = MemoryVendor{std::move(*maker), std::nullopt};
  memory.state = [total, used] {
    const std::int64_t size = total->integer(), taken = used->integer();
    return MemoryState{ZES_MEM_HEALTH_UNKNOWN, static_cast<std::uint64_t>(std::max<std::int64_t>(size - taken, 0)),
                       static_cast<std::uint64_t>(size)};
  };
  found.memories.push_back(std::move(memory));
}

// "ue: 0\nce: 3" in ras/umc_err_count and its like.
void add_errors(const Gpu& gpu, Found& found) {
  constexpr std::array<std::pair<std::string_view, zes_ras_error_category_exp_t>, 3> Blocks = {
      {{"ras/umc_err_count", ZES_RAS_ERROR_CATEGORY_EXP_MEMORY_ERRORS},
       {"ras/gfx_err_count", ZES_RAS_ERROR_CATEGORY_EXP_COMPUTE_ERRORS},
       {"ras/sdma_err_count", ZES_RAS_ERROR_CATEGORY_EXP_NON_COMPUTE_ERRORS}}};
  for (const auto& [type, key] : {std::pair(ZES_RAS_ERROR_TYPE_CORRECTABLE, std::string_view("ce")),
                                  std::pair(ZES_RAS_ERROR_TYPE_UNCORRECTABLE, std::string_view("ue"))}) {
    RasSource set;
    set.type = type;
    for (const auto& [name, category] : Blocks)
      if (const SharedFile file = gpu.open(name))
        set.counters.push_back({category, [file, key = key] {
                                  const std::string text = file->read_long();
                                  const auto value = parse::value_of(text, key);
                                  const auto count = value ? parse::integer(*value) : std::nullopt;
                                  if (!count)
                                    throw Error(ZE_RESULT_ERROR_NOT_AVAILABLE, "{} counts no `{}`", file->path(), key);
                                  return static_cast<std::uint64_t>(*count);
                                }});
    if (!set.counters.empty()) found.ras.push_back(std::move(set));
  }
}

} // namespace

void find_amd_gpu(const Gpu& gpu, Found& found) {
  add_clock(gpu, "pp_dpm_sclk", ZES_FREQ_DOMAIN_GPU, found);
  add_clock(gpu, "pp_dpm_mclk", ZES_FREQ_DOMAIN_MEMORY, found);
  add_memory(gpu, found);
  add_errors(gpu, found);
  found.identity.vendor = "AMD";
  found.identity.serial = gpu.root.text(gpu.file("unique_id")).value_or("");
  found.identity.model = gpu.root.text(gpu.file("product_name")).value_or("");
  found.identity.board = gpu.root.text(gpu.file("product_number")).value_or("");
  if (const auto version = gpu.root.text(gpu.file("vbios_version")))
    found.firmwares.push_back({"VBIOS", [version = *version] { return version; }});
  for (const std::string& name : gpu.root.names(gpu.file("fw_version")))
    if (const SharedFile file = gpu.open("fw_version/" + name))
      found.firmwares.push_back({name.substr(0, name.find("_fw_version")), [file] {
                                   std::array<char, 64> buffer;
                                   return std::string(file->read(buffer));
                                 }});
}

} // namespace zeroth::sysman
