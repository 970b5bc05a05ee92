// Kernels as people have them: SPIR-V files, or OpenCL C, which the clang of this machine turns into SPIR-V.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace zeroth::cli {

// Does anybody want to know source lines? clang's own SPIR-V target writes none; where the Khronos translator
// (llvm-spirv) of some clang is installed, that way is taken instead.
enum class Lines { Unwanted, Wanted };

// Who asks for -g wants them.
Lines lines_for(const std::string& build_flags);

// The SPIR-V of a file: compiled first when its name ends in ".cl", with `opencl_flags` added to clang's. Throws
// Failure with clang's own words, or saying that no clang is installed.
std::vector<std::byte> read_module(const std::filesystem::path& file, const std::string& opencl_flags,
                                   Lines lines = Lines::Unwanted);

} // namespace zeroth::cli
