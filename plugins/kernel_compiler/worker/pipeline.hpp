// One compile from request to finished file: read, link modules and built-ins, vectorise and emit, link, seal.
#pragma once

#include "../client/protocol.hpp"
#include "build_log.hpp"

namespace zeroth::compiler {

// Call once per process before anything else of this header (and before forking, so that every compile finds it done).
void initialize_pipeline();

// The native binary. Throws BuildError; what was worth saying before is in `log`.
std::vector<std::byte> build(const WorkerRequest& request, const std::string& compiler_id, BuildLog& log);

} // namespace zeroth::compiler
