// One thread of the soak: random legal calls on objects of its own, each mirrored in plain memory. Commands go to lists
// of every mode; from list to list the order is kept by events of both kinds or by host waits, so that the mirror may
// simply do everything at once.
#pragma once
#include "fixture.hpp"

#include <deque>
#include <functional>
#include <memory>

namespace device_tests {

class Actor {
public:
  Actor(std::uint64_t seed, std::vector<std::uint8_t> kernel);
  ~Actor();
  Actor(const Actor&) = delete;
  Actor& operator=(const Actor&) = delete;

  // One random step. Throws std::runtime_error when the device does something else than the mirror.
  void step();
  void finish(); // waits for everything and compares everything

private:
  struct Buffer {
    std::uint8_t* memory;
    std::vector<std::uint8_t> mirror;
  };
  struct List {
    ze_command_list_handle_t handle;
    bool in_order;
  };
  // What the next command has to wait for, and what it may signal.
  struct Sync {
    std::vector<ze_event_handle_t> waits;
    ze_event_handle_t signal = nullptr;
  };
  using Change = std::function<void()>; // of the mirror

  std::uint32_t below(std::uint32_t bound) { return random_.next() % bound; }
  Buffer& any_buffer() { return buffers_[below(static_cast<std::uint32_t>(buffers_.size()))]; }

  void add_buffer();
  void drop_buffer();
  List& choose_list();
  Sync begin(const List& list);
  void end(const List& list, const Sync& sync);
  void settle();
  Change append_random(ze_command_list_handle_t list, const Sync& sync);
  Change fill(ze_command_list_handle_t list, const Sync& sync);
  Change copy(ze_command_list_handle_t list, const Sync& sync);
  Change copy_region(ze_command_list_handle_t list, const Sync& sync);
  Change launch(ze_command_list_handle_t list, const Sync& sync);
  void direct();
  void recorded();
  void exchange_list();
  void share();
  void ask();
  void compare(const Buffer& buffer) const;

  const Device& device_ = Device::get();
  Random random_;
  std::deque<Buffer> buffers_;
  std::vector<List> lists_;
  ze_command_queue_handle_t queue_ = nullptr;
  ze_event_pool_handle_t pool_ = nullptr;
  std::vector<ze_event_handle_t> events_, counters_;
  std::size_t next_event_ = 0;
  ze_module_handle_t module_ = nullptr;
  ze_kernel_handle_t store_ = nullptr;

  ze_command_list_handle_t last_list_ = nullptr; // the one that was used last, and what it signalled
  ze_event_handle_t last_signal_ = nullptr;
};

} // namespace device_tests
