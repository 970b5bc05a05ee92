// /sys/class/leds: lights of the machine. Those of keyboards and network ports (input…, mmc…, enp…) are not its own.
#include "sources.hpp"

#include "../parse/numbers.hpp"

#include <algorithm>
#include <array>

namespace zeroth::sysman {
namespace {

bool is_machines(std::string_view name) {
  return name.find("::power") != std::string_view::npos || name.find(":status") != std::string_view::npos ||
         name.find(":fault") != std::string_view::npos || name.find(":indicator") != std::string_view::npos;
}

// Which number of `multi_intensity` is red, green and blue: the file multi_index names them in the driver's order.
using Order = std::array<std::size_t, 3>;

std::optional<Order> order_of(std::string_view names) {
  constexpr std::array<std::string_view, 3> Wanted = {"red", "green", "blue"};
  Order order{3, 3, 3};
  for (std::size_t place = 0; place < Wanted.size(); ++place) {
    const std::string_view name = parse::next_word(names);
    for (std::size_t i = 0; i < Wanted.size(); ++i)
      if (name == Wanted[i]) order[i] = place;
  }
  const bool others = !parse::trimmed(names).empty() || std::find(order.begin(), order.end(), 3) != order.end();
  return others ? std::nullopt : std::optional(order);
}

zes_led_color_t color_of(const ValueFile& file, const Order& order, double most) {
  std::array<char, 64> buffer;
  std::string_view text = file.read(buffer);
  std::array<double, 3> parts{};
  for (double& part : parts) {
    const auto value = parse::integer(parse::next_word(text));
    if (!value) throw Error(ZE_RESULT_ERROR_NOT_AVAILABLE, "{} does not hold three intensities", file.path());
    part = std::clamp(static_cast<double>(*value) / most, 0.0, 1.0);
  }
  return {parts[order[0]], parts[order[1]], parts[order[2]]};
}

std::string intensities(const zes_led_color_t& color, const Order& order, double most) {
  const std::array<double, 3> wanted = {color.red, color.green, color.blue};
  std::array<std::string, 3> parts;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!(wanted[i] >= 0 && wanted[i] <= 1))
      throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} lies outside of 0 to 1", wanted[i]);
    parts[order[i]] = std::to_string(static_cast<std::int64_t>(wanted[i] * most + 0.5));
  }
  return parts[0] + " " + parts[1] + " " + parts[2];
}

// Lights with other colours than these three have none that the API could tell.
void add_colors(const Root& root, const std::string& folder, std::int64_t most, LedSource& light) {
  const SharedFile colors = find_file(root, folder + "/multi_intensity");
  const auto order = order_of(root.text(folder + "/multi_index").value_or(""));
  if (!colors || !order) return;
  const auto full = static_cast<double>(most);
  light.color = [colors, order = *order, full] { return color_of(*colors, order, full); };
  light.set_color = [colors, order = *order, full](zes_led_color_t color) {
    colors->write(intensities(color, order, full));
  };
}

} // namespace

void find_leds(const Root& root, Found& found) {
  const std::string all = "/sys/class/leds/";
  for (const std::string& name : root.names(all)) {
    const std::string folder = all + name;
    const SharedFile level = find_file(root, folder + "/brightness");
    const std::int64_t most = root.number(folder + "/max_brightness").value_or(1);
    if (!level || most < 1 || !is_machines(name)) continue;
    LedSource light;
    light.on = [level] { return level->integer() > 0; };
    light.set_on = [level, most](bool on) { level->write(on ? most : 0); };
    add_colors(root, folder, most, light);
    found.leds.push_back(std::move(light));
  }
}

} // namespace zeroth::sysman
