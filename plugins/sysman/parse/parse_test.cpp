// What the kernel's texts mean, and that no text whatever makes a parser fail: mutations of real ones, thousands each,
// under the sanitizers of the presets.
#include "aer.hpp"
#include "clock_list.hpp"
#include "dmi.hpp"
#include "fdinfo.hpp"
#include "interrupts.hpp"
#include "log_line.hpp"
#include "memory_type.hpp"
#include "numbers.hpp"
#include "pci.hpp"
#include "perf_event.hpp"
#include "proc_stat.hpp"
#include "process.hpp"
#include "uevent.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

namespace {

using namespace zeroth::sysman::parse;

TEST(SysmanParse, numbers_end_where_they_end) {
  EXPECT_EQ(integer("42\n"), 42);
  EXPECT_EQ(integer("  -7 kB"), -7);
  EXPECT_EQ(integer("99999999999999999999"), std::nullopt) << "an overflow is no number";
  EXPECT_EQ(integer(""), std::nullopt);
  EXPECT_EQ(integer("none"), std::nullopt);
  EXPECT_EQ(decimal("2.5 GT/s"), 2.5);
  EXPECT_EQ(decimal("inf"), std::nullopt);
  EXPECT_EQ(decimal("nan"), std::nullopt);
  EXPECT_EQ(hexadecimal("0x1002"), 0x1002u);
}

TEST(SysmanParse, memory_of_nodes_and_of_the_machine) {
  EXPECT_EQ(kibibytes_of("Node 1 MemTotal:   2 kB\nNode 1 MemFree: 1 kB\n", "MemFree"), 1024u);
  EXPECT_EQ(kibibytes_of("MemTotal: 3 kB\n", "MemTotal"), 3072u);
  EXPECT_EQ(kibibytes_of("MemTotalX: 3 kB\n", "MemTotal"), std::nullopt);
  EXPECT_EQ(kibibytes_of("MemTotal: 9223372036854775807 kB\n", "MemTotal"), std::nullopt);
}

TEST(SysmanParse, busy_time_leaves_out_idle_and_waiting) {
  EXPECT_EQ(busy_ticks("cpu  1 2 3 100 50 4 5 6 9 9\ncpu0 1 1 1 1 1 1 1 1\n", "cpu"), 21u);
  EXPECT_EQ(busy_ticks("cpu0 1 1 1 7 7 1 1 1\n", "cpu0"), 6u);
  EXPECT_EQ(busy_ticks("cpu0 1 1 1 7\n", "cpu0"), 3u) << "a very old kernel";
  EXPECT_EQ(busy_ticks("cpu0 1\n", "cpu0"), std::nullopt);
  EXPECT_EQ(busy_ticks("cpu10 1 1 1 7 7 1 1 1\n", "cpu1"), std::nullopt);
}

TEST(SysmanParse, pci) {
  const auto address = pci_address("0001:3a:1f.7");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->domain, 1u);
  EXPECT_EQ(address->bus, 0x3au);
  EXPECT_EQ(address->device, 0x1fu);
  EXPECT_EQ(address->function, 7u);
  EXPECT_FALSE(pci_address("3a:00.0"));
  EXPECT_EQ(pci_generation("32.0 GT/s PCIe"), 5);
  EXPECT_EQ(pci_generation("Unknown"), std::nullopt);
  EXPECT_EQ(pci_bandwidth(1, 4), 1000000000);
  EXPECT_EQ(pci_bandwidth(-1, 4), -1);
}

TEST(SysmanParse, clients_of_a_gpu) {
  const auto client = drm_client("drm-pdev:\t0000:03:00.0\ndrm-client-id: 7\ndrm-engine-gfx:\t5 ns\n"
                                 "drm-engine-capacity-gfx: 2\ndrm-total-vram0: 2 MiB\ndrm-shared-vram0: 1 KiB\n");
  ASSERT_TRUE(client);
  EXPECT_EQ(client->pci, "0000:03:00.0");
  EXPECT_EQ(client->engines.size(), 1u);
  EXPECT_EQ(client->memory, 2u << 20);
  EXPECT_EQ(client->shared, 1024u);
  EXPECT_FALSE(drm_client("pos: 0\nflags: 02\n"));
}

