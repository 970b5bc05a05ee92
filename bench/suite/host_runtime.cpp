// Host kernels on threads that spin between launches, the work split evenly: no launch cost to speak of.
#include "suite/host_kernels.hpp"
#include "suite/runtime.hpp"

#include <atomic>
#include <cstring>
#include <sched.h>
#include <stdexcept>
#include <sys/mman.h>
#include <thread>

namespace zeroth::bench {
namespace {

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// Those it may run on: a run under taskset compares forms core by core.
unsigned cores_of_this_process() {
  cpu_set_t cores;
  return sched_getaffinity(0, sizeof cores, &cores) == 0 ? unsigned(CPU_COUNT(&cores)) : 1;
}

class Pool {
public:
  Pool() {
    for (unsigned i = 1; i < threads_; ++i) helpers_.emplace_back([this, i] { serve(i); });
  }
  ~Pool() {
    stop_ = true;
    ++ticket_;
    for (std::thread& helper : helpers_) helper.join();
  }
  void run(const HostKernel& kernel, const HostArguments& arguments) {
    kernel_ = &kernel, arguments_ = &arguments;
    left_ = threads_;
    ++ticket_;
    share(0);
    while (left_.load()) pause();
  }

private:
  void share(unsigned i) {
    const size_t pieces = kernel_->pieces(*arguments_);
    kernel_->run(*arguments_, pieces * i / threads_, pieces * (i + 1) / threads_);
    --left_;
  }
  void serve(unsigned i) {
    for (uint64_t seen = 0;;) {
      for (unsigned spins = 0; ticket_.load() == seen;)
        if (++spins < 100000)
          pause();
        else
          std::this_thread::sleep_for(std::chrono::microseconds(50)); // other runtimes have their turn
      seen = ticket_.load();
      if (stop_) return;
      share(i);
    }
  }

  const unsigned threads_ = cores_of_this_process();
  std::vector<std::thread> helpers_;
  const HostKernel* kernel_ = nullptr;
  const HostArguments* arguments_ = nullptr;
  std::atomic<bool> stop_{false};
  std::atomic<uint64_t> ticket_{0};
  std::atomic<unsigned> left_{0};
};

class Host : public Runtime {
public:
  using Find = const HostKernel* (*)(const std::string&);
  Host(Find find, std::string description) : find_(find), description_(std::move(description)) {}
  ~Host() override { drop(); }

  std::string description() const override { return description_; }

  double prepare(const Case& work) override {
    drop();
    kernel_ = find_(work.kernel);
    if (!kernel_) throw std::runtime_error("no such kernel here");
    case_ = &work;
    arguments_.width = work.global[0], arguments_.height = work.global[1];
    for (const Argument& argument : work.arguments) std::visit([&](const auto& value) { add(value); }, argument);
    refill();
    return 0;
  }

  void launch(size_t launches) override {
    for (size_t i = 0; i < launches; ++i) pool_.run(*kernel_, arguments_);
  }

  void refill() override {
    for (size_t i = 0; i < arguments_.buffers.size(); ++i)
      if (arguments_.buffers[i]) {
        const auto bytes = contents(std::get<Buffer>(case_->arguments[i]));
        std::memcpy(arguments_.buffers[i], bytes.data(), bytes.size());
      }
  }

  std::vector<std::byte> output() override {
    const auto* bytes = static_cast<const std::byte*>(arguments_.buffers[case_->output]);
    return {bytes, bytes + std::get<Buffer>(case_->arguments[case_->output]).bytes()};
  }

private:
  static constexpr size_t HugePage = size_t(2) << 20;
  static size_t room(size_t bytes) { return (bytes + HugePage - 1) / HugePage * HugePage; }

  void add(const Buffer& buffer) {
    void* memory = std::aligned_alloc(HugePage, room(buffer.bytes()));
    if (!memory) throw std::runtime_error("out of memory");
    madvise(memory, room(buffer.bytes()), MADV_HUGEPAGE);
    arguments_.buffers.push_back(memory);
    arguments_.numbers.push_back(0);
  }
  void add(const Picture&) { throw std::runtime_error("no images here"); }
  void add(const Sampling&) {}
  void add(const Local&) {
    arguments_.buffers.push_back(nullptr);
    arguments_.numbers.push_back(0);
  }
  template <class T> void add(T value) {
    arguments_.buffers.push_back(nullptr);
    arguments_.numbers.push_back(double(value));
  }
  void drop() {
    for (void* memory : arguments_.buffers) std::free(memory);
    arguments_ = {};
  }

  Find find_;
  std::string description_;
  const HostKernel* kernel_ = nullptr;
  const Case* case_ = nullptr;
  HostArguments arguments_;
  Pool pool_;
};

} // namespace

std::unique_ptr<Runtime> open_host(const std::string& which) {
  if (which == "hand") return std::make_unique<Host>(find_hand_kernel, "hand-written vectors");
  return std::make_unique<Host>(find_loop_kernel, "plain loops, " __VERSION__);
}

} // namespace zeroth::bench
