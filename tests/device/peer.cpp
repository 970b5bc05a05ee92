// What the other process of a test does: `device_peer <task> <arguments>`. Ends with 0, or the line of the step that
// failed modulo 256.
#include "peer.hpp"
#include "fixture.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <map>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

namespace device_tests {
namespace {

using Arguments = std::vector<std::string>;

#define STEP(condition)                                                                                                \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      std::fprintf(stderr, "device_peer: line %d: %s\n", __LINE__, #condition);                                        \
      return __LINE__ % 255 + 1;                                                                                       \
    }                                                                                                                  \
  } while (false)

// From now on this process may take descriptors from no other one, as in many containers.
bool forbid_taking_descriptors() {
  sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_getfd, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{static_cast<unsigned short>(std::size(rules)), rules};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// memory HANDLE SIZE [forbid]: what is there must be i * 7, and becomes i * 11.
int memory(const Arguments& arguments) {
  const Device& d = Device::get();
  if (arguments.size() > 2) STEP(forbid_taking_descriptors());
  const auto handle = from_text<ze_ipc_mem_handle_t>(arguments[0]);
  const std::size_t size = std::stoul(arguments[1]);
  void* opened = nullptr;
  STEP(zeMemOpenIpcHandle(d.context, d.device, handle, 0, &opened) == ZE_RESULT_SUCCESS);
  auto* bytes = static_cast<unsigned char*>(opened);
  for (std::size_t i = 0; i < size; ++i) STEP(bytes[i] == static_cast<unsigned char>(i * 7));
  void* base = nullptr;
  std::size_t known = 0;
  STEP(zeMemGetAddressRange(d.context, bytes + size / 2, &base, &known) == ZE_RESULT_SUCCESS);
  STEP(base == opened && known == size);
  STEP(zeMemFree(d.context, opened) != ZE_RESULT_SUCCESS);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i * 11);
  STEP(zeMemCloseIpcHandle(d.context, opened) == ZE_RESULT_SUCCESS);
  STEP(zeMemCloseIpcHandle(d.context, opened) == ZE_RESULT_ERROR_INVALID_ARGUMENT);
  return 0;
}

// stale HANDLE: opening it must fail with INVALID_ARGUMENT.
int stale(const Arguments& arguments) {
  const Device& d = Device::get();
  void* opened = nullptr;
  STEP(zeMemOpenIpcHandle(d.context, d.device, from_text<ze_ipc_mem_handle_t>(arguments[0]), 0, &opened) ==
       ZE_RESULT_ERROR_INVALID_ARGUMENT);
  return 0;
}

const ze_command_queue_desc_t in_order{ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                       nullptr,
                                       0,
                                       0,
                                       ZE_COMMAND_QUEUE_FLAG_IN_ORDER,
                                       ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
                                       ZE_COMMAND_QUEUE_PRIORITY_NORMAL};

// pool HANDLE MEMORY: for 100 rounds waits for event 0 in a list, adds 1 to the word of the memory, signals event 1.
int pool(const Arguments& arguments) {
  const Device& d = Device::get();
  ze_event_pool_handle_t opened = nullptr;
  STEP(zeEventPoolOpenIpcHandle(d.context, from_text<ze_ipc_event_pool_handle_t>(arguments[0]), &opened) ==
       ZE_RESULT_SUCCESS);
  void* memory = nullptr;
  STEP(zeMemOpenIpcHandle(d.context, d.device, from_text<ze_ipc_mem_handle_t>(arguments[1]), 0, &memory) ==
       ZE_RESULT_SUCCESS);
  ze_event_handle_t go = nullptr, done = nullptr;
  ze_event_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, 0, 0};
  STEP(zeEventCreate(opened, &desc, &go) == ZE_RESULT_SUCCESS);
  desc.index = 1;
  STEP(zeEventCreate(opened, &desc, &done) == ZE_RESULT_SUCCESS);
  ze_command_list_handle_t list = nullptr;
  STEP(zeCommandListCreateImmediate(d.context, d.device, &in_order, &list) == ZE_RESULT_SUCCESS);
  auto* word = static_cast<volatile std::uint64_t*>(memory);
  for (std::uint64_t round = 0; round < 100; ++round) {
    const std::uint64_t next = round * 2 + 1;
    STEP(zeCommandListAppendWaitOnEvents(list, 1, &go) == ZE_RESULT_SUCCESS);
    STEP(zeCommandListAppendEventReset(list, go) == ZE_RESULT_SUCCESS);
    STEP(zeCommandListAppendMemoryFill(list, memory, &next, 8, 8, nullptr, 0, nullptr) == ZE_RESULT_SUCCESS);
    if (round % 2) {
      STEP(zeCommandListAppendSignalEvent(list, done) == ZE_RESULT_SUCCESS);
    } else {
      STEP(zeCommandListHostSynchronize(list, UINT64_MAX) == ZE_RESULT_SUCCESS);
      STEP(zeEventHostSignal(done) == ZE_RESULT_SUCCESS);
    }
    STEP(zeCommandListHostSynchronize(list, UINT64_MAX) == ZE_RESULT_SUCCESS);
    STEP(*word >= next);
  }
  STEP(zeCommandListDestroy(list) == ZE_RESULT_SUCCESS);
  STEP(zeEventDestroy(go) == ZE_RESULT_SUCCESS && zeEventDestroy(done) == ZE_RESULT_SUCCESS);
  STEP(zeMemCloseIpcHandle(d.context, memory) == ZE_RESULT_SUCCESS);
  STEP(zeEventPoolCloseIpcHandle(opened) == ZE_RESULT_SUCCESS);
  return 0;
}

