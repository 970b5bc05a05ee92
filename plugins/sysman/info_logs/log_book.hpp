// Collects the records of the process's info log and keeps them for each collection instance, in order.
//
// Sources are read by the threads that ask (a read, a peek, a listen for the event): nobody else runs for it. Any
// thread; one short lock. Records come from the kernel's log where it may be read, from the runtime itself (report) and
// from the option `extra_log`.
#pragma once

#include "line_source.hpp"
#include "record.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

struct zeroth_host;

namespace zeroth::sysman {

// Whether a driver's log tells of the device at a PCI address (LogRecord::pci). Asked with the book's lock held: it
// only compares.
using Interest = std::function<bool(const std::string& pci)>;

// What one collection instance holds.
struct Collection {
  std::string name;
  Interest interest;
  std::size_t most_bytes = 0;
  struct Kept {
    LogRecord record;
    std::vector<std::uint8_t> bytes;
  };
  std::deque<Kept> records;
  std::size_t bytes = 0;
  std::uint64_t dropped = 0; // since the last read or peek
};

class LogBook {
public:
  static LogBook& instance();

  // Throws HANDLE_OBJECT_IN_USE for a name that is taken. Collecting starts with the call.
  std::shared_ptr<Collection> start(const char* name, std::size_t most_bytes, Interest interest);
  void end(const std::shared_ptr<Collection>& collection);

  // A record of the runtime itself, about the device at a PCI address (empty: the host; NoDevice: none in particular).
  void report(zes_info_log_record_type_ext_t type, std::string text, std::string pci);

  // The process's log writes its warnings and errors here too: what the core and the drivers say of themselves.
  void watch(const zeroth_host* host);

  // Reads the sources.
  void collect();
  // The number of records of interest that were ever written.
  std::uint64_t written(const Interest& interest);

  // Runs with the lock held, so that a collection does not change meanwhile.
  template <class Body> auto look(Body body) {
    const std::lock_guard lock(mutex_);
    return body();
  }

private:
  LogBook();
  void open_sources();
  void add(LogRecord record);
  static void keep(Collection& collection, const LogRecord& record, const std::vector<std::uint8_t>& bytes);

  std::mutex mutex_; // guards everything below
  LineSource kernel_, extra_;
  std::vector<std::shared_ptr<Collection>> collections_;
  std::map<std::string, std::uint64_t> written_; // by device
  std::uint64_t last_number_ = 0;
};

} // namespace zeroth::sysman
