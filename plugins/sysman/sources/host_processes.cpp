// Every process with memory of its own uses the processor and its memory. Threads of the kernel have none.
#include "sources.hpp"

#include "../files/numbered_folder.hpp"
#include "../parse/process.hpp"

#include <unistd.h>

namespace zeroth::sysman {

void find_host_processes(const Root& root, Found& found) {
  if (!root.exists("/proc/stat")) return;
  found.processes = [root] {
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    std::vector<ProcessUse> all;
    for (NumberedFolder process(root, "/proc/"); process.next();) {
      const auto pages = parse::process_pages(process.text("/statm"));
      if (!pages || pages->resident == 0) continue;
      all.push_back({process.number(), pages->resident * page, pages->shared * page, ZES_ENGINE_TYPE_FLAG_COMPUTE});
    }
    return all;
  };
}

} // namespace zeroth::sysman
