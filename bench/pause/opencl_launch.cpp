#include "pause/subject.hpp"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdexcept>
#include <vector>

namespace zeroth::bench {
namespace {

void check(cl_int code, const char* call) {
  if (code != CL_SUCCESS) throw std::runtime_error(std::string(call) + " failed with " + std::to_string(code));
}
#define CHECK(call) check((call), #call)

cl_platform_id find_platform(const std::string& part_of_name) {
  cl_uint count = 0;
  CHECK(clGetPlatformIDs(0, nullptr, &count));
  std::vector<cl_platform_id> all(count);
  CHECK(clGetPlatformIDs(count, all.data(), nullptr));
  for (cl_platform_id one : all) {
    char name[256] = "";
    clGetPlatformInfo(one, CL_PLATFORM_NAME, sizeof name, name, nullptr);
    if (std::string(name).find(part_of_name) != std::string::npos) return one;
  }
  throw std::runtime_error("no OpenCL platform is called " + part_of_name);
}

} // namespace

Subject opencl_launch(const std::string& platform) {
  cl_device_id device = nullptr;
  CHECK(clGetDeviceIDs(find_platform(platform), CL_DEVICE_TYPE_CPU, 1, &device, nullptr));
  cl_int code = 0;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  check(code, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
  check(code, "clCreateCommandQueue");
  const char* text = "kernel void empty() {}";
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &code);
  check(code, "clCreateProgramWithSource");
  CHECK(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  cl_kernel kernel = clCreateKernel(program, "empty", &code);
  check(code, "clCreateKernel");
  return [queue, kernel] {
    const size_t one = 1;
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr));
    CHECK(clFinish(queue));
  };
}

} // namespace zeroth::bench
