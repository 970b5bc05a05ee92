#include "cli/prometheus.hpp"

#include <fmt/format.h>

#include <map>

namespace zeroth::cli {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

struct Metric {
  const char* name;
  const char* type;
  const char* help;
};

class Page {
public:
  void add(const Metric& metric, const std::string& labels, double value) {
    std::string& lines = lines_[metric.name];
    if (lines.empty()) {
      order_.push_back(metric.name);
      lines = fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", metric.name, metric.help, metric.type);
    }
    lines += fmt::format("{}{{{}}} {}\n", metric.name, labels, value);
  }
  std::string text() const {
    std::string all;
    for (const char* name : order_) all += lines_.at(name);
    return all;
  }

private:
  std::vector<const char*> order_;
  std::map<std::string, std::string> lines_;
};

constexpr Metric Joules{"zeroth_power_joules_total", "counter", "Energy of a power domain."};
constexpr Metric Watts{"zeroth_power_watts", "gauge", "Power of a power domain."};
constexpr Metric Celsius{"zeroth_temperature_celsius", "gauge", "Temperature of a sensor."};
constexpr Metric Hertz{"zeroth_frequency_hertz", "gauge", "Present clock of a frequency domain."};
constexpr Metric Active{"zeroth_engine_active_seconds_total", "counter", "Time that a group of engines was busy."};
constexpr Metric Size{"zeroth_memory_size_bytes", "gauge", "Size of a memory."};
constexpr Metric Free{"zeroth_memory_free_bytes", "gauge", "Free part of a memory."};
constexpr Metric Turns{"zeroth_fan_rpm", "gauge", "Speed of a fan."};
constexpr Metric Errors{"zeroth_errors_total", "counter", "Errors that were counted."};

// Values named `key` in the list `part`, each with its number and its own label.
void add_list(Page& page, const Json& device, const std::string& labels, const char* part, const char* key,
              const char* label, const Metric& metric, double factor = 1) {
  if (!device.contains(part)) return;
  std::size_t number = 0;
  for (const Json& item : device[part]) {
    const std::size_t mine = number++;
    if (!item.contains(key)) continue;
    std::string own = labels + fmt::format(",number=\"{}\"", mine);
    if (label && item.contains(label)) own += fmt::format(",{}=\"{}\"", label, escaped(plain(item[label])));
    page.add(metric, own, item[key].get<double>() * factor);
  }
}

void add_errors(Page& page, const Json& device, const std::string& labels) {
  if (!device.contains("errors")) return;
  for (const Json& set : device["errors"])
    for (const auto& [category, count] : set.items())
      if (category != "kind")
        page.add(Errors, labels + fmt::format(",kind=\"{}\",category=\"{}\"", plain(set["kind"]), escaped(category)),
                 count.get<double>());
}

} // namespace

std::string prometheus_text(const std::vector<Json>& devices) {
  Page page;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const Json& device = devices[i];
    const std::string labels =
        fmt::format("device=\"{}\",name=\"{}\",uuid=\"{}\"", i, escaped(plain(device.value("name", Json("")))),
                    plain(device.value("uuid", Json(""))));
    add_list(page, device, labels, "power", "joules", "domain", Joules);
    add_list(page, device, labels, "power", "watts", "domain", Watts);
    add_list(page, device, labels, "temperature", "celsius", "sensor", Celsius);
    add_list(page, device, labels, "frequency", "MHz", "domain", Hertz, 1e6);
    add_list(page, device, labels, "engine", "active seconds", "group", Active);
    add_list(page, device, labels, "memory", "bytes", "where", Size);
    add_list(page, device, labels, "memory", "free bytes", "where", Free);
    add_list(page, device, labels, "fan", "rpm", nullptr, Turns);
    add_errors(page, device, labels);
  }
  return page.text();
}

} // namespace zeroth::cli
