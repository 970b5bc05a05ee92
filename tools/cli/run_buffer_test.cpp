#include "cli/run_buffer.hpp"

#include "cli/commands.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <unistd.h>

namespace zeroth::cli {
namespace {

class RunBuffer : public testing::Test {
protected:
  RunBuffer() { std::filesystem::create_directories(folder_); }
  ~RunBuffer() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path file(const char* name) const { return folder_ / name; }

  static std::vector<std::byte> floats(const std::vector<float>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
  }

private:
  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("zeroth_run_buffer_" + std::to_string(getpid()));
};

TEST_F(RunBuffer, TextAndBinaryComeBackAsTheyWent) {
  const auto bytes = floats({0.1f, -2.5e30f, 3});
  for (const char* name : {"values.txt", "values.bin"}) {
    write_buffer(file(name), bytes, ElementType::F32, 3, 1);
    EXPECT_EQ(read_buffer(file(name), ElementType::F32), bytes) << name;
  }
}

TEST_F(RunBuffer, ColourPicturesComeBackAsTheyWent) {
  std::vector<std::byte> rgb(4 * 2 * 3);
  for (size_t i = 0; i < rgb.size(); ++i) rgb[i] = std::byte(i * 10);
  write_buffer(file("p.png"), rgb, ElementType::U8, 4, 2);
  EXPECT_EQ(read_buffer(file("p.png"), ElementType::U8), rgb);
}

TEST_F(RunBuffer, GreyPicturesStretchOverTheRangeOfTheValues) {
  write_buffer(file("g.png"), floats({-1, 0, 1, 3}), ElementType::F32, 2, 2);
  const auto read = read_buffer(file("g.png"), ElementType::F32);
  EXPECT_FLOAT_EQ(element_value(read, ElementType::F32, 0), 0);
  EXPECT_NEAR(element_value(read, ElementType::F32, 1), 0.25, 0.01);
  EXPECT_NEAR(element_value(read, ElementType::F32, 3), 1, 1e-6);
}

TEST_F(RunBuffer, ProblemsNameTheFile) {
  const auto failure_of = [](const auto& action) -> std::string {
    try {
      action();
    } catch (const Failure& failure) {
      return failure.what();
    }
    return "";
  };
  EXPECT_NE(failure_of([&] { read_buffer(file("missing.bin"), ElementType::U8); }).find("missing.bin"),
            std::string::npos);
  EXPECT_NE(failure_of([&] { write_buffer(file("s.png"), floats({1}), ElementType::F32, 9, 9); }).find("s.png"),
            std::string::npos);
}

} // namespace
} // namespace zeroth::cli
