#include "../../kernel_abi.h"

#include <bit>
#include <cstdio>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

extern "C" int zeroth_print_format(const zeroth_launch*, zeroth_worker*, const char* format, const unsigned long* slots,
                                   unsigned count);

namespace {

std::string printed;

std::string format(const char* text, const std::vector<uint64_t>& slots) {
  zeroth_services services{};
  services.print = [](const zeroth_launch*, const char* piece, size_t length) { printed.append(piece, length); };
  zeroth_worker worker{&services, nullptr, nullptr, nullptr, 0, 0};
  zeroth_launch launch{};
  printed.clear();
  EXPECT_EQ(zeroth_print_format(&launch, &worker, text, slots.data(), static_cast<unsigned>(slots.size())), 0);
  return printed;
}
uint64_t slot(double value) { return std::bit_cast<uint64_t>(value); }
uint64_t slot(const char* text) { return reinterpret_cast<uint64_t>(text); }

template <class T> std::string by_libc(const std::string& spec, T value) {
  char text[4096];
  snprintf(text, sizeof text, spec.c_str(), value);
  return text;
}

// The device puts pieces together until one comes that is not full.
TEST(PrintFormat, EveryTextEndsWithAPieceThatIsNotFull) {
  static std::vector<size_t> pieces;
  zeroth_services services{};
  services.print = [](const zeroth_launch*, const char*, size_t length) { pieces.push_back(length); };
  zeroth_worker worker{&services, nullptr, nullptr, nullptr, 0, 0};
  zeroth_launch launch{};
  for (size_t length : {1u, 1023u, 1024u, 1025u, 2048u, 3000u}) {
    pieces.clear();
    const std::string text(length, 'x');
    zeroth_print_format(&launch, &worker, text.c_str(), nullptr, 0);
    ASSERT_FALSE(pieces.empty());
    EXPECT_LT(pieces.back(), 1024u) << length;
    pieces.pop_back();
    for (size_t piece : pieces) EXPECT_EQ(piece, 1024u) << length;
  }
}

TEST(PrintFormat, PlainTextPercentAndStrings) {
  EXPECT_EQ(format("", {}), "");
  EXPECT_EQ(format("a%%b\n", {}), "a%b\n");
  EXPECT_EQ(format("[%s]", {slot("")}), "[]");
  EXPECT_EQ(format("[%5s|%-5s|%.2s]", {slot("abc"), slot("abc"), slot("abc")}), "[  abc|abc  |ab]");
  EXPECT_EQ(format("%s", {0}), "(null)");
  EXPECT_EQ(format("%c%c", {'o', 'k'}), "ok");
  EXPECT_EQ(format("%", {}), "");
}

// OpenCL C 6.15.14: vectors are comma-separated, the length modifier gives the width of an element.
TEST(PrintFormat, Vectors) {
  EXPECT_EQ(format("%v4hld", {1, uint64_t(-2), 3, 4}), "1,-2,3,4");
  EXPECT_EQ(format("%v2hhx", {0xffffffffffffffff, 1}), "ff,1");
  EXPECT_EQ(format("%v2hx", {0xffffffffffffffff, 1}), "ffff,1");
  EXPECT_EQ(format("%v3lu", {1, 2, ~uint64_t{0}}), "1,2,18446744073709551615");
  EXPECT_EQ(format("%5.1v2f", {slot(1.25), slot(-2.0)}), "  1.2, -2.0");
  std::vector<uint64_t> sixteen(16, slot(1.5));
  EXPECT_EQ(format("%.1v16f", sixteen), "1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5");
}

TEST(PrintFormat, AskingForMoreThanThereIsPrintsZeros) { EXPECT_EQ(format("%d %d", {7}), "7 0"); }

TEST(PrintFormat, IntegersAreAsLibcPrintsThem) {
  std::mt19937_64 random(1);
  for (const char* flags : {"", "-", "+", " ", "0", "#", "-+", "+0", "#0", "-#"})
    for (const char* width : {"", "1", "12", "3"})
      for (const char* precision : {"", ".0", ".1", ".5", "."})
        for (char conversion : {'d', 'i', 'u', 'x', 'X', 'o'})
          for (int i = 0; i < 4; ++i) {
            const int value = i == 0 ? 0 : static_cast<int>(random() >> (random() % 32));
            const std::string spec = std::string("%") + flags + width + precision + conversion;
            EXPECT_EQ(format(spec.c_str(), {uint64_t(int64_t{value})}), by_libc(spec, value)) << spec << " " << value;
          }
  EXPECT_EQ(format("%ld", {uint64_t{1} << 63}), "-9223372036854775808");
  EXPECT_EQ(format("%p", {0xabc}), "0xabc");
}

TEST(PrintFormat, FloatsAreAsLibcPrintsThem) {
  std::mt19937_64 random(2);
  const double specials[] = {0.0,       -0.0,     1.0,    0.1,         0.5,  1.5,  2.5,    9.995,
                             9.9999995, 999999.5, 1e-5,   123456789.0, 1e22, 1e23, 5e-324, 1.7976931348623157e308,
                             -3.25,     1e100,    0.0001, 0.00001234};
  for (const char* flags : {"", "-", "+", " ", "0", "#", "+0"})
    for (const char* width : {"", "20"})
      for (const char* precision : {"", ".0", ".1", ".3", ".17", ".40"})
        for (char conversion : {'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A'}) {
          const std::string spec = std::string("%") + flags + width + precision + conversion;
          for (double value : specials) {
            // The rounded value has another exponent than the exact one: glibc 2.36 drops the zeros that '#' asks for.
            if (value == 999999.5 && *flags == '#' && (conversion | 0x20) == 'g') continue;
            EXPECT_EQ(format(spec.c_str(), {slot(value)}), by_libc(spec, value)) << spec << " " << value;
          }
          for (int i = 0; i < 20; ++i) {
            const double value = std::bit_cast<double>(random());
            if (value != value) continue;
            EXPECT_EQ(format(spec.c_str(), {slot(value)}), by_libc(spec, value)) << spec << " " << value;
          }
        }
  EXPECT_EQ(format("%f %5e %-6gx %F", {slot(1.0 / 0.0), slot(-1.0 / 0.0), slot(0.0 / 0.0), slot(1.0 / 0.0)}),
            by_libc("%f ", 1.0 / 0.0) + by_libc("%5e ", -1.0 / 0.0) + by_libc("%-6gx ", 0.0 / 0.0) + "INF");
}

TEST(PrintFormat, LongTextArrivesWhole) {
  const std::string longer(5000, 'x');
  EXPECT_EQ(format("<%s>", {slot(longer.c_str())}), "<" + longer + ">");
  EXPECT_EQ(format("%3000d", {1}).size(), 3000u);
}

} // namespace
