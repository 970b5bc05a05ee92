#include "hwmon.hpp"

#include "../parse/numbers.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace zeroth::sysman {
namespace {

constexpr std::int32_t FullSpeed = 255; // of pwmN

std::optional<double> degrees(const Root& root, const std::string& file) {
  const auto value = root.number(file);
  if (!value || *value <= 0 || *value > 1'000'000) return std::nullopt; // a few drivers give nonsense for "none"
  return static_cast<double>(*value) / 1000;
}

} // namespace

std::string Hwmon::file(std::string_view prefix, int number, std::string_view suffix) const {
  return fmt::format("{}/{}{}{}", folder, prefix, number, suffix);
}

std::vector<int> Hwmon::sensors(const Root& root, std::string_view prefix, std::string_view suffix) const {
  std::vector<int> numbers;
  for (const std::string& name : root.names(folder)) {
    if (!name.starts_with(prefix) || !name.ends_with(suffix)) continue;
    if (name.size() <= prefix.size() + suffix.size()) continue;
    const std::string middle = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
    if (middle.find_first_not_of("0123456789") == std::string::npos && middle.size() < 6)
      numbers.push_back(static_cast<int>(*parse::integer(middle)));
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::vector<Hwmon> hwmons(const Root& root, std::string_view folder) {
  std::vector<Hwmon> all;
  for (const std::string& entry : root.names(folder)) {
    std::string inside = std::string(folder) + "/" + entry;
    if (auto name = root.text(inside + "/name")) all.push_back({std::move(inside), *name});
  }
  return all;
}

TemperatureSource hwmon_temperature(const Root& root, const Hwmon& hwmon, int number, zes_temp_sensors_t type) {
  TemperatureSource sensor;
  sensor.type = type;
  sensor.celsius = scaled(find_file(root, hwmon.file("temp", number, "_input")), 0.001);
  sensor.critical = degrees(root, hwmon.file("temp", number, "_crit"));
  sensor.maximum = degrees(root, hwmon.file("temp", number, "_max"));
  if (!sensor.maximum) sensor.maximum = sensor.critical;
  return sensor;
}

FanSource hwmon_fan(const Root& root, const Hwmon& hwmon, int number) {
  FanSource fan;
  fan.rpm = divided<std::int32_t>(find_file(root, hwmon.file("fan", number, "_input")), 1);
  fan.highest_rpm = positive(root, hwmon.file("fan", number, "_max"), 1);
  const SharedFile duty = find_file(root, hwmon.file("pwm", number, ""));
  const SharedFile mode = find_file(root, hwmon.file("pwm", number, "_enable"));
  if (duty)
    fan.percent = [duty] { return (fitting<std::uint8_t>(duty->integer(), *duty) * 100 + FullSpeed / 2) / FullSpeed; };
  if (!duty || !mode) return fan;
  fan.mode = [mode] { return mode->integer() == 1 ? ZES_FAN_SPEED_MODE_FIXED : ZES_FAN_SPEED_MODE_DEFAULT; };
  fan.set_automatic = [mode] { mode->write(2); };
  fan.set_percent = [mode, duty](std::int32_t percent) {
    mode->write(1);
    duty->write(percent * FullSpeed / 100);
  };
  return fan;
}

} // namespace zeroth::sysman
