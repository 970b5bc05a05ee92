// What firmware the machine runs, and who built it: /sys/class/dmi/id, microcode. Serial numbers are for root alone.
#include "sources.hpp"

#include "../parse/numbers.hpp"

namespace zeroth::sysman {
namespace {

const std::string Dmi = "/sys/class/dmi/id/";

Reader<std::string> text_of(SharedFile file) {
  return [file = std::move(file)] {
    char buffer[128];
    return std::string(file->read(buffer));
  };
}

std::string microcode_in_cpuinfo(const Root& root) {
  const auto text = root.text("/proc/cpuinfo");
  const auto value = text ? parse::value_of(*text, "microcode") : std::nullopt;
  return value ? std::string(*value) : std::string();
}

} // namespace

void find_host_firmware(const Root& root, Found& found) {
  if (SharedFile bios = find_file(root, Dmi + "bios_version"))
    found.firmwares.push_back({"BIOS", text_of(std::move(bios))});
  if (SharedFile microcode = find_file(root, "/sys/devices/system/cpu/cpu0/microcode/version"))
    found.firmwares.push_back({"microcode", text_of(std::move(microcode))});
  else if (const std::string version = microcode_in_cpuinfo(root); !version.empty())
    found.firmwares.push_back({"microcode", [version] { return version; }});
  Identity& identity = found.identity;
  identity.vendor = root.text(Dmi + "sys_vendor").value_or("");
  identity.brand = root.text(Dmi + "product_name").value_or("");
  identity.serial = root.text(Dmi + "product_serial").value_or("");
  identity.board = root.text(Dmi + "board_serial").value_or("");
  identity.driver = root.text("/proc/sys/kernel/osrelease").value_or(""); // the kernel is what drives a processor
}

} // namespace zeroth::sysman
