// Memory that is given back when what has been appended so far has ended, on whatever device: zeMemFreeExt with the
// deferred policy. Nothing says which commands use the memory, so all of them count. What waits in a list that was destroyed does not count (FlowPool::drain).
//
// Threads: begin() on any; a worker frees. Ownership: deletes itself.
#pragma once
#include "../commands/flow.hpp"

#include <vector>

namespace zeroth::cpu {

class CpuDriver;
class CpuDevice;

class DeferredFree final : private Runnable, private Waiter {
public:
  // Returns at once, also with the memory gone if nothing is under way. Throws Error for what is no allocation.
  static void begin(CpuDriver& driver, void* pointer);

private:
  struct Pending {
    Flow* flow;
    Flow::End end;
  };

  DeferredFree(CpuDriver& driver, void* pointer, std::uint64_t id) : driver_(driver), pointer_(pointer), id_(id) {}
  void add_flows(CpuDevice& device);
  void run(Worker&) override { go_on(); }
  void released() override;
  void go_on();

  CpuDriver& driver_;
  void* const pointer_;
  const std::uint64_t id_; // of the allocation: a program may have freed it twice
  std::vector<Pending> pending_;
};

} // namespace zeroth::cpu
