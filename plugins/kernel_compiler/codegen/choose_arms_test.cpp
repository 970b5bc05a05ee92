// Arms of branches on loaded data are computed and chosen between where work-items run one by one; what they compute
// stays what it was.
#include "choose_arms.hpp"
#include "testing/test_program.hpp"

#include <numeric>

#include <gtest/gtest.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>

namespace zeroth::codegen::testing {
namespace {

// A loop over n words of %in; %ARMS between "loaded" and "next", which give %r.
std::string loop(const std::string& arms, const std::string& after = "") {
  return R"(
define i32 @f(ptr %in, ptr %out, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %next ]
  %a = phi i32 [ 1, %entry ], [ %r, %next ]
  %p = getelementptr i32, ptr %in, i32 %i
  %v = load i32, ptr %p
)" + arms +
         R"(
  %i1 = add i32 %i, 1
  %more = icmp slt i32 %i1, %n
  br i1 %more, label %head, label %done
done:
  ret i32 %r
)" + after +
         "}\n";
}

const std::string Falling = loop(R"(
  %k = and i32 %v, 7
  switch i32 %k, label %other [ i32 0, label %zero
                                i32 1, label %one
                                i32 2, label %two
                                i32 3, label %two
                                i32 4, label %leave ]
zero:
  %a0 = add nsw i32 %a, %v
  br label %next
one:
  %a1 = xor i32 %a, %i
  br label %two
two:
  %b = phi i32 [ %a, %head ], [ %a, %head ], [ %a1, %one ]
  %a2 = sub nuw i32 %b, 3
  br label %next
other:
  %a3 = mul i32 %a, 5
  br label %next
next:
  %r = phi i32 [ %a0, %zero ], [ %a2, %two ], [ %a3, %other ])",
                                 "leave:\n  store i32 %a, ptr %out\n  ret i32 -1\n");

const std::string OneArm = loop(R"(
  %c = icmp slt i32 %v, 0
  br i1 %c, label %arm, label %next
arm:
  %a0 = sub i32 %a, %v
  br label %next
next:
  %r = phi i32 [ %a, %head ], [ %a0, %arm ])");

const std::string TwoValues = loop(R"(
  %c = icmp ugt i32 %v, 100
  br i1 %c, label %left, label %right
left:
  %a0 = sub i32 %a, %v
  br label %next
right:
  %a1 = add i32 %a, %i
  br label %next
next:
  %r = phi i32 [ %a0, %left ], [ %a1, %right ]
  %s = phi i32 [ %v, %left ], [ 7, %right ]
  store i32 %s, ptr %out)");

const std::string Stores = loop(R"(
  %c = icmp slt i32 %v, 0
  br i1 %c, label %arm, label %next
arm:
  store i32 %i, ptr %out
  br label %next
next:
  %r = phi i32 [ %a, %head ], [ %v, %arm ])");

const std::string Divides = loop(R"(
  %c = icmp ne i32 %v, 0
  br i1 %c, label %arm, label %next
arm:
  %q = udiv i32 1000, %v
  br label %next
next:
  %r = phi i32 [ %a, %head ], [ %q, %arm ])");

const std::string Counts = loop(R"(
  %c = icmp slt i32 %n, %i
  br i1 %c, label %arm, label %next
arm:
  %a0 = sub i32 %a, %v
  br label %next
next:
  %r = phi i32 [ %a, %head ], [ %a0, %arm ])");