// counter HANDLE MEMORY: waits for the event, reads 7 in the memory; a bidirectional one is then signalled after a 9.
int counter(const Arguments& arguments) {
  const Device& d = Device::get();
  ze_event_handle_t event = nullptr;
  STEP(zeEventCounterBasedOpenIpcHandle(d.context, from_text<ze_ipc_event_counter_based_handle_t>(arguments[0]),
                                        &event) == ZE_RESULT_SUCCESS);
  void* memory = nullptr;
  STEP(zeMemOpenIpcHandle(d.context, d.device, from_text<ze_ipc_mem_handle_t>(arguments[1]), 0, &memory) ==
       ZE_RESULT_SUCCESS);
  ze_command_list_handle_t list = nullptr;
  STEP(zeCommandListCreateImmediate(d.context, d.device, &in_order, &list) == ZE_RESULT_SUCCESS);
  std::uint64_t seen = 0;
  STEP(zeCommandListAppendMemoryCopy(list, &seen, memory, 8, nullptr, 1, &event) == ZE_RESULT_SUCCESS);
  STEP(zeCommandListHostSynchronize(list, UINT64_MAX) == ZE_RESULT_SUCCESS);
  STEP(seen == 7);
  STEP(zeEventHostSynchronize(event, UINT64_MAX) == ZE_RESULT_SUCCESS);
  const std::uint64_t nine = 9;
  ze_event_counter_based_flags_t flags = 0;
  STEP(zeEventGetCounterBasedFlags(event, &flags) == ZE_RESULT_SUCCESS);
  const bool both_ways = flags & ZE_EVENT_COUNTER_BASED_FLAG_IPC_BIDIRECTIONAL;
  STEP(zeCommandListAppendMemoryFill(list, memory, &nine, 8, 8, event, 0, nullptr) ==
       (both_ways ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_ARGUMENT));
  STEP(zeCommandListHostSynchronize(list, UINT64_MAX) == ZE_RESULT_SUCCESS);
  STEP(zeCommandListDestroy(list) == ZE_RESULT_SUCCESS);
  STEP(zeMemCloseIpcHandle(d.context, memory) == ZE_RESULT_SUCCESS);
  STEP(zeEventCounterBasedCloseIpcHandle(event) == ZE_RESULT_SUCCESS);
  return 0;
}

// semaphores GO DONE: waits for `go` at 1 … 50 and signals `done` with the same, both imported.
int semaphores(const Arguments& arguments) {
  const Device& d = Device::get();
  ze_external_semaphore_ext_handle_t imported[2];
  for (int i : {0, 1}) {
    const ze_external_semaphore_fd_ext_desc_t source{ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_FD_EXT_DESC, nullptr,
                                                     std::stoi(arguments[static_cast<std::size_t>(i)])};
    const ze_external_semaphore_ext_desc_t desc{ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_EXT_DESC, &source,
                                                ZE_EXTERNAL_SEMAPHORE_EXT_FLAG_OPAQUE_FD};
    STEP(zeDeviceImportExternalSemaphoreExt(d.device, &desc, &imported[i]) == ZE_RESULT_SUCCESS);
  }
  ze_command_list_handle_t list = nullptr;
  STEP(zeCommandListCreateImmediate(d.context, d.device, &in_order, &list) == ZE_RESULT_SUCCESS);
  for (std::uint64_t round = 1; round <= 50; ++round) {
    ze_external_semaphore_wait_params_ext_t wait{ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_WAIT_PARAMS_EXT, nullptr, round};
    ze_external_semaphore_signal_params_ext_t signal{ZE_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_EXT, nullptr,
                                                     round};
    STEP(zeCommandListAppendWaitExternalSemaphoreExt(list, 1, &imported[0], &wait, nullptr, 0, nullptr) ==
         ZE_RESULT_SUCCESS);
    STEP(zeCommandListAppendSignalExternalSemaphoreExt(list, 1, &imported[1], &signal, nullptr, 0, nullptr) ==
         ZE_RESULT_SUCCESS);
  }
  STEP(zeCommandListHostSynchronize(list, UINT64_MAX) == ZE_RESULT_SUCCESS);
  for (auto one : imported) STEP(zeDeviceReleaseExternalSemaphoreExt(one) == ZE_RESULT_SUCCESS);
  STEP(zeCommandListDestroy(list) == ZE_RESULT_SUCCESS);
  return 0;
}