TEST(SysmanParse, others) {
  EXPECT_EQ(interrupts(" MCE:  1  0 2   Machine check exceptions\n", "MCE"), 3u);
  EXPECT_EQ(interrupts(" MCE: exceptions\n", "MCE"), std::nullopt);
  EXPECT_EQ(memory_type("Registered-DDR5"), ZES_MEM_TYPE_DDR5);
  EXPECT_EQ(memory_type("LPDDR5X"), ZES_MEM_TYPE_LPDDR5X);
  EXPECT_EQ(memory_type("Unknown"), std::nullopt);
  const auto clocks = clock_list("0: 500Mhz\n1: 2525Mhz *\nS: 9Mhz\n");
  EXPECT_EQ(clocks.present, 2525);
  EXPECT_EQ(clocks.clocks.size(), 3u);
  EXPECT_FALSE(kernel_line(" SUBSYSTEM=pci"));
  EXPECT_FALSE(kernel_line("6,1,1,-;usb 1-1: new device"));
  const auto line = kernel_line("4,2,3,-;EDAC MC0: 1 CE memory read error on DIMM0");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->type, ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_CORRECTED);
  EXPECT_EQ(plain_line("fatal it is over")->type, ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_FATAL);
  EXPECT_FALSE(plain_line("  "));
}

TEST(SysmanParse, errors_of_a_link) {
  const auto errors = link_errors("RxErr 9\nBadTLP 1\nBadDLLP 2\nRollover 3\nTimeout 4\nTOTAL_ERR_COR 19\n");
  ASSERT_TRUE(errors);
  EXPECT_EQ(errors->replays, 7u);
  EXPECT_EQ(errors->retrainings, 3u);
  EXPECT_FALSE(link_errors("RxErr 9\n"));
}

TEST(SysmanParse, notices_of_the_kernel) {
  using namespace std::string_view_literals;
  const auto wedged =
      uevent("change@/devices/pci0000:00/0000:03:00.0/drm/card0\0SUBSYSTEM=drm\0WEDGED=rebind,bus-reset\0"sv);
  ASSERT_TRUE(wedged);
  EXPECT_TRUE(wedged->wedged);
  EXPECT_EQ(wedged->pci, "0000:03:00.0");
  EXPECT_FALSE(wedged->is_pci) << "it is about the card under it";
  EXPECT_FALSE(uevent("change@/devices/x\0WEDGED=none\0"sv)->wedged) << "its driver mended it";
  const auto removed = uevent("remove@/devices/pci0000:00/0000:00:01.0/0000:03:00.0\0ACTION=remove\0"sv);
  EXPECT_TRUE(removed->is_pci);
  EXPECT_EQ(removed->pci, "0000:03:00.0");
  EXPECT_TRUE(uevent("add@/devices/virtual/net/lo\0"sv)->pci.empty());
  EXPECT_FALSE(uevent("libudev\0"sv));
}

TEST(SysmanParse, memory_modules_of_the_firmware) {
  std::string raw(0x28, '\0'); // a short table of an old firmware
  raw[0] = 17, raw[1] = 0x28, raw[0x0c] = 1, raw[0x10] = 1, raw[0x17] = 2;
  const std::string whole = raw + "DIMM 0" + '\0' + " Hynix " + '\0' + '\0';
  const auto device = memory_device(whole);
  ASSERT_TRUE(device);
  EXPECT_TRUE(device->present);
  EXPECT_EQ(device->locator, "DIMM 0");
  EXPECT_EQ(device->vendor, "Hynix");
  EXPECT_FALSE(device->vendor_id) << "newer than this table";
  EXPECT_TRUE(memory_device(raw + "DIMM 0" + '\0' + "Not Specified" + '\0')->vendor.empty());
  EXPECT_FALSE(memory_device(whole.substr(0, 0x20)));
}

