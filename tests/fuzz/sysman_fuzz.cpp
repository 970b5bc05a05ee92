// libFuzzer target: any bytes as any of the kernel's texts. Beyond memory errors it looks for inventions: a view that
// points outside of the text, a number that the API has no room for.
#include <sysman/parse/aer.hpp>
#include <sysman/parse/clock_list.hpp>
#include <sysman/parse/dmi.hpp>
#include <sysman/parse/fdinfo.hpp>
#include <sysman/parse/interrupts.hpp>
#include <sysman/parse/log_line.hpp>
#include <sysman/parse/memory_type.hpp>
#include <sysman/parse/numbers.hpp>
#include <sysman/parse/pci.hpp>
#include <sysman/parse/perf_event.hpp>
#include <sysman/parse/proc_stat.hpp>
#include <sysman/parse/process.hpp>
#include <sysman/parse/uevent.hpp>

#include <cstdlib>
#include <cstring>
#include <memory>

namespace {

using namespace zeroth::sysman::parse;

void demand(bool true_always) {
  if (!true_always) std::abort();
}

bool lies_in(std::string_view part, std::string_view whole) {
  return part.empty() || (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

void numbers(std::string_view text) {
  integer(text), hexadecimal(text), trailing_number(text), pci_address(text), kibibytes_of(text, "MemFree");
  if (const auto value = decimal(text)) demand(*value > -1e300 && *value < 1e300);
  if (const auto value = value_of(text, "cpu MHz")) demand(lies_in(*value, text));
  if (const auto generation = pci_generation(text)) demand(pci_bandwidth(*generation, 16) > 0);
  busy_ticks(text, "cpu"), interrupts(text, "MCE"), memory_type(text), process_pages(text), link_errors(text);
}

void lists(std::string_view text) {
  const ClockList clocks = clock_list(text);
  for (std::size_t i = 1; i < clocks.clocks.size(); ++i) demand(clocks.clocks[i - 1] <= clocks.clocks[i]);
  for (const auto& bar : pci_bars(text)) demand(bar.size > 1);
  drm_client(text);
  for (const int cpu : cpu_list(text)) demand(cpu >= 0 && cpu < 4096);
}

void notices(std::string_view text) {
  for (const auto& line : {kernel_line(text), plain_line(text)})
    if (line) demand(lies_in(line->text, text));
  if (const auto event = uevent(text))
    demand(lies_in(event->action, text) && lies_in(event->path, text) && lies_in(event->pci, event->path));
  if (const auto device = memory_device(text)) demand(lies_in(device->locator, text) && lies_in(device->vendor, text));
}

void counters(std::string_view text) {
  if (const auto terms = event_terms(text))
    for (const EventTerm& term : *terms) demand(lies_in(term.name, text) && !term.name.empty());
  with_field(0, text, 7);
  if (const auto bytes = bytes_per_count(text, "MiB")) demand(*bytes > 0);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::unique_ptr<char[]> bytes(new char[size]); // nothing follows: the sanitizer sees a byte too many
  if (size > 0) std::memcpy(bytes.get(), data, size);
  const std::string_view text(bytes.get(), size);
  numbers(text), lists(text), notices(text), counters(text);
  return 0;
}
