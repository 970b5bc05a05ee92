#include "perf_counter.hpp"

#include "../parse/perf_event.hpp"

#include <cerrno>
#include <cstring>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace zeroth::sysman {
namespace {

const std::string Pmus = "/sys/bus/event_source/devices/";

std::optional<std::uint64_t> config_of(const Root& root, const std::string& pmu, std::string_view terms) {
  const auto parsed = parse::event_terms(terms);
  std::optional<std::uint64_t> config = 0;
  for (std::size_t i = 0; parsed && config && i < parsed->size(); ++i) {
    const auto format = root.text(Pmus + pmu + "/format/" + std::string((*parsed)[i].name));
    config = format ? parse::with_field(*config, *format, (*parsed)[i].value) : std::nullopt;
  }
  return parsed ? config : std::nullopt;
}

Error refused(const std::string& name, int number) {
  if (number == EACCES || number == EPERM)
    return Error(ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS,
                 "{} may not be counted by user {}: the kernel lets only CAP_PERFMON count a whole machine while "
                 "/proc/sys/kernel/perf_event_paranoid is above 0",
                 name, ::geteuid())
        .advise("run as root, or grant the capability CAP_PERFMON");
  return Error(number == ENODEV || number == ENOENT || number == EOPNOTSUPP ? ZE_RESULT_ERROR_UNSUPPORTED_FEATURE
                                                                            : ZE_RESULT_ERROR_NOT_AVAILABLE,
               "{} cannot be counted: {}", name, std::strerror(number));
}

} // namespace

std::shared_ptr<const PerfCounter> PerfCounter::find(const Root& root, const std::string& pmu, int cpu,
                                                     const std::string& event, std::string_view terms) {
  const auto type = root.number(Pmus + pmu + "/type");
  const auto config = config_of(root, pmu, terms);
  if (!type || *type < 0 || !config) return nullptr;
  const SharedFile recorded = find_file(root, "/perf/" + pmu + "/" + event);
  if (root.recorded() && !recorded) return nullptr;
  return std::shared_ptr<const PerfCounter>(new PerfCounter(pmu + "/" + event, static_cast<std::uint32_t>(*type),
                                                            *config, cpu, root.recorded() ? recorded : nullptr));
}

PerfCounter::~PerfCounter() {
  if (const int open = file_.load(); open >= 0) ::close(open);
}

int PerfCounter::file() const {
  const int known = file_.load(std::memory_order_acquire);
  if (known >= 0) return known;
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = type_;
  attributes.config = config_;
  const int opened = static_cast<int>(::syscall(SYS_perf_event_open, &attributes, -1, cpu_, -1, PERF_FLAG_FD_CLOEXEC));
  if (opened < 0) throw refused(name_, errno);
  int none = -1;
  if (file_.compare_exchange_strong(none, opened)) return opened;
  ::close(opened); // another thread was quicker
  return none;
}

std::uint64_t PerfCounter::read() const {
  if (recorded_) return static_cast<std::uint64_t>(recorded_->integer());
  std::uint64_t count = 0;
  if (::read(file(), &count, sizeof count) != sizeof count) throw refused(name_, errno);
  return count;
}

} // namespace zeroth::sysman