TEST(SysmanParse, counters_of_the_kernel) {
  const auto terms = event_terms("event=0x04,umask=12,edge");
  ASSERT_TRUE(terms);
  ASSERT_EQ(terms->size(), 3u);
  EXPECT_EQ((*terms)[1].value, 12u);
  EXPECT_EQ((*terms)[2].value, 1u);
  EXPECT_FALSE(event_terms("event=x"));
  EXPECT_EQ(with_field(0x04, "config:8-15", 0x0c), 0x0c04u);
  EXPECT_EQ(with_field(0, "config:0-3,32-35", 0xab), 0xa0000000bu);
  EXPECT_EQ(with_field(0, "config1:0-7", 1), std::nullopt);
  EXPECT_EQ(bytes_per_count("6.103515625e-5", "MiB"), 64);
  EXPECT_EQ(bytes_per_count("1", "Joules"), std::nullopt);
  EXPECT_EQ(cpu_list("0,28-30"), (std::vector<int>{0, 28, 29, 30}));
  EXPECT_TRUE(cpu_list("0-99999").empty());
}

// Everything is given exactly its bytes on the heap, so that a sanitizer sees any read beyond.
void parse_all(const std::string& text) {
  const std::unique_ptr<char[]> bytes(new char[text.size()]);
  text.copy(bytes.get(), text.size());
  const std::string_view view(bytes.get(), text.size());
  integer(view), decimal(view), hexadecimal(view), trailing_number(view), pci_address(view), pci_generation(view);
  value_of(view, "cpu MHz"), kibibytes_of(view, "MemFree"), busy_ticks(view, "cpu"), pci_bars(view);
  clock_list(view), drm_client(view), interrupts(view, "MCE"), memory_type(view), process_pages(view);
  kernel_line(view), plain_line(view), link_errors(view), uevent(view), memory_device(view);
  event_terms(view), with_field(0, view, 7), bytes_per_count(view, "MiB"), cpu_list(view);
}

TEST(SysmanParse, no_text_whatever_makes_a_parser_fail) {
  using namespace std::string_view_literals;
  const std::string seeds[] = {
      "",
      "0",
      "-",
      "+",
      ":",
      "cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 2 3 4 5 6 7 8\n",
      "MemTotal:  1 kB\nMemFree: 2 kB\n",
      "Node 0 MemFree: 1 kB\n",
      "0: 500Mhz\n1: 2525Mhz *\n",
      "16.0 GT/s PCIe",
      "0000:03:00.0",
      "0x000000f800000000 0x000000fbffffffff 0x000000000014220c\n",
      "drm-pdev:\t0000:03:00.0\ndrm-client-id:\t1\ndrm-engine-gfx:\t99 ns\ndrm-memory-vram:\t12 KiB\n",
      " MCE:  1 2 3  Machine check exceptions\n",
      "6,339,5140900,-;mce: [Hardware Error]: Corrected error\n",
      "cpu MHz\t\t: 2596.130\n",
      "5000 1200 300 10 0 800 0",
      "RxErr 9\nBadTLP 1\nRollover 3\nTimeout 4\n",
      std::string("change@/devices/pci0000:00/0000:03:00.0/drm/card0\0WEDGED=rebind\0"sv),
      std::string(1, 17) + '\x28' + std::string(0x0e, '\1') + std::string(0x18, '\2') + "DIMM" + '\0' + "Maker" + '\0',
      "event=0x04,umask=0x03",
      "config:0-7,32-35",
      "6.103515625e-5",
      "0-3,8"};
  std::mt19937 random(20261130);
  const auto below = [&](std::size_t end) {
    return static_cast<std::size_t>(random() % std::max<std::size_t>(end, 1));
  };
  for (const std::string& seed : seeds)
    for (int round = 0; round < 3000; ++round) {
      std::string text = seed;
      for (std::size_t changes = below(6); changes > 0 && !text.empty(); --changes) switch (below(4)) {
        case 0:
          text[below(text.size())] = static_cast<char>(random());
          break;
        case 1:
          text.erase(below(text.size()), below(8));
          break;
        case 2:
          text.insert(below(text.size()), text.substr(below(text.size()), below(20)));
          break;
        default:
          text.insert(below(text.size()), "99999999999999999999");
        }
      parse_all(text);
    }
}

} // namespace
