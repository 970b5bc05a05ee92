// Kernels have as many forms as differ in what they can do, and forms know what holds for the launches that they serve.
#include "testing/test_program.hpp"

#include "target_machine.hpp"

#include <numeric>

#include <llvm/Target/TargetMachine.h>

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

// scattered: out[(5 id) & mask] = sum of in[(id + 7 i) & mask]; running: out[id] = sum of in[id + i mask]; i < rounds
constexpr std::string_view Sums = R"(
declare i64 @zeroth.global_id(i32)
define spir_kernel void @scattered(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %mask, i32 %rounds) {
  %id = call i64 @zeroth.global_id(i32 0)
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at = phi i64 [ %id, %0 ], [ %further, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %more, %loop ]
  %place = and i64 %at, %mask
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %place
  %v = load i32, ptr addrspace(1) %p
  %more = add i32 %sum, %v
  %further = add i64 %at, 7
  %next = add i32 %i, 1
  %goes.on = icmp ult i32 %next, %rounds
  br i1 %goes.on, label %loop, label %end
end:
  %fifth = mul i64 %id, 5
  %to = and i64 %fifth, %mask
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %to
  store i32 %more, ptr addrspace(1) %po
  ret void
}
define spir_kernel void @running(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %step, i32 %rounds) {
  %id = call i64 @zeroth.global_id(i32 0)
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at = phi i64 [ %id, %0 ], [ %further, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %more, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %at
  %v = load i32, ptr addrspace(1) %p
  %more = add i32 %sum, %v
  %further = add i64 %at, %step
  %next = add i32 %i, 1
  %goes.on = icmp ult i32 %next, %rounds
  br i1 %goes.on, label %loop, label %end
end:
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %more, ptr addrspace(1) %po
  ret void
}
)";

// out[id] = in[2 * first of the sub-group + number in it], by division as kernels of dpnp have it
constexpr std::string_view SubGroups = R"(
declare i64 @zeroth.global_id(i32)
declare i32 @zeroth.sub_group_size()
define spir_kernel void @apart(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %id = call i64 @zeroth.global_id(i32 0)
  %s = call i32 @zeroth.sub_group_size()
  %size = zext i32 %s to i64
  %before = udiv i64 %id, %size
  %first = mul i64 %before, %size
  %lane = sub i64 %id, %first
  %twice = mul i64 %first, 2
  %from = add i64 %twice, %lane
  %pi = getelementptr i32, ptr addrspace(1) %in, i64 %from
  %v = load i32, ptr addrspace(1) %pi
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %v, ptr addrspace(1) %po
  ret void
}
)";

// The entry names a group function for each form.
size_t forms_of(std::string_view text, std::string_view kernel) {
  std::string ir, define = "define dso_local void @zeroth_kernel." + std::string(kernel);
  CompileOptions options;
  options.cpu = test_cpu();
  options.ir = &ir;
  llvm::LLVMContext context;
  auto module = parse(context, text);
  compile_to_object(*module, options);
  ir.erase(0, ir.find(ModuleHeading));
  ir.erase(0, ir.find(define));
  ir.erase(ir.find("\n}"));
  size_t count = 0;
  for (size_t at = ir.find(".group"); at != ir.npos; at = ir.find(".group", at + 1)) ++count;
  return count;
}

TEST(UnmaskedGain, KernelsOfScatteredAccessesHaveOneForm) {
  EXPECT_EQ(forms_of(Sums, "scattered"), 1u);
  EXPECT_EQ(forms_of(Sums, "running"), 2u);
}

TEST(UnmaskedGain, OneFormServesGroupsOfAllSizesAndOffsets) {
  auto program = Program::from_text(Sums);
  constexpr uint64_t mask = 1023;
  std::vector<int32_t> in(mask + 1);
  std::iota(in.begin(), in.end(), 3);
  for (uint32_t size : {1u, 5u, 16u, 64u, 100u, 256u})
    for (uint64_t offset : {0u, 3u}) {
      std::vector<int32_t> out(mask + 1, -1), expected(mask + 1, -1);
      Launch launch{{size, 1, 1}, {3, 1, 1}, {offset, 0, 0}, 1};
      const uint32_t rounds = 9;
      Arguments arguments;
      arguments.buffer(in).buffer(out).value(mask).value(rounds);
      program->run("scattered", arguments, launch);
      for (uint64_t id = offset; id < offset + 3 * size; ++id) {
        int32_t sum = 0;
        for (uint32_t i = 0; i < rounds; ++i) sum += in[(id + 7 * i) & mask];
        expected[(5 * id) & mask] = sum;
      }
      EXPECT_EQ(out, expected) << size << " work-items from " << offset;
    }
}

