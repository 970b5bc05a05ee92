#include "deferred_free.hpp"

#include "device.hpp"

#include <sdk/error.hpp>

#include <memory>

namespace zeroth::cpu {

void DeferredFree::begin(CpuDriver& driver, void* pointer) {
  const Allocation found = driver.heap().find(pointer);
  const bool released = found.origin != Origin::Opened && found.origin != Origin::Reserved; // by Heap::release
  if (!found || found.base != pointer || !released)
    throw Error(ZE_RESULT_ERROR_INVALID_ARGUMENT, "{} is no start of a live allocation", pointer);
  std::unique_ptr<DeferredFree> made(new DeferredFree(driver, pointer, found.id));
  made->add_flows(driver.device());
  for (const auto& part : driver.sub_devices()) made->add_flows(*part);
  made.release()->go_on();
}

void DeferredFree::add_flows(CpuDevice& device) {
  auto add_of = [this](auto& pool) {
    pool.for_each([&](Flow& flow) {
      if (pool.expects_end(flow)) pending_.push_back({&flow, flow.end()});
    });
  };
  add_of(device.in_order_flows());
  add_of(device.overlap_flows());
}

void DeferredFree::released() {
  state_.store(State::Ready, std::memory_order_release);
  driver_.executor().submit(*this);
}

// Once it is registered with a timeline another thread may go on at once, or have ended and deleted this.
void DeferredFree::go_on() {
  while (!pending_.empty()) {
    Pending& next = pending_.back();
    const std::uint64_t value = next.flow->awaited_value(next.end);
    if (value == 0) {
      pending_.pop_back();
      continue;
    }
    state_.store(State::Waiting, std::memory_order_relaxed);
    if (next.flow->timeline().await(*this, value)) return;
  }
  if (driver_.heap().find(pointer_).id == id_) driver_.heap().release(pointer_);
  delete this;
}

} // namespace zeroth::cpu
