// libFuzzer target: any line of a log into a record, taken apart again by the sizes that the record itself states. A
// reader that trusts them must find the line and stay inside.
#include <sysman/info_logs/record.hpp>
#include <sysman/parse/log_line.hpp>

#include <cstdlib>
#include <cstring>

namespace {

using zeroth::sysman::LogRecord;

void demand(bool true_always) {
  if (!true_always) std::abort();
}

template <class T> T number(const std::vector<uint8_t>& record, std::size_t at) {
  demand(at + sizeof(T) <= record.size());
  T value = 0;
  std::memcpy(&value, record.data() + at, sizeof value);
  return value;
}

bool is_decimal(uint8_t byte) { return byte / 16 < 10 && byte % 16 < 10; }

// UEFI, appendix N.2: the header's length, one section, and where it lies.
void take_apart(const LogRecord& from) {
  const std::vector<uint8_t> record = zeroth::sysman::cper(from);
  demand(std::memcmp(record.data(), "CPER", 4) == 0);
  demand(number<uint32_t>(record, 20) == record.size());
  demand(number<uint16_t>(record, 10) == 1);
  demand(number<uint32_t>(record, 12) <= 3 && number<uint32_t>(record, 12) == number<uint32_t>(record, 128 + 48));
  for (std::size_t i = 24; i < 32; ++i) demand(i == 27 || is_decimal(record[i]));
  const std::size_t at = number<uint32_t>(record, 128), length = number<uint32_t>(record, 132);
  demand(at >= 200 && at + length == record.size() && length == from.text.size());
  demand(from.text.compare(0, length, reinterpret_cast<const char*>(record.data()) + at, length) == 0);
}

} // namespace

// The first 16 bytes are the record's time and number, the rest is the line.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  LogRecord record;
  std::string_view line(reinterpret_cast<const char*>(data), size);
  if (size >= 16) {
    std::memcpy(&record.nanoseconds, data, 8);
    std::memcpy(&record.number, data + 8, 8);
    line.remove_prefix(16);
  }
  for (const auto& parsed : {zeroth::sysman::parse::kernel_line(line), zeroth::sysman::parse::plain_line(line)}) {
    if (!parsed) continue;
    record.type = parsed->type;
    record.machine_check = parsed->machine_check;
    record.text = parsed->text;
    take_apart(record);
  }
  return 0;
}
