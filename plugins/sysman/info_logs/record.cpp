#include "record.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>

namespace zeroth::sysman {
namespace {

using Guid = std::array<std::uint8_t, 16>;

constexpr std::size_t HeaderSize = 128, DescriptorSize = 72;
constexpr std::uint32_t TimestampIsValid = 2;

// Notification types that the UEFI specification names.
constexpr Guid CorrectedMachineCheck = {0xb1, 0x8b, 0xce, 0x2d, 0xd7, 0xbd, 0x0e, 0x45,
                                        0xb9, 0xad, 0x9c, 0xf4, 0xeb, 0xd4, 0xf8, 0x90};
constexpr Guid MachineCheck = {0xfe, 0x6f, 0xf5, 0xe8, 0x9c, 0x91, 0xc5, 0x4c,
                               0xba, 0x88, 0x65, 0xab, 0xe1, 0x49, 0x13, 0xbb};

std::uint32_t severity(zes_info_log_record_type_ext_t type) {
  switch (type) {
  case ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_RECOVERABLE:
    return 0;
  case ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_FATAL:
    return 1;
  case ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_CORRECTED:
    return 2;
  default:
    return 3; // informational
  }
}

class Bytes {
public:
  explicit Bytes(std::size_t size) : bytes_(size, 0) {}
  template <class T> void put(std::size_t at, T value) {
    for (std::size_t i = 0; i < sizeof value; ++i)
      bytes_[at + i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i));
  }
  template <class Range> void copy(std::size_t at, const Range& from) {
    std::copy(from.begin(), from.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

private:
  std::vector<std::uint8_t> bytes_;
};

std::uint8_t bcd(int value) { return static_cast<std::uint8_t>(value / 10 % 10 * 16 + value % 10); }

// Seconds, minutes, hours, a flag, day, month, year, century.
std::array<std::uint8_t, 8> timestamp(std::uint64_t nanoseconds) {
  const auto seconds = static_cast<std::time_t>(nanoseconds / 1'000'000'000);
  std::tm time{};
  ::gmtime_r(&seconds, &time);
  const int year = time.tm_year + 1900;
  return {bcd(time.tm_sec),  bcd(time.tm_min),     bcd(time.tm_hour), 1,
          bcd(time.tm_mday), bcd(time.tm_mon + 1), bcd(year % 100),   bcd(year / 100)};
}

} // namespace

std::vector<std::uint8_t> cper(const LogRecord& record) {
  const std::size_t text_at = HeaderSize + DescriptorSize, size = text_at + record.text.size();
  const std::uint32_t level = severity(record.type);
  Bytes bytes(size);
  bytes.copy(0, std::string_view("CPER"));
  bytes.put<std::uint16_t>(4, 0x0101);
  bytes.put<std::uint32_t>(6, 0xffffffff);
  bytes.put<std::uint16_t>(10, 1);
  bytes.put<std::uint32_t>(12, level);
  bytes.put<std::uint32_t>(16, TimestampIsValid);
  bytes.put<std::uint32_t>(20, static_cast<std::uint32_t>(size));
  bytes.copy(24, timestamp(record.nanoseconds));
  bytes.copy(64, TextSection); // the creator
  if (record.machine_check) bytes.copy(80, level == 2 ? CorrectedMachineCheck : MachineCheck);
  bytes.put<std::uint64_t>(96, record.number);
  bytes.put<std::uint32_t>(HeaderSize, static_cast<std::uint32_t>(text_at));
  bytes.put<std::uint32_t>(HeaderSize + 4, static_cast<std::uint32_t>(record.text.size()));
  bytes.put<std::uint16_t>(HeaderSize + 8, 0x0100);
  bytes.copy(HeaderSize + 16, TextSection);
  bytes.put<std::uint32_t>(HeaderSize + 48, level);
  bytes.copy(text_at, record.text);
  return bytes.take();
}

} // namespace zeroth::sysman
