// Test helper: prints what a process of its rights makes of its configuration.
#include <iostream>

#include "config/load.hpp"
#include "config/trust.hpp"

int main() {
  const zeroth::Config config = zeroth::load_config(zeroth::LoadRequest::of_process());
  std::cout << "privileged: " << zeroth::process_is_privileged() << '\n' << "source: " << config.source << '\n';
  std::cout << "log: " << zeroth::level_name(config.log.level) << '\n';
  for (const auto& driver : config.drivers) std::cout << "driver: " << driver.name.value << '\n';
}