TEST(SubGroupSize, IsAConstantWhereNoSubGroupIsPartial) {
  auto program = Program::from_text(SubGroups);
  EXPECT_EQ(program->kernel("apart").report.gathers, 0u);
  const uint32_t lanes = program->kernel("apart").sub_group_size;
  for (uint32_t size : {lanes, 4 * lanes, 4 * lanes + 3, lanes / 2 + 1}) {
    std::vector<int32_t> in(2 * size + lanes), out(size, -1), expected(size);
    std::iota(in.begin(), in.end(), 0);
    program->run("apart", Arguments().buffer(in).buffer(out), {{size, 1, 1}, {1, 1, 1}, {0, 0, 0}, 1});
    for (uint32_t id = 0; id < size; ++id) {
      const uint32_t own = std::min(lanes, size - id / lanes * lanes), first = id / own * own;
      expected[id] = int32_t(2 * first + (id - first));
    }
    EXPECT_EQ(std::vector(out.begin(), out.begin() + size / lanes * lanes),
              std::vector(expected.begin(), expected.begin() + size / lanes * lanes))
        << size;
  }
}

// Each branch that parts work-items takes a mask of each part.
TEST(VectorCost, LoopsWithManyMasksHaveFewParts) {
  std::string body;
  for (int i = 0; i < 6; ++i) {
    const std::string n = std::to_string(i), next = std::to_string(i + 1);
    body += "b" + n + ":\n  %v" + n + " = phi i32 [ " +
            (i ? "%w" + std::to_string(i - 1) + ", %t" + std::to_string(i - 1) + " ], [ %v" + std::to_string(i - 1) +
                     ", %b" + std::to_string(i - 1) + " ]"
               : std::string("%id, %0 ], [ %v6, %b6 ]")) +
            "\n";
    if (!i) body += "  %i = phi i32 [ 0, %0 ], [ %next, %b6 ]\n";
    body += "  %a" + n + " = and i32 %v" + n + ", " + std::to_string(1 << i) + "\n  %c" + n + " = icmp eq i32 %a" + n +
            ", 0\n  br i1 %c" + n + ", label %b" + next + ", label %t" + n + "\nt" + n + ":\n  %q" + n +
            " = getelementptr i32, ptr addrspace(1) %out, i32 %v" + n + "\n  %w" + n +
            " = load i32, ptr addrspace(1) %q" + n + "\n  br label %b" + next + "\n";
  }
  const std::string text =
      "declare i64 @zeroth.global_id(i32)\ndefine spir_kernel void @parting(ptr addrspace(1) %out) "
      "{\n  %id64 = call i64 @zeroth.global_id(i32 0)\n  %id = trunc i64 %id64 to i32\n"
      "  br label %b0\n" +
      body +
      "b6:\n  %v6 = phi i32 [ %w5, %t5 ], [ %v5, %b5 ]\n  %next = add i32 %i, 1\n"
      "  %ends = icmp eq i32 %next, 100\n  br i1 %ends, label %end, label %b0\nend:\n"
      "  %p = getelementptr i32, ptr addrspace(1) %out, i64 %id64\n"
      "  store i32 %v6, ptr addrspace(1) %p\n  ret void\n}\n";
  auto program = Program::from_text(text);
  EXPECT_EQ(program->kernel("parting").width, vector_bits(*create_target_machine(test_cpu())) / 32);
}

// if (v[i] > 5) v[i] -= 5, else if (v[i] < 0) v[i] += k, for i = id, id + size … below n
constexpr std::string_view Strides = R"(
declare i64 @zeroth.global_id(i32)
declare i64 @zeroth.global_size(i32)
define spir_kernel void @strides(ptr addrspace(1) %v, i64 %n, i32 %k) {
  %id = call i64 @zeroth.global_id(i32 0)
  %size = call i64 @zeroth.global_size(i32 0)
  %some = icmp ult i64 %id, %n
  br i1 %some, label %loop, label %end
loop:
  %i = phi i64 [ %id, %0 ], [ %next, %latch ]
  %p = getelementptr i32, ptr addrspace(1) %v, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %large = icmp sgt i32 %x, 5
  br i1 %large, label %less, label %others
less:
  %x5 = sub i32 %x, 5
  store i32 %x5, ptr addrspace(1) %p
  br label %latch
others:
  %negative = icmp slt i32 %x, 0
  br i1 %negative, label %more, label %latch
more:
  %xk = add i32 %x, %k
  store i32 %xk, ptr addrspace(1) %p
  br label %latch
latch:
  %next = add i64 %i, %size
  %goes.on = icmp ult i64 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
})";

TEST(VectorCost, LoopsOfStridesKeepWideSlicesForWhatLiesBetweenThem) {
  auto program = Program::from_text(Strides);
  EXPECT_GT(program->kernel("strides").width, vector_bits(*create_target_machine(test_cpu())) / 32);
}

} // namespace
} // namespace zeroth::codegen::testing
