// One runtime under test, driven line by line from stdin by bench/kernels, which interleaves several of these:
//   prepare CASE-INDEX   -> {"build": seconds}
//   time LAUNCHES        -> {"seconds": wall time of all}
//   latency N            -> {"median": seconds, "p99": seconds} of N launches, each waited for
//   sum                  -> {"sum": checksum of one launch over fresh buffers}
// Every answer is one line of JSON; {"error": text} when it failed.
#include "suite/runtime.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace zeroth::bench {

std::vector<char> read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

} // namespace zeroth::bench

namespace {

using namespace zeroth::bench;
using Json = nlohmann::json;

std::unique_ptr<Runtime> open_runtime(const std::string& kind, const std::string& kernels, const std::string& which) {
#ifdef ZEROTH_BENCH_OPENCL
  if (kind == "opencl") return open_opencl(kernels, which);
#endif
  if (kind == "level-zero") return open_level_zero(kernels, std::stoul(which));
  if (kind == "host") return open_host(which);
  throw std::runtime_error("this build knows no runtime " + kind);
}

// One launch at a time, each waited for.
Json latency(Runtime& runtime, size_t launches) {
  std::vector<double> times;
  for (size_t i = 0; i < launches; ++i) {
    const double start = now_seconds();
    runtime.launch(1);
    times.push_back(now_seconds() - start);
  }
  std::sort(times.begin(), times.end());
  return {{"median", times[launches / 2]}, {"p99", times[launches * 99 / 100]}};
}

Json answer(Runtime& runtime, const Case*& work, const std::string& line) {
  std::istringstream words(line);
  std::string verb;
  size_t number = 0;
  words >> verb >> number;
  if (verb == "prepare") {
    work = nullptr;
    const double seconds = runtime.prepare(all_cases().at(number));
    work = &all_cases().at(number);
    return {{"build", seconds}};
  }
  if (!work) throw std::runtime_error("prepare a case first");
  if (verb == "time") {
    const double start = now_seconds();
    runtime.launch(number);
    return {{"seconds", now_seconds() - start}};
  }
  if (verb == "latency") return latency(runtime, std::max<size_t>(number, 1));
  if (verb != "sum") throw std::runtime_error("unknown command " + line);
  runtime.refill();
  runtime.launch(1);
  const bool has_output = !work->arguments.empty();
  return {{"sum", has_output ? checksum(runtime.output(), work->output_type) : 0.0}};
}

void list_cases() {
  Json cases = Json::array();
  for (const Case& c : all_cases()) cases.push_back({{"name", c.name}, {"work", c.work}, {"unit", c.unit}});
  std::cout << cases.dump() << std::endl;
}

} // namespace

int main(int argc, char** argv) try {
  if (argc == 2 && std::string(argv[1]) == "list") return list_cases(), 0;
  if (argc != 4) throw std::runtime_error("usage: zeroth-bench-kernels list | KIND KERNEL-FOLDER DEVICE-OR-PLATFORM");
  const auto runtime = open_runtime(argv[1], argv[2], argv[3]);
  std::cout << Json{{"device", runtime->description()}}.dump() << std::endl;
  const Case* work = nullptr;
  for (std::string line; std::getline(std::cin, line);) {
    Json reply;
    try {
      reply = answer(*runtime, work, line);
    } catch (const std::exception& error) {
      reply = {{"error", error.what()}};
    }
    std::cout << reply.dump() << std::endl;
  }
  return 0;
} catch (const std::exception& error) {
  std::cout << Json{{"error", error.what()}}.dump() << std::endl;
  return 1;
}
