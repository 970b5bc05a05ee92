#include "services.hpp"

#include <gtest/gtest.h>
#include <string>
#include <thread>

namespace zeroth::cpu {
namespace {

using ::testing::internal::CaptureStdout;
using ::testing::internal::GetCapturedStdout;

void print(const std::string& piece) { kernel_services().print(nullptr, piece.data(), piece.size()); }

const std::string full(1024, 'a');

// Host threads synchronise, and with that flush, while a kernel is in the middle of a long text.
TEST(Printing, TextsAreWholeWhoeverFlushes) {
  CaptureStdout();
  print(full);
  std::thread([] {
    flush_printed();
    print("another's\n");
  }).join();
  print(full);
  flush_printed();
  print("end\n");
  EXPECT_EQ(GetCapturedStdout(), "another's\n" + full + full + "end\n");
}

TEST(Printing, ATextOfFullPiecesEndsWithAnEmptyOne) {
  CaptureStdout();
  print(full);
  print("");
  EXPECT_EQ(GetCapturedStdout(), full) << "without a flush, as at the end of a program";
}

} // namespace
} // namespace zeroth::cpu
