// Info logs: the rules of enumerating, reading, peeking and dropping, and the UEFI layout of a record, taken apart by a
// decoder that shares nothing with the plugin (case 30).
#include "machine.hpp"

#include <entry/testing/fresh_process.hpp>

#include <chrono>
#include <cstring>
#include <fstream>
#include <level_zero/loader/ze_loader.h>
#include <level_zero/ze_api.h>
#include <thread>

namespace {

using namespace zeroth::testing;

class Log {
public:
  explicit Log(const Machine& machine, const char* options = "") : file_(machine.folder() / "log") {
    std::ofstream{file_};
    machine.use("interval: 5, extra_log: " + file_.string() + options);
  }
  void append(const std::string& line) const { std::ofstream(file_, std::ios::app) << line << "\n"; }

private:
  std::filesystem::path file_;
};

zes_info_log_instance_handle_t collect(uint32_t kilobytes = 0, const char* name = nullptr) {
  const auto logs = all_of(zesDriverEnumInfoLogsExt, first_driver());
  zes_info_log_instance_ext_desc_t desc{};
  desc.stype = ZES_STRUCTURE_TYPE_INFO_LOG_INSTANCE_EXT_DESC;
  desc.pBufferSizeInKb = &kilobytes;
  zes_info_log_instance_handle_t instance = nullptr;
  EXPECT_EQ(zesInfoLogCreateInstanceExt(logs.at(0), name, &desc, &instance), ZE_RESULT_SUCCESS);
  EXPECT_GT(kilobytes, 0u) << "the size that was applied";
  return instance;
}

struct Records {
  ze_result_t result = ZE_RESULT_ERROR_UNKNOWN;
  std::vector<uint8_t> bytes;
  std::vector<zes_info_log_metadata_ext_t> about;
  zes_info_log_read_status_ext_t status{};
  uint32_t size = 0, count = 0;