// prints WHAT LINES GROUPS LOCAL: runs the kernel of that name; its text is this program's output.
int prints(const Arguments& arguments) {
  auto number = [&](std::size_t i) { return static_cast<std::uint32_t>(std::stoul(arguments[i])); };
  Kernel kernel("prints");
  kernel.arguments(number(0), number(1));
  STEP(zeKernelSetGroupSize(kernel.handle(), number(3), 1, 1) == ZE_RESULT_SUCCESS);
  const ze_group_count_t groups{number(2), 1, 1};
  STEP(zeCommandListAppendLaunchKernel(shared_list(), kernel.handle(), &groups, nullptr, 0, nullptr) ==
       ZE_RESULT_SUCCESS);
  STEP(zeCommandListHostSynchronize(shared_list(), UINT64_MAX) == ZE_RESULT_SUCCESS);
  _exit(0); // what is not flushed by now is lost
}

struct Identity {
  explicit Identity(const std::string& from) { data.assign(from.begin(), from.end()); }
  std::vector<char> data;
};

// devices SHOWN CHILDREN ROOT IDS: how many devices and children of the first one there are, whether the first knows a
// root, and the numbers of the parts that are seen, as "1,3". Each of them runs a copy.
int devices(const Arguments& arguments) {
  STEP(zeInit(0) == ZE_RESULT_SUCCESS);
  ze_driver_handle_t driver = nullptr;
  std::uint32_t count = 1;
  STEP(zeDriverGet(&count, &driver) == ZE_RESULT_SUCCESS && count == 1);
  count = 0;
  STEP(zeDeviceGet(driver, &count, nullptr) == ZE_RESULT_SUCCESS);
  STEP(count == std::stoul(arguments[0]));
  std::vector<ze_device_handle_t> shown(count);
  STEP(zeDeviceGet(driver, &count, shown.data()) == ZE_RESULT_SUCCESS);
  STEP(zeDeviceGetSubDevices(shown[0], &(count = 0), nullptr) == ZE_RESULT_SUCCESS);
  STEP(count == std::stoul(arguments[1]));
  std::vector<ze_device_handle_t> parts(count);
  STEP(zeDeviceGetSubDevices(shown[0], &count, parts.data()) == ZE_RESULT_SUCCESS);
  ze_device_handle_t root = nullptr;
  STEP(zeDeviceGetRootDevice(shown[0], &root) == ZE_RESULT_SUCCESS);
  STEP((root != nullptr) == (arguments[2] == "root"));
  if (!parts.empty()) {
    STEP(zeDeviceGetRootDevice(parts[0], &root) == ZE_RESULT_SUCCESS && root == shown[0]);
  }
  std::string ids, uuids;
  for (auto part : parts.empty() ? shown : parts) {
    ze_device_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    STEP(zeDeviceGetProperties(part, &properties) == ZE_RESULT_SUCCESS);
    ids += (ids.empty() ? "" : ",") + std::to_string(properties.subdeviceId);
    const std::string uuid(reinterpret_cast<const char*>(properties.uuid.id), sizeof properties.uuid.id);
    STEP(uuids.find(uuid) == std::string::npos);
    uuids += uuid;
  }
  STEP(ids == arguments[3]);
  const ze_context_desc_t context_desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  ze_context_handle_t context = nullptr;
  STEP(zeContextCreate(driver, &context_desc, &context) == ZE_RESULT_SUCCESS);
  parts.insert(parts.end(), shown.begin(), shown.end());
  for (auto one : parts) {
    ze_command_list_handle_t list = nullptr;
    STEP(zeCommandListCreateImmediate(context, one, &in_order, &list) == ZE_RESULT_SUCCESS);
    std::vector<char> from(3 << 20, 'x'), to(from.size());
    STEP(zeCommandListAppendMemoryCopy(list, to.data(), from.data(), from.size(), nullptr, 0, nullptr) ==
         ZE_RESULT_SUCCESS);
    STEP(zeCommandListHostSynchronize(list, UINT64_MAX) == ZE_RESULT_SUCCESS);
    STEP(from == to);
    STEP(zeCommandListDestroy(list) == ZE_RESULT_SUCCESS);
  }
  STEP(zeContextDestroy(context) == ZE_RESULT_SUCCESS);
  std::printf("%s", as_text(Identity(uuids)).c_str()); // for comparing runs
  return 0;
}

