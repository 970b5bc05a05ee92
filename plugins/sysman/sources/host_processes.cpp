// Every process with memory of its own uses the processor and its memory. Threads of the kernel have none.
#include "sources.hpp"

#include "../parse/numbers.hpp"
#include "../parse/process.hpp"

#include <unistd.h>

namespace zeroth::sysman {

void find_host_processes(const Root& root, Found& found) {
  if (!root.exists("/proc/stat")) return;
  found.processes = [root] {
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    std::vector<ProcessUse> all;
    for (const std::string& name : root.names("/proc")) {
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      const auto text = root.text("/proc/" + name + "/statm");
      const auto pages = text ? parse::process_pages(*text) : std::nullopt;
      if (!pages || pages->resident == 0) continue;
      all.push_back({static_cast<std::uint32_t>(*parse::integer(name)), pages->resident * page, pages->shared * page,
                     ZES_ENGINE_TYPE_FLAG_COMPUTE});
    }
    return all;
  };
}

} // namespace zeroth::sysman