class Chosen {
public:
  explicit Chosen(const std::string& text) : module_(parse(context_, text)) {
    choose_between_arms(*module_->getFunction("f"));
    std::string problem;
    llvm::raw_string_ostream stream(problem);
    EXPECT_FALSE(llvm::verifyModule(*module_, &stream)) << problem;
  }
  unsigned blocks() const { return unsigned(module_->getFunction("f")->size()); }

private:
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

TEST(ChooseArms, ArmsThatComputeLeaveAndOthersStay) {
  EXPECT_EQ(Chosen(Falling).blocks(), 5u); // entry, head, next, done, leave
  EXPECT_EQ(Chosen(OneArm).blocks(), 4u);
  EXPECT_EQ(Chosen(TwoValues).blocks(), 4u);
}

TEST(ChooseArms, WhatTouchesMemoryOrDividesIsNotDoneAlways) {
  EXPECT_EQ(Chosen(Stores).blocks(), 5u);
  EXPECT_EQ(Chosen(Divides).blocks(), 5u);
}

TEST(ChooseArms, BranchesOnWhatIsNotLoadedStay) { EXPECT_EQ(Chosen(Counts).blocks(), 5u); }

// Every work-item goes through a row of its own until its data ends it, so they run one by one.
constexpr std::string_view Kernel = R"(
declare i64 @zeroth.global_id(i32)
define spir_kernel void @rows(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %m) {
entry:
  %g = call i64 @zeroth.global_id(i32 0)
  %po = getelementptr i32, ptr addrspace(1) %out, i64 %g
  %g32 = trunc i64 %g to i32
  %start = mul i32 %g32, %m
  br label %outer
outer:
  %j = phi i32 [ 0, %entry ], [ %j1, %outer.next ]
  %s = phi i32 [ 1, %entry ], [ %s1, %outer.next ]
  %at = add i32 %start, %j
  %atl = sext i32 %at to i64
  %pc = getelementptr i32, ptr addrspace(1) %in, i64 %atl
  %count = load i32, ptr addrspace(1) %pc
  br label %head
head:
  %i = phi i32 [ 0, %outer ], [ %i1, %goes.on ]
  %a = phi i32 [ %s, %outer ], [ %r, %goes.on ]
  %row = add i32 %g32, %i
  %first = mul i32 %row, %m
  %where = add i32 %first, %j
  %wl = sext i32 %where to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %wl
  %v = load i32, ptr addrspace(1) %p
  %k = and i32 %v, 7
  switch i32 %k, label %other [ i32 0, label %zero
                                i32 1, label %one
                                i32 2, label %two
                                i32 4, label %leave ]
zero:
  %a0 = add nsw i32 %a, %v
  br label %next
one:
  %a1 = xor i32 %a, %i
  br label %two
two:
  %b = phi i32 [ %a, %head ], [ %a1, %one ]
  %a2 = sub nsw i32 %b, 3
  br label %next
other:
  %a3 = add i32 %a, 1
  br label %next
next:
  %r = phi i32 [ %a0, %zero ], [ %a2, %two ], [ %a3, %other ]
  %big = icmp sgt i32 %r, 900
  br i1 %big, label %leave2, label %goes.on
goes.on:
  %i1 = add i32 %i, 1
  %more = icmp slt i32 %i1, %count
  br i1 %more, label %head, label %outer.next
outer.next:
  %s1 = mul i32 %r, 3
  %j1 = add i32 %j, 1
  %rows = icmp slt i32 %j1, %m
  br i1 %rows, label %outer, label %done
leave:
  store i32 %a, ptr addrspace(1) %po
  ret void
leave2:
  store i32 %r, ptr addrspace(1) %po
  ret void
done:
  store i32 %s1, ptr addrspace(1) %po
  ret void
}
)";

constexpr int M = 8;

int row(const std::vector<int>& in, int g) {
  unsigned s = 1;
  for (int j = 0; j < M; ++j) {
    unsigned a = s;
    for (int i = 0, count = in [g * M + j];;) {
      const int v = in[(g + i) * M + j];
      switch (v & 7) {
      case 0:
        a += unsigned(v);
        break;
      case 1:
        a ^= unsigned(i);
        [[fallthrough]];
      case 2:
        a -= 3;
        break;
      case 4:
        return int(a);
      default:
        a += 1;
      }
      if (int(a) > 900) return int(a);
      if (++i >= count) break;
    }
    s = a * 3;
  }
  return int(s);
}

TEST(ChooseArms, RowsGiveWhatTheirArmsSay) {
  constexpr int Rows = 64;
  std::vector<int> in((Rows + 16) * M), out(Rows), expected(Rows);
  unsigned random = 12345;
  for (int& v : in) {
    random = random * 1664525 + 1013904223;
    v = int(random >> 28); // 0 to 15
    if (v == 4 && (random >> 20 & 3)) v = 9;
  }
  for (int g = 0; g < Rows; ++g) expected[g] = row(in, g);
  for (unsigned width : {0u, 1u, 16u}) {
    CompileOptions options;
    options.cpu = test_cpu();
    options.width = width;
    auto program = Program::from_text(Kernel, options);
    if (width == 0) {
      EXPECT_EQ(program->kernel("rows").width, 1u);
    }
    program->run("rows", Arguments().buffer(in).buffer(out).value(M), {{16, 1, 1}, {Rows / 16, 1, 1}});
    EXPECT_EQ(out, expected) << width;
  }
}

} // namespace
} // namespace zeroth::codegen::testing
