// Something that is done once after a pause and timed.
#pragma once
#include <functional>
#include <string>

namespace zeroth::bench {

using Subject = std::function<void()>;

// An empty kernel on an immediate list of the first device, and a wait for the list.
Subject level_zero_launch(const std::string& kernels);

// The same on a queue of the CPU of the platform whose name has `platform` in it.
Subject opencl_launch(const std::string& platform);

// Nothing but touching: so many cache lines of data, scattered over pages as an allocator's are, and so many of code,
// each jumping to the next. What the pause has cost the caches and the address translation, and no runtime.
Subject bare_touch(unsigned data_lines, unsigned code_lines);

} // namespace zeroth::bench
