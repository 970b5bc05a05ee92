// What every device test starts from: the first device of the first driver that libze_loader finds, a context and one
// immediate list. The program knows nothing of any device: which one it tests is a matter of the environment.
#pragma once
#include <level_zero/ze_api.h>

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace device_tests {

// Of the whole program: made once, kept to the end.
struct Device {
  ze_driver_handle_t driver = nullptr;
  ze_device_handle_t device = nullptr;
  ze_context_handle_t context = nullptr;
  static const Device& get(); // ends the program with a message when there is none
};

std::vector<std::uint8_t> read_kernel(const std::string& name); // bytes of <kernels>/<name>.spv

#define EXPECT_OK(call) EXPECT_EQ(call, ZE_RESULT_SUCCESS)
#define ASSERT_OK(call) ASSERT_EQ(call, ZE_RESULT_SUCCESS)

// An array in shared memory, seen by host and device.
template <class T> class Array {
public:
  explicit Array(std::size_t size) : size_(size) {
    const ze_device_mem_alloc_desc_t device{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
    const ze_host_mem_alloc_desc_t host{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
    const Device& d = Device::get();
    void* memory = nullptr;
    EXPECT_OK(zeMemAllocShared(d.context, &device, &host, size * sizeof(T), 64, d.device, &memory));
    data_ = static_cast<T*>(memory);
    for (std::size_t i = 0; i < size; ++i) data_[i] = T{};
  }
  ~Array() { zeMemFree(Device::get().context, data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* data() const { return data_; }
  std::size_t size() const { return size_; }

private:
  T* data_ = nullptr;
  std::size_t size_;
};

struct Local { // a work-group argument of so many bytes
  std::size_t bytes;
};

class Kernel {
public:
  explicit Kernel(const std::string& module, const std::string& name);
  Kernel(const std::string& name) : Kernel(name, name) {}
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  ze_kernel_handle_t handle() const { return kernel_; }
  ze_module_handle_t module() const { return module_; }

  template <class... Arguments> Kernel& arguments(const Arguments&... values) {
    std::uint32_t index = 0;
    (set(index++, values), ...);
    return *this;
  }
  // Runs over so many work-items in groups of the given size, and waits.
  void run(std::uint32_t global_x, std::uint32_t local_x) { run({global_x, 1}, {local_x, 1}); }
  void run(std::pair<std::uint32_t, std::uint32_t> global, std::pair<std::uint32_t, std::uint32_t> local);

private:
  template <class T> void set(std::uint32_t index, const Array<T>& array) {
    T* pointer = array.data();
    EXPECT_OK(zeKernelSetArgumentValue(kernel_, index, sizeof pointer, &pointer));
  }
  template <class T> void set(std::uint32_t index, const T& value) {
    EXPECT_OK(zeKernelSetArgumentValue(kernel_, index, sizeof value, &value));
  }
  void set(std::uint32_t index, const Local& local) {
    EXPECT_OK(zeKernelSetArgumentValue(kernel_, index, local.bytes, nullptr));
  }

  ze_module_handle_t module_ = nullptr;
  ze_kernel_handle_t kernel_ = nullptr;
};

// Does the driver list this extension?
bool offers_extension(const std::string& name);

// The list that Kernel::run uses.
ze_command_list_handle_t shared_list();

// How often a test repeats: ZEROTH_LONG_TESTS=1 asks for the long form.
std::uint32_t rounds(std::uint32_t usual, std::uint32_t in_long_form);

// Differs from run to run of nothing: the same values in every process.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint32_t next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33);
  }
  float real(float low, float high) { return low + (high - low) * static_cast<float>(next()) / 2147483648.0f; }

private:
  std::uint64_t state_;
};

} // namespace device_tests
