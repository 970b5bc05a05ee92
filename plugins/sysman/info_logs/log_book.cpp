#include "log_book.hpp"

#include "../events/bell.hpp"
#include "../overlay/settings.hpp"
#include "../parse/log_line.hpp"

#include <sdk/error.hpp>
#include <sdk/zeroth_plugin.h>

#include <chrono>

namespace zeroth::sysman {
namespace {

std::uint64_t now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
}

// A driver's error is a fault of its device or its work that the process survived.
void take_line(void* book, zeroth_log_level level, const char* text, size_t size) noexcept try {
  const auto type = level <= ZEROTH_LOG_ERROR ? ZES_INFO_LOG_RECORD_TYPE_EXT_ERROR_RECOVERABLE
                                              : ZES_INFO_LOG_RECORD_TYPE_EXT_INFORMATIONAL;
  static_cast<LogBook*>(book)->report(type, std::string(text, size), NoDevice);
} catch (...) { // a record that there is no memory for is lost
}

} // namespace

LogBook::LogBook() : kernel_(settings().root.path("/dev/kmsg")), extra_(settings().extra_log) {}

LogBook& LogBook::instance() {
  static LogBook& only = *new LogBook;
  return only;
}

void LogBook::open_sources() {
  kernel_.open();
  extra_.open();
}

std::shared_ptr<Collection> LogBook::start(const char* name, std::size_t most_bytes, Interest interest) {
  auto made = std::make_shared<Collection>();
  made->name = name ? name : "";
  made->interest = std::move(interest);
  made->most_bytes = most_bytes;
  collect(); // what came before belongs to those who collected then
  const std::lock_guard lock(mutex_);
  for (const auto& other : collections_)
    if (name && other->name == made->name)
      throw Error(ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, "an instance named {} collects already", made->name);
  collections_.push_back(made);
  return made;
}

void LogBook::end(const std::shared_ptr<Collection>& collection) {
  const std::lock_guard lock(mutex_);
  std::erase(collections_, collection);
}

// The oldest records give way.
void LogBook::keep(Collection& collection, const LogRecord& record, const std::vector<std::uint8_t>& bytes) {
  if (bytes.size() > collection.most_bytes) {
    ++collection.dropped;
    return;
  }
  while (collection.bytes + bytes.size() > collection.most_bytes) {
    collection.bytes -= collection.records.front().bytes.size();
    collection.records.pop_front();
    ++collection.dropped;
  }
  collection.records.push_back({record, bytes});
  collection.bytes += bytes.size();
}

void LogBook::add(LogRecord record) {
  record.number = ++last_number_;
  record.nanoseconds = now();
  ++written_[record.pci];
  const std::vector<std::uint8_t> bytes = cper(record);
  for (const auto& collection : collections_)
    if (collection->interest(record.pci)) keep(*collection, record, bytes);
}

void LogBook::report(zes_info_log_record_type_ext_t type, std::string text, std::string pci) {
  {
    const std::lock_guard lock(mutex_);
    add({type, std::move(text), std::move(pci)});
  }
  bell().ring();
}

void LogBook::watch(const zeroth_host* host) {
  if (ZEROTH_HAS_MEMBER(zeroth_host, host, watch_log) && host->watch_log)
    host->watch_log(host, ZEROTH_LOG_WARNING, take_line, this);
}

std::uint64_t LogBook::written(const Interest& interest) {
  const std::lock_guard lock(mutex_);
  std::uint64_t sum = 0;
  for (const auto& [pci, count] : written_)
    if (interest(pci)) sum += count;
  return sum;
}

void LogBook::collect() {
  const std::lock_guard lock(mutex_);
  open_sources();
  const auto take = [this](const std::optional<parse::LogLine>& line) {
    if (line) add({line->type, std::string(line->text), "", line->machine_check});
  };
  kernel_.read([&](std::string_view line) { take(parse::kernel_line(line)); });
  extra_.read([&](std::string_view line) { take(parse::plain_line(line)); });
}

} // namespace zeroth::sysman
