// Reading the function metadata of the dialect.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Function;
}

namespace zeroth::codegen {

std::array<uint32_t, 3> required_group_size(const llvm::Function& kernel); // zeros: none
uint32_t required_sub_group_size(const llvm::Function& kernel);            // 0: none

struct ArgumentPlace {
  bool local = false; // a byte offset into work-group memory instead of a value
  uint64_t size = 0;
  uint64_t alignment = 1;
  uint64_t offset = 0;
  uint64_t descriptor_size = 0; // of an image or sampler: bytes behind the pointer that can always be read
};

// Where each argument lies in the block: from !zeroth.arguments, else natural alignment in order.
// Throws CodegenError when the metadata does not fit the function.
std::vector<ArgumentPlace> argument_places(const llvm::Function& kernel);

} // namespace zeroth::codegen