  std::string text(std::size_t i) const {
    const uint8_t* record = bytes.data() + about.at(i).offset;
    uint32_t at = 0, length = 0;
    std::memcpy(&at, record + 128, 4);
    std::memcpy(&length, record + 132, 4);
    return {reinterpret_cast<const char*>(record) + at, length};
  }
};

using Function = decltype(&zesInfoLogInstanceReadWithMetadataExt);

Records get(Function function, zes_info_log_instance_handle_t instance, uint32_t size, uint32_t count,
            uint64_t timeout = 1000) {
  Records got;
  got.bytes.resize(size);
  got.about.resize(count);
  for (auto& one : got.about) one.stype = ZES_STRUCTURE_TYPE_INFO_LOG_METADATA_EXT;
  got.status.stype = ZES_STRUCTURE_TYPE_INFO_LOG_READ_STATUS_EXT;
  got.size = size, got.count = count;
  got.result = function(instance, timeout, &got.size, got.bytes.data(), &got.count, got.about.data(), &got.status);
  return got;
}
Records read(zes_info_log_instance_handle_t instance, uint32_t size = 4096, uint32_t count = 16) {
  return get(zesInfoLogInstanceReadWithMetadataExt, instance, size, count);
}

TEST(SysmanInfoLog, the_same_handles_in_the_same_order_with_the_counting_rules) {
  in_fresh_process([] {
    const Machine machine("container");
    const Log log(machine);
    uint32_t count = 0;
    ASSERT_EQ(zesDriverEnumInfoLogsExt(first_driver(), &count, nullptr), ZE_RESULT_SUCCESS);
    ASSERT_EQ(count, 1u);
    EXPECT_EQ(all_of(zesDriverEnumInfoLogsExt, first_driver()), all_of(zesDriverEnumInfoLogsExt, first_driver()));
    count = 5;
    zes_info_log_handle_t handles[5] = {};
    ASSERT_EQ(zesDriverEnumInfoLogsExt(first_driver(), &count, handles), ZE_RESULT_SUCCESS);
    EXPECT_EQ(count, 1u);
    const auto properties = ask(zesInfoLogGetPropertiesExt, handles[0], ZES_STRUCTURE_TYPE_INFO_LOG_EXT_PROPERTIES);
    EXPECT_EQ(properties.infoLogType, ZES_INFO_LOG_TYPE_EXT_DEVICE);
    EXPECT_EQ(properties.infoLogFormat, ZES_INFO_LOG_FORMAT_EXT_CPER);
    EXPECT_TRUE(properties.isPeekDataSupported);
  });
}

TEST(SysmanInfoLog, records_arrive_in_order_and_are_consumed_by_read_alone) {
  in_fresh_process([] {
    const Machine machine("container");
    const Log log(machine);
    const auto instance = collect();
    EXPECT_EQ(read(instance).count, 0u);
    log.append("corrected first");
    log.append("fatal second");
    const Records query = get(zesInfoLogInstanceReadWithMetadataExt, instance, 0, 0);
    EXPECT_EQ(query.result, ZE_RESULT_SUCCESS);
    EXPECT_EQ(query.count, 2u);
    EXPECT_EQ(query.size, 2 * 200 + 5 + 6u);
    EXPECT_TRUE(query.status.hasDataToRead);
    const Records peeked = get(zesInfoLogInstancePeekWithMetadataExt, instance, 4096, 16);
    ASSERT_EQ(peeked.count, 2u);
    EXPECT_EQ(peeked.status.consumedDataSize, 0u);
    const Records all = read(instance, query.size, query.count);
    ASSERT_EQ(all.result, ZE_RESULT_SUCCESS);
    ASSERT_EQ(all.count, 2u);
    EXPECT_EQ(all.size, query.size);
    EXPECT_EQ(all.text(0), "first");
    EXPECT_EQ(all.text(1), "second");
    EXPECT_EQ(all.about[0].recordType, ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_CORRECTED);
    EXPECT_EQ(all.about[1].recordType, ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_FATAL);
    EXPECT_LE(all.about[0].timestamp, all.about[1].timestamp);
    EXPECT_FALSE(all.status.hasDataToRead);
    EXPECT_EQ(read(instance).count, 0u);
    ze_device_properties_t core{};
    core.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    ASSERT_EQ(zeDeviceGetProperties(first_device(), &core), ZE_RESULT_SUCCESS);
    EXPECT_EQ(std::memcmp(all.about[0].uuid.id, core.uuid.id, 16), 0) << "the device that it came from";
    EXPECT_EQ(zesInfoLogInstanceDeleteExt(instance), ZE_RESULT_SUCCESS);
  });
}

TEST(SysmanInfoLog, a_small_buffer_gets_what_fits_and_the_rest_remains) {
  in_fresh_process([] {
    const Machine machine("container");
    const Log log(machine);
    const auto instance = collect();
    for (const char* line : {"a", "b", "c"}) log.append(line);
    const Records none = read(instance, 10, 3);
    EXPECT_EQ(none.result, ZE_RESULT_SUCCESS);
    EXPECT_EQ(none.count, 0u);
    EXPECT_TRUE(none.status.hasDataToRead);
    const Records one = read(instance, 300, 3);
    ASSERT_EQ(one.count, 1u);
    EXPECT_TRUE(one.status.hasDataToRead);
    const Records rest = read(instance, 4096, 1);
    ASSERT_EQ(rest.count, 1u);
    EXPECT_EQ(rest.text(0), "b");
    const Records unsearched = get(zesInfoLogInstanceReadWithMetadataExt, instance, 4096, 4, 0);
    EXPECT_EQ(unsearched.count, 0u) << "a timeout of zero does not search";
    EXPECT_TRUE(unsearched.status.hasDataToRead);
  });
}

TEST(SysmanInfoLog, an_overflow_drops_the_oldest_and_counts_them) {
  in_fresh_process([] {
    const Machine machine("container");
    const Log log(machine);
    const auto instance = collect(1);
    for (int i = 0; i < 10; ++i) log.append(std::to_string(i)); // 201 bytes each, 1024 in the buffer
    const Records got = read(instance);
    EXPECT_EQ(got.result, ZE_RESULT_WARNING_DROPPED_DATA);
    EXPECT_EQ(got.status.droppedRecordCount, 5);
    ASSERT_EQ(got.count, 5u);
    EXPECT_EQ(got.text(0), "5");
    log.append("x");
    EXPECT_EQ(read(instance).result, ZE_RESULT_SUCCESS);
  });
}

TEST(SysmanInfoLog, a_name_is_taken_until_its_instance_is_deleted) {
  in_fresh_process([] {
    const Machine machine("container");
    const Log log(machine);
    const auto instance = collect(0, "mine");
    const auto logs = all_of(zesDriverEnumInfoLogsExt, first_driver());
    zes_info_log_instance_ext_desc_t desc{};
    desc.stype = ZES_STRUCTURE_TYPE_INFO_LOG_INSTANCE_EXT_DESC;
    zes_info_log_instance_handle_t second = nullptr;
    EXPECT_EQ(zesInfoLogCreateInstanceExt(logs[0], "mine", &desc, &second), ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
    EXPECT_EQ(zesInfoLogInstanceDeleteExt(instance), ZE_RESULT_SUCCESS);
    EXPECT_EQ(zesInfoLogCreateInstanceExt(logs[0], "mine", &desc, &second), ZE_RESULT_SUCCESS);
    log.append("for two");
    const auto third = collect(0, "other");
    log.append("for both");
    EXPECT_EQ(read(second).count, 2u);
    EXPECT_EQ(read(third).count, 2u - 1u) << "what came before it was created is not its own";
  });
}

// A launch that the device leaves out, which no result code can tell the program of: its work was wrong when it ran.
void launch_too_many_groups() {
  uint32_t count = 1;
  ze_driver_handle_t driver = nullptr;
  ze_device_handle_t device = nullptr;
  ASSERT_EQ(zeInit(0), ZE_RESULT_SUCCESS);
  ASSERT_EQ(zeDriverGet(&count, &driver), ZE_RESULT_SUCCESS);
  ASSERT_EQ(zeDeviceGet(driver, &count, &device), ZE_RESULT_SUCCESS);
  ze_context_handle_t context = nullptr;
  const ze_context_desc_t context_desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  ASSERT_EQ(zeContextCreate(driver, &context_desc, &context), ZE_RESULT_SUCCESS);
  std::ifstream file(SYSMAN_TEST_KERNELS "/saxpy.spv", std::ios::binary);
  const std::vector<char> spirv{std::istreambuf_iterator<char>(file), {}};
  ze_module_desc_t module_desc{};
  module_desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  module_desc.inputSize = spirv.size();
  module_desc.pInputModule = reinterpret_cast<const uint8_t*>(spirv.data());
  ze_module_handle_t module = nullptr;
  ASSERT_EQ(zeModuleCreate(context, device, &module_desc, &module, nullptr), ZE_RESULT_SUCCESS);
  const ze_kernel_desc_t kernel_desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "saxpy"};
  ze_kernel_handle_t kernel = nullptr;
  ASSERT_EQ(zeKernelCreate(module, &kernel_desc, &kernel), ZE_RESULT_SUCCESS);
  void* memory = nullptr;
  const ze_host_mem_alloc_desc_t host_desc{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  ASSERT_EQ(zeMemAllocHost(context, &host_desc, 64, 64, &memory), ZE_RESULT_SUCCESS);
  const float factor = 1;
  ASSERT_EQ(zeKernelSetArgumentValue(kernel, 0, sizeof factor, &factor), ZE_RESULT_SUCCESS);
  for (uint32_t i : {1u, 2u}) ASSERT_EQ(zeKernelSetArgumentValue(kernel, i, sizeof memory, &memory), ZE_RESULT_SUCCESS);
  auto* groups = static_cast<ze_group_count_t*>(memory);
  *groups = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
  ze_command_queue_desc_t queue{};
  queue.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  queue.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  ze_command_list_handle_t list = nullptr;
  ASSERT_EQ(zeCommandListCreateImmediate(context, device, &queue, &list), ZE_RESULT_SUCCESS);
  ASSERT_EQ(zeCommandListAppendLaunchKernelIndirect(list, kernel, groups, nullptr, 0, nullptr), ZE_RESULT_SUCCESS);
  EXPECT_EQ(zeCommandListDestroy(list), ZE_RESULT_SUCCESS);
  EXPECT_EQ(zeMemFree(context, memory), ZE_RESULT_SUCCESS);
  EXPECT_EQ(zeKernelDestroy(kernel), ZE_RESULT_SUCCESS);
  EXPECT_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
  EXPECT_EQ(zeContextDestroy(context), ZE_RESULT_SUCCESS);
}

TEST(SysmanInfoLog, a_fault_of_the_device_is_a_record_and_the_event_of_the_driver) {
  in_fresh_process([] {
    const Machine machine("container");
    const Log log(machine);
    const auto instance = collect();
    ASSERT_EQ(zesDriverEventRegisterExt(first_driver(), ZES_EVENT_TYPE_FLAG_INFO_LOG_CPER_DATA_AVAILABLE_EXT),
              ZE_RESULT_SUCCESS);
    launch_too_many_groups();
    zes_device_handle_t device = first_device();
    uint32_t devices = 0;
    zes_event_type_flags_t events = 0, driver_events = 0;
    ASSERT_EQ(zesDriverEventListenExt(first_driver(), 60000, 1, &device, &devices, &events, &driver_events),
              ZE_RESULT_SUCCESS);
    EXPECT_EQ(driver_events, zes_event_type_flags_t(ZES_EVENT_TYPE_FLAG_INFO_LOG_CPER_DATA_AVAILABLE_EXT));
    const Records got = read(instance);
    ASSERT_EQ(got.count, 1u);
    EXPECT_EQ(got.about[0].recordType, ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_RECOVERABLE);
    EXPECT_NE(got.text(0).find("was left out"), std::string::npos) << got.text(0);
    EXPECT_EQ(got.text(0).rfind("cpu: ", 0), 0u) << "who says so";
    const zes_uuid_t none{};
    EXPECT_EQ(std::memcmp(&got.about[0].uuid, &none, sizeof none), 0) << "which device is not known";
  });
}

// What the core itself has to say while a program runs, such as that its tracing will call nobody.
TEST(SysmanInfoLog, a_warning_of_the_core_is_the_event_of_the_driver_and_a_record) {
  in_fresh_process([] {
    const Machine machine("container");
    machine.use("interval: 600000"); // what ends the wait is the record, not a look
    const auto instance = collect();
    ASSERT_EQ(zesDriverEventRegisterExt(first_driver(), ZES_EVENT_TYPE_FLAG_INFO_LOG_CPER_DATA_AVAILABLE_EXT),
              ZE_RESULT_SUCCESS);
    std::thread program([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      EXPECT_EQ(zelEnableTracingLayer(), ZE_RESULT_SUCCESS);
    });
    zes_device_handle_t device = first_device();
    uint32_t devices = 9;
    zes_event_type_flags_t events = 9, driver_events = 0;
    ASSERT_EQ(zesDriverEventListenExt(first_driver(), 60000, 1, &device, &devices, &events, &driver_events),
              ZE_RESULT_SUCCESS);
    program.join();
    EXPECT_EQ(driver_events, zes_event_type_flags_t(ZES_EVENT_TYPE_FLAG_INFO_LOG_CPER_DATA_AVAILABLE_EXT));
    EXPECT_EQ(devices, 0u);
    const Records got = read(instance);
    ASSERT_EQ(got.result, ZE_RESULT_SUCCESS);
    ASSERT_EQ(got.count, 1u);
    EXPECT_EQ(got.about[0].recordType, ZES_INFO_LOG_RECORD_TYPE_EXT_INFORMATIONAL);
    EXPECT_NE(got.text(0).find("tracing is on"), std::string::npos) << got.text(0);
    EXPECT_EQ(read(instance).count, 0u) << "once";
  });
}

TEST(SysmanInfoLog, a_line_without_an_end_is_cut_and_the_next_one_is_whole) {
  in_fresh_process([] {
    const Machine machine("container");
    const Log log(machine);
    const auto instance = collect(1024);
    log.append("corrected " + std::string(200'000, 'x'));
    log.append("corrected next");
    const Records got = read(instance, 1 << 20);
    ASSERT_EQ(got.count, 2u);
    EXPECT_EQ(got.text(0).size(), (64u << 10) - std::strlen("corrected "));
    EXPECT_EQ(got.text(1), "next");
  });
}

TEST(SysmanInfoLog, machine_checks_memory_errors_and_throttling_of_the_kernel_are_records) {
  in_fresh_process([] {
    const Machine machine("container");
    machine.write("/dev/kmsg", "");
    const Log log(machine);
    const auto instance = collect();
    machine.write("/dev/kmsg",
                  "4,1,1,-;EDAC MC0: 1 CE memory read error on DIMM0\n"
                  "2,2,2,-;EDAC MC1: 1 UE memory read error on DIMM3\n"
                  "2,3,3,-;CPU3: Core temperature is above threshold, cpu clock throttled (total events = 2)\n"
                  "0,4,4,-;mce: [Hardware Error]: Fatal machine check on current CPU\n");
    const Records got = read(instance);
    ASSERT_EQ(got.count, 4u);
    EXPECT_EQ(got.about[0].recordType, ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_CORRECTED);
    EXPECT_NE(got.about[1].recordType, ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_CORRECTED);
    EXPECT_EQ(got.about[2].recordType, ZES_INFO_LOG_RECORD_TYPE_EXT_INFORMATIONAL);
    EXPECT_EQ(got.about[3].recordType, ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_FATAL);
    EXPECT_NE(got.text(1).find("DIMM3"), std::string::npos);
  });
}

// The UEFI specification, appendix N.2: offsets from its tables.
TEST(SysmanInfoLog, a_record_has_the_layout_of_the_uefi_specification) {
  in_fresh_process([] {
    const Machine machine("container");
    machine.write("/dev/kmsg", "");
    const Log log(machine);
    const auto instance = collect();
    machine.write("/dev/kmsg", "6,1,1,-;usb 1-1: new device\n"
                               "2,2,2,-;mce: [Hardware Error]: Corrected error, no action required.\n SUBSYSTEM=x\n");
    const Records got = read(instance);
    ASSERT_EQ(got.count, 1u) << "notices of the hardware only";
    const uint8_t* r = got.bytes.data();
    const auto u16 = [&](size_t at) {
      uint16_t v;
      return std::memcpy(&v, r + at, 2), v;
    };
    const auto u32 = [&](size_t at) {
      uint32_t v;
      return std::memcpy(&v, r + at, 4), v;
    };
    EXPECT_EQ(std::memcmp(r, "CPER", 4), 0);
    EXPECT_EQ(u16(4), 0x0101);
    EXPECT_EQ(u32(6), 0xffffffffu);
    EXPECT_EQ(u16(10), 1) << "sections";
    EXPECT_EQ(u32(12), 2u) << "corrected";
    EXPECT_EQ(u32(16) & 2, 2u) << "the timestamp is valid";
    EXPECT_EQ(u32(20), got.about[0].lengthOfData);
    EXPECT_EQ(r[31], 0x20) << "this century, in decimal digits";
    const uint8_t corrected_machine_check[16] = {0xb1, 0x8b, 0xce, 0x2d, 0xd7, 0xbd, 0x0e, 0x45,
                                                 0xb9, 0xad, 0x9c, 0xf4, 0xeb, 0xd4, 0xf8, 0x90};
    EXPECT_EQ(std::memcmp(r + 80, corrected_machine_check, 16), 0);
    EXPECT_EQ(u32(128), 200u) << "the section follows its descriptor";
    EXPECT_EQ(u32(128) + u32(132), u32(20));
    EXPECT_EQ(u32(128 + 48), 2u);
    EXPECT_EQ(got.text(0), "mce: [Hardware Error]: Corrected error, no action required.");
  });
}

} // namespace
