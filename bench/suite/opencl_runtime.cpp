#include "suite/runtime.hpp"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdexcept>
#include <utility>

namespace zeroth::bench {
namespace {

void check(cl_int code, const char* call) {
  if (code != CL_SUCCESS) throw std::runtime_error(std::string(call) + " failed with " + std::to_string(code));
}
#define CHECK(call) check((call), #call)

std::string platform_name(cl_platform_id platform) {
  char name[256] = "";
  clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, nullptr);
  return name;
}

class OpenCl : public Runtime {
public:
  OpenCl(std::string kernels, const std::string& platform) : kernels_(std::move(kernels)) {
    pick_platform(platform);
    CHECK(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_CPU, 1, &device_, nullptr));
    cl_int code = 0;
    context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code);
    check(code, "clCreateContext");
    queue_ = clCreateCommandQueue(context_, device_, 0, &code);
    check(code, "clCreateCommandQueue");
  }

  ~OpenCl() override {
    drop();
    clReleaseCommandQueue(queue_);
    clReleaseContext(context_);
  }

  std::string description() const override {
    char version[256] = "";
    clGetDeviceInfo(device_, CL_DRIVER_VERSION, sizeof version, version, nullptr);
    return platform_name(platform_) + " " + version;
  }

  double prepare(const Case& work) override {
    drop();
    case_ = &work;
    const double seconds = build(work.kernel);
    for (size_t i = 0; i < work.arguments.size(); ++i)
      std::visit([&](const auto& argument) { set_argument(cl_uint(i), argument); }, work.arguments[i]);
    refill();
    return seconds;
  }

  void launch(size_t launches) override {
    for (size_t i = 0; i < launches; ++i)
      CHECK(clEnqueueNDRangeKernel(queue_, kernel_, 2, nullptr, case_->global.data(), case_->local.data(), 0, nullptr,
                                   nullptr));
    CHECK(clFinish(queue_));
  }

  void refill() override {
    for (size_t i = 0; i < memory_.size(); ++i)
      if (!memory_[i]) {
        continue;
      } else if (const auto* picture = std::get_if<Picture>(&case_->arguments[i])) {
        write(memory_[i], *picture);
      } else {
        const auto bytes = contents(std::get<Buffer>(case_->arguments[i]));
        CHECK(clEnqueueWriteBuffer(queue_, memory_[i], CL_TRUE, 0, bytes.size(), bytes.data(), 0, nullptr, nullptr));
      }
  }

  std::vector<std::byte> output() override {
    if (const auto* picture = std::get_if<Picture>(&case_->arguments[case_->output])) return read(*picture);
    std::vector<std::byte> bytes(std::get<Buffer>(case_->arguments[case_->output]).bytes());
    CHECK(clEnqueueReadBuffer(queue_, memory_[case_->output], CL_TRUE, 0, bytes.size(), bytes.data(), 0, nullptr,
                              nullptr));
    return bytes;
  }

private:
  static constexpr size_t Start[3] = {0, 0, 0};

  std::vector<std::byte> read(const Picture& picture) {
    std::vector<std::byte> bytes(picture.bytes());
    const size_t extent[3] = {picture.side, picture.side, 1};
    CHECK(clEnqueueReadImage(queue_, memory_[case_->output], CL_TRUE, Start, extent, 0, 0, bytes.data(), 0, nullptr,
                             nullptr));
    return bytes;
  }
  void write(cl_mem image, const Picture& picture) {
    const auto bytes = contents(picture);
    const size_t extent[3] = {picture.side, picture.side, 1};
    CHECK(clEnqueueWriteImage(queue_, image, CL_TRUE, Start, extent, 0, 0, bytes.data(), 0, nullptr, nullptr));
  }

  void pick_platform(const std::string& part_of_name) {
    cl_uint count = 0;
    CHECK(clGetPlatformIDs(0, nullptr, &count));
    std::vector<cl_platform_id> platforms(count);
    CHECK(clGetPlatformIDs(count, platforms.data(), nullptr));
    for (cl_platform_id platform : platforms)
      if (platform_name(platform).find(part_of_name) != std::string::npos) platform_ = platform;
    if (!platform_) throw std::runtime_error("no OpenCL platform named " + part_of_name);
  }

  double build(const std::string& name) {
    const auto source = read_file(kernels_ + "/" + name + ".cl");
    const char* text = source.data();
    const size_t size = source.size();
    const double start = now_seconds();
    cl_int code = 0;
    program_ = clCreateProgramWithSource(context_, 1, &text, &size, &code);
    check(code, "clCreateProgramWithSource");
    CHECK(clBuildProgram(program_, 1, &device_, "-cl-std=CL3.0", nullptr, nullptr));
    kernel_ = clCreateKernel(program_, name.c_str(), &code);
    check(code, "clCreateKernel");
    return now_seconds() - start;
  }

  void set_argument(cl_uint index, const Buffer& buffer) {
    cl_int code = 0;
    memory_.resize(index + 1);
    memory_[index] = clCreateBuffer(context_, CL_MEM_READ_WRITE, buffer.bytes(), nullptr, &code);
    check(code, "clCreateBuffer");
    CHECK(clSetKernelArg(kernel_, index, sizeof(cl_mem), &memory_[index]));
  }
  void set_argument(cl_uint index, const Local& local) { CHECK(clSetKernelArg(kernel_, index, local.bytes, nullptr)); }
  void set_argument(cl_uint index, const Picture& picture) {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = desc.image_height = picture.side;
    const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
    cl_int code = 0;
    memory_.resize(index + 1);
    memory_[index] = clCreateImage(context_, CL_MEM_READ_WRITE, &format, &desc, nullptr, &code);
    check(code, "clCreateImage");
    CHECK(clSetKernelArg(kernel_, index, sizeof(cl_mem), &memory_[index]));
  }
  void set_argument(cl_uint index, const Sampling& sampling) {
    cl_int code = 0;
    sampler_ = clCreateSampler(context_, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE,
                               sampling.linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &code);
    check(code, "clCreateSampler");
    CHECK(clSetKernelArg(kernel_, index, sizeof(cl_sampler), &sampler_));
  }
  template <class T> void set_argument(cl_uint index, const T& value) {
    CHECK(clSetKernelArg(kernel_, index, sizeof value, &value));
  }

  void drop() {
    for (cl_mem memory : memory_)
      if (memory) clReleaseMemObject(memory);
    memory_.clear();
    if (sampler_) clReleaseSampler(std::exchange(sampler_, nullptr));
    if (kernel_) clReleaseKernel(std::exchange(kernel_, nullptr));
    if (program_) clReleaseProgram(std::exchange(program_, nullptr));
  }

  std::string kernels_;
  cl_platform_id platform_ = nullptr;
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
  std::vector<cl_mem> memory_; // by argument; null where the argument is no buffer
  cl_sampler sampler_ = nullptr;
  const Case* case_ = nullptr;
};

} // namespace

std::unique_ptr<Runtime> open_opencl(const std::string& kernels, const std::string& platform) {
  return std::make_unique<OpenCl>(kernels, platform);
}

} // namespace zeroth::bench