// A list on a device or a part of it, and a kernel whose groups wait for each other.
struct Meeting {
  ze_command_list_handle_t list = nullptr;
  ze_kernel_handle_t kernel = nullptr;
  std::uint32_t most = 0; // groups
  std::atomic<std::uint32_t> arrived{0};

  bool open(ze_device_handle_t device) {
    const Device& d = Device::get();
    const auto code = read_kernel("rendezvous");
    const ze_module_desc_t module_desc{
        ZE_STRUCTURE_TYPE_MODULE_DESC, nullptr, ZE_MODULE_FORMAT_IL_SPIRV, code.size(), code.data(), "", nullptr};
    const ze_kernel_desc_t kernel_desc{ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, "rendezvous"};
    ze_module_handle_t module = nullptr;
    return zeModuleCreate(d.context, device, &module_desc, &module, nullptr) == ZE_RESULT_SUCCESS &&
           zeKernelCreate(module, &kernel_desc, &kernel) == ZE_RESULT_SUCCESS &&
           zeKernelSuggestMaxCooperativeGroupCount(kernel, &most) == ZE_RESULT_SUCCESS &&
           zeCommandListCreateImmediate(d.context, device, &in_order, &list) == ZE_RESULT_SUCCESS;
  }
  // Appends a cooperative launch of as many groups as can be, which ends when so many others have arrived, too.
  bool launch(std::uint32_t others) {
    arrived = 0;
    auto* counter = reinterpret_cast<std::uint32_t*>(&arrived);
    const std::uint32_t expected = most + others;
    const ze_group_count_t count{most, 1, 1};
    return zeKernelSetArgumentValue(kernel, 0, sizeof counter, &counter) == ZE_RESULT_SUCCESS &&
           zeKernelSetArgumentValue(kernel, 1, sizeof expected, &expected) == ZE_RESULT_SUCCESS &&
           zeCommandListAppendLaunchCooperativeKernel(list, kernel, &count, nullptr, 0, nullptr) == ZE_RESULT_SUCCESS;
  }
  bool end() const { return zeCommandListHostSynchronize(list, UINT64_MAX) == ZE_RESULT_SUCCESS; }
};

// cooperative ROUNDS: a launch of the whole device waits for its turn until that of a part, which waits for the host,
// ends.
int cooperative(const Arguments& arguments) {
  const Device& d = Device::get();
  std::uint32_t count = 1;
  ze_device_handle_t first = nullptr;
  STEP(zeDeviceGetSubDevices(d.device, &count, &first) == ZE_RESULT_SUCCESS && count == 1);
  Meeting part, whole;
  STEP(part.open(first) && whole.open(d.device) && whole.most > part.most);
  for (std::size_t round = std::stoul(arguments[0]); round; --round) {
    STEP(part.launch(1));
    while (part.arrived != part.most) std::this_thread::yield();
    STEP(whole.launch(0));
    std::this_thread::sleep_for(std::chrono::milliseconds(10)); // most likely it has been begun by then
    ++part.arrived;
    STEP(part.end() && whole.end());
    STEP(whole.arrived == whole.most);
  }
  return 0;
}

int run(int count, char** texts) {
  const std::map<std::string, int (*)(const Arguments&)> tasks{
      {"memory", &memory},         {"stale", &stale},     {"pool", &pool},     {"counter", &counter},
      {"semaphores", &semaphores}, {"devices", &devices}, {"prints", &prints}, {"cooperative", &cooperative}};
  if (count < 2 || !tasks.count(texts[1])) return 255;
  return tasks.at(texts[1])({texts + 2, texts + count});
}

} // namespace
} // namespace device_tests

int main(int count, char** texts) { return device_tests::run(count, texts); }
