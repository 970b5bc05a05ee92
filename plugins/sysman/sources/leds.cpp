// /sys/class/leds: lights of the machine. Those of keyboards and network ports (input…, mmc…, enp…) are not its own.
#include "sources.hpp"

#include "../parse/numbers.hpp"

#include <array>

namespace zeroth::sysman {
namespace {

bool is_machines(std::string_view name) {
  return name.find("::power") != std::string_view::npos || name.find(":status") != std::string_view::npos ||
         name.find(":fault") != std::string_view::npos || name.find(":indicator") != std::string_view::npos;
}

zes_led_color_t color_of(const ValueFile& file, double most) {
  std::array<char, 64> buffer;
  std::string_view text = file.read(buffer);
  std::array<double, 3> parts{-1, -1, -1};
  for (double& part : parts)
    if (const auto value = parse::integer(parse::next_word(text))) part = static_cast<double>(*value) / most;
  return {parts[0], parts[1], parts[2]};
}

} // namespace

void find_leds(const Root& root, Found& found) {
  const std::string all = "/sys/class/leds/";
  for (const std::string& name : root.names(all)) {
    const SharedFile level = find_file(root, all + name + "/brightness");
    const std::int64_t most = root.number(all + name + "/max_brightness").value_or(1);
    if (!level || most < 1 || !is_machines(name)) continue;
    LedSource light;
    light.on = [level] { return level->integer() > 0; };
    light.set_on = [level, most](bool on) { level->write(on ? most : 0); };
    if (const SharedFile colors = find_file(root, all + name + "/multi_intensity")) {
      light.color = [colors, most] { return color_of(*colors, static_cast<double>(most)); };
      light.set_color = [colors, most](zes_led_color_t color) {
        const auto part = [most](double value) { return std::to_string(static_cast<int>(value * double(most) + 0.5)); };
        colors->write(part(color.red) + " " + part(color.green) + " " + part(color.blue));
      };
    }
    found.leds.push_back(std::move(light));
  }
}

} // namespace zeroth::sysman
