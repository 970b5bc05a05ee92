// Several accesses by 32-bit indices in one block: right where the indices run on and where they wrap around.
#include "../testing/test_program.hpp"

#include <sys/mman.h>

#include <gtest/gtest.h>

namespace zeroth::codegen::testing {
namespace {

// out[g] = in[i - 1] + 2 in[i + 1] + 4 in[3 - i] with i = start + g in wrapping 32-bit arithmetic; mid[i] counts up.
constexpr std::string_view Kernel = R"(
declare i64 @zeroth.global_id(i32)
define spir_kernel void @around(ptr addrspace(1) %in, ptr addrspace(1) %mid, ptr addrspace(1) %out, i32 %start) {
  %g = call i64 @zeroth.global_id(i32 0)
  %t = trunc i64 %g to i32
  %i = add i32 %t, %start
  %before = sub i32 %i, 1
  %b = sext i32 %before to i64
  %pb = getelementptr i8, ptr addrspace(1) %in, i64 %b
  %vb = load i8, ptr addrspace(1) %pb
  %after = add i32 %i, 1
  %a = sext i32 %after to i64
  %pa = getelementptr i8, ptr addrspace(1) %in, i64 %a
  %va = load i8, ptr addrspace(1) %pa
  %back = sub i32 3, %i
  %r = sext i32 %back to i64
  %pr = getelementptr i8, ptr addrspace(1) %in, i64 %r
  %vr = load i8, ptr addrspace(1) %pr
  %m = sext i32 %i to i64
  %pm = getelementptr i8, ptr addrspace(1) %mid, i64 %m
  %vm = load i8, ptr addrspace(1) %pm
  %vn = add i8 %vm, 1
  store i8 %vn, ptr addrspace(1) %pm
  %a2 = shl i8 %va, 1
  %r4 = shl i8 %vr, 2
  %s = add i8 %vb, %a2
  %v = add i8 %s, %r4
  %po = getelementptr i8, ptr addrspace(1) %out, i64 %g
  store i8 %v, ptr addrspace(1) %po
  ret void
})";

// All that a signed 32-bit index can reach; pages come when they are touched.
class Reach {
public:
  Reach() {
    void* memory = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    begin_ = memory == MAP_FAILED ? nullptr : static_cast<uint8_t*>(memory);
  }
  ~Reach() {
    if (begin_) munmap(begin_, Bytes);
  }
  Reach(const Reach&) = delete;
  explicit operator bool() const { return begin_; }
  uint8_t* middle() const { return begin_ + Bytes / 2; }

private:
  static constexpr size_t Bytes = (size_t(1) << 32) + 8192;
  uint8_t* begin_ = nullptr;
};

class HopefulBlock : public ::testing::TestWithParam<uint32_t> {};

TEST_P(HopefulBlock, AnswersWhereIndicesRunOnAndWhereTheyWrap) {
  CompileOptions options;
  options.width = GetParam();
  auto program = Program::from_text(Kernel, options);
  Reach in, mid;
  if (!in || !mid) GTEST_SKIP() << "no 8 GiB of address space";
  constexpr int count = 128;
  for (int32_t start : {1000, -70, INT32_MAX - 50, INT32_MIN + 3}) {
    auto index = [&](int g, int64_t more) { return int64_t(int32_t(uint32_t(start) + uint32_t(g) + uint32_t(more))); };
    auto back = [&](int g) { return int64_t(int32_t(3u - uint32_t(start) - uint32_t(g))); };
    for (int g = 0; g < count; ++g) {
      for (int64_t at : {index(g, -1), index(g, 1), back(g)}) in.middle()[at] = uint8_t(at * 37 >> 3);
      mid.middle()[index(g, 0)] = uint8_t(g);
    }
    std::vector<uint8_t> out(count);
    program->run("around", Arguments().value(in.middle()).value(mid.middle()).buffer(out).value(start),
                 {{64, 1, 1}, {count / 64, 1, 1}});
    auto value = [&](int64_t at) { return uint8_t(at * 37 >> 3); };
    for (int g = 0; g < count; ++g) {
      ASSERT_EQ(out[g], uint8_t(value(index(g, -1)) + 2 * value(index(g, 1)) + 4 * value(back(g))))
          << start << " " << g;
      ASSERT_EQ(mid.middle()[index(g, 0)], uint8_t(g + 1)) << start << " " << g;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, HopefulBlock, ::testing::Values(1, 4, 16, 64));

} // namespace
} // namespace zeroth::codegen::testing
