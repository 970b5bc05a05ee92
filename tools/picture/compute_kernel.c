/* Kernels from SPIR-V files. */
#include "compute.h"

#include <stdio.h>
#include <stdlib.h>

static uint8_t* read_file(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) {
    perror(path);
    exit(1);
  }
  *size = (size_t)ftell(file);
  rewind(file);
  uint8_t* bytes = malloc(*size + 1);
  if (!bytes || fread(bytes, 1, *size, file) != *size) {
    perror(path);
    exit(1);
  }
  fclose(file);
  return bytes;
}

static void print_build_log(ze_module_build_log_handle_t log) {
  size_t size = 0;
  if (zeModuleBuildLogGetString(log, &size, NULL) != ZE_RESULT_SUCCESS || size <= 1) return;
  char* text = malloc(size);
  if (zeModuleBuildLogGetString(log, &size, text) == ZE_RESULT_SUCCESS) fprintf(stderr, "%s\n", text);
  free(text);
}

compute_kernel_t compute_kernel_load(const compute_t* compute, const char* folder, const char* name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.spv", folder, name);
  size_t size;
  uint8_t* spirv = read_file(path, &size);
  const ze_module_desc_t module_desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                        .format = ZE_MODULE_FORMAT_IL_SPIRV,
                                        .inputSize = size,
                                        .pInputModule = spirv};
  const ze_kernel_desc_t kernel_desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};
  compute_kernel_t kernel = {0};
  ze_module_build_log_handle_t log = NULL;
  const double start = now_seconds();
  const ze_result_t result = zeModuleCreate(compute->context, compute->device, &module_desc, &kernel.module, &log);
  kernel.build_seconds = now_seconds() - start;
  if (result != ZE_RESULT_SUCCESS && log) print_build_log(log);
  compute_check(result, "zeModuleCreate");
  CHECK(zeModuleBuildLogDestroy(log));
  CHECK(zeKernelCreate(kernel.module, &kernel_desc, &kernel.kernel));
  free(spirv);
  return kernel;
}

void compute_kernel_free(compute_kernel_t* kernel) {
  CHECK(zeKernelDestroy(kernel->kernel));
  CHECK(zeModuleDestroy(kernel->module));
}

void compute_kernel_argument(compute_kernel_t* kernel, uint32_t index, size_t size, const void* value) {
  CHECK(zeKernelSetArgumentValue(kernel->kernel, index, size, value));
}
