// What this process has initialised: the one state machine behind zeInit, zeInitDrivers, zesInit and enumeration.
//
//            first init call               every later one: a few loads
//   Cold ───────────────────► Discovering ───────────────────► Ready
//    ▲        (one thread;          │  no driver, or an exception
//    │         others wait)         ▼
//    ├────────────────────────── Cold again: the next init call tries anew
//    │
//    └── in the child of a fork, from any state; all handles of the parent answer ZE_RESULT_ERROR_DEVICE_LOST
//
//   Ready carries three facts that only grow: which families were initialised (Core by zeInit and zeInitDrivers, Sysman
//   by zesInit, or by zeInit with ZES_ENABLE_SYSMAN=1), which device types were asked for (their union bounds
//   zeDriverGet), and — decided by the first core init, for good — which type devices without a fixed type report.
//
//   Ending (process exit, zelSetDriverTeardown, zelLoaderContextTeardown) is a flag beside the state: nothing is
//   destroyed and calls on live handles are served until the process is gone; a first init in Ending fails with
//   UNINITIALIZED.
//
// Threading: every member may be called from any thread. One lock (discovery); it is held while plugins load and start,
// so a plugin that calls an init function from there gets UNINITIALIZED instead of a deadlock. Ownership: the session
// and all it points to live until the process is gone (no static destructor can free them).
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include <registry/backend.hpp>
#include <zeroth/api/table_info.hpp>

namespace zeroth::registry {

class Session {
public:
  explicit Session(PluginSource source) : source_(std::move(source)) {}

  // zeInit and zeInitDrivers: success when a driver of a wanted type is there.
  ze_result_t init_core(Types wanted);
  // zesInit.
  ze_result_t init_sysman();

  bool initialised(Family family) const noexcept;

  // The drivers that have a wanted type, in the order of the configuration. Empty before init.
  std::vector<ze_driver_handle_t> drivers(Types wanted) const;
  // Those that the init calls so far asked for.
  std::vector<ze_driver_handle_t> asked_drivers() const { return drivers(asked_.load()); }
  // The same drivers; for programs that initialised sysman alone, those of overlays too (zeroth_sysman_drivers.h).
  std::vector<zes_driver_handle_t> sysman_drivers() const;

  void end() noexcept { ending_.store(true); }
  bool ending() const noexcept { return ending_.load(std::memory_order_relaxed); }

  // Around fork(), in this order; see fork.cpp.
  void before_fork();
  void after_fork_in_parent();
  void after_fork_in_child();

private:
  // What discovery found. Constant once published, but for the atomics inside.
  struct Ready {
    std::vector<std::unique_ptr<Backend>> backends;
    bool no_driver_is_success = false;
  };
  class DiscoveryLock;

  // Null when nothing can be offered.
  const Ready* discover();
  Ready* load_drivers();
  static void load_into(Ready& ready, Found found);
  const Ready* ready() const noexcept { return ready_.load(std::memory_order_acquire); }
  void decide_reported_type(const Ready& ready, Types wanted);
  static bool any_visible(const Ready& ready, Types wanted);
  static void add_drivers_of_overlays(const Ready& ready, std::vector<zes_driver_handle_t>& listed);

  PluginSource source_;
  std::mutex discovery_;
  std::atomic<std::thread::id> discoverer_{};
  std::atomic<Ready*> ready_{nullptr};
  // Every one that was ever made, failed tries and those of parent processes too: plugins' containers point into them.
  std::vector<std::unique_ptr<Ready>> kept_;
  bool forked_ = false;
  std::atomic<bool> type_decided_{false};
  std::atomic<std::uint32_t> families_{0};
  std::atomic<Types> asked_{0};
  std::atomic<bool> ending_{false};
};

} // namespace zeroth::registry
