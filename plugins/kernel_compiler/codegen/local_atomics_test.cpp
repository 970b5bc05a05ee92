// Atomics of local memory need no other thread's consent; those of global memory do.
#include "testing/test_program.hpp"

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

constexpr std::string_view Kernel = R"(
declare i64 @zeroth.global_id(i32)

define spir_kernel void @claim(ptr addrspace(SPACE) %flag, ptr addrspace(1) %out) {
  %i = call i64 @zeroth.global_id(i32 0)
  %place = getelementptr i32, ptr addrspace(SPACE) %flag, i64 %i
  store i32 0, ptr addrspace(SPACE) %place
  %old = atomicrmw add ptr addrspace(SPACE) %place, i32 5 seq_cst
  %pair = cmpxchg ptr addrspace(SPACE) %place, i32 5, i32 7 seq_cst seq_cst
  %seen = extractvalue { i32, i1 } %pair, 0
  %now = load i32, ptr addrspace(SPACE) %place
  %a = mul i32 %seen, 10
  %b = add i32 %a, %now
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 %b, ptr addrspace(1) %po
  ret void
}
)";

std::string in_space(const char* space) {
  std::string text(Kernel);
  for (size_t at; (at = text.find("SPACE")) != std::string::npos;) text.replace(at, 5, space);
  return text;
}

std::string final_ir(const char* space) {
  std::string ir;
  CompileOptions options;
  options.ir = &ir;
  Program::from_text(in_space(space), options);
  return ir.substr(ir.rfind("; ---- module"));
}

TEST(LocalAtomics, ArePlainAccesses) {
  const std::string ir = final_ir("3");
  EXPECT_EQ(ir.find("atomicrmw"), std::string::npos);
  EXPECT_EQ(ir.find("cmpxchg"), std::string::npos);
}

TEST(LocalAtomics, ThoseOfGlobalMemoryStay) {
  const std::string ir = final_ir("1");
  EXPECT_NE(ir.find("atomicrmw"), std::string::npos);
  EXPECT_NE(ir.find("cmpxchg"), std::string::npos);
}

TEST(LocalAtomics, MeanTheSame) {
  CompileOptions options;
  const auto program = Program::from_text(in_space("3"), options);
  std::vector<uint32_t> out(64);
  const KernelCode& code = program->kernel("claim");
  program->run("claim", Arguments().local(code.local_bytes, 256).buffer(out), {{64, 1, 1}, {1, 1, 1}});
  EXPECT_EQ(out, std::vector<uint32_t>(64, 57));
}

} // namespace
} // namespace zeroth::codegen::testing
