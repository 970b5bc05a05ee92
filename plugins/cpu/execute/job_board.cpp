#include "job_board.hpp"

#include <algorithm>
#include <bit>

namespace zeroth::cpu {

namespace {

constexpr std::uint64_t pack(std::uint32_t begin, std::uint32_t end) { return std::uint64_t{end} << 32 | begin; }
constexpr std::uint32_t begin_of(std::uint64_t range) { return static_cast<std::uint32_t>(range); }
constexpr std::uint32_t end_of(std::uint64_t range) { return static_cast<std::uint32_t>(range >> 32); }
constexpr std::uint32_t left_in(std::uint64_t range) { return end_of(range) - begin_of(range); }

constexpr std::uint32_t joined(std::uint64_t gate) { return static_cast<std::uint32_t>(gate >> 8) & 0xffff; }
constexpr std::uint32_t present(std::uint64_t gate) { return static_cast<std::uint32_t>(gate) & 0xff; }
constexpr std::uint64_t OneJoined = 1 << 8, OnePresent = 1;

} // namespace

JobBoard::JobBoard(unsigned most_threads) : most_threads_(std::min(most_threads, 255u)) {
  for (Slot& slot : slots_) slot.shares = std::make_unique<Share[]>(most_threads_);
}

bool JobBoard::publish(Job& job, std::uint32_t units, std::uint32_t grain, Pass& pass, Ticket& ticket, bool urgent) {
  std::uint64_t used = used_.load(std::memory_order_relaxed);
  unsigned index;
  do {
    index = static_cast<unsigned>(std::countr_one(used));
    if (index >= Slots) return false;
  } while (!used_.compare_exchange_weak(used, used | std::uint64_t{1} << index, std::memory_order_acquire));
  Slot& slot = slots_[index];
  slot.job = &job;
  slot.grain = grain;
  for (std::uint32_t i = 0; i < most_threads_; ++i) {
    const auto begin = static_cast<std::uint32_t>(std::uint64_t{units} * i / most_threads_);
    const auto end = static_cast<std::uint32_t>(std::uint64_t{units} * (i + 1) / most_threads_);
    slot.shares[i].range.store(pack(begin, end), std::memory_order_relaxed);
  }
  const std::uint64_t epoch = (slot.gate.load(std::memory_order_relaxed) >> 32) + 1;
  slot.gate.store(epoch << 32 | Open | OneJoined | OnePresent, std::memory_order_release);
  const std::uint64_t mark = std::uint64_t{1} << index;
  if (urgent) {
    urgent_.fetch_or(mark, std::memory_order_seq_cst);
  } else if (urgent_.load(std::memory_order_relaxed) & mark) {
    urgent_.fetch_and(~mark, std::memory_order_seq_cst);
  }
  if (most_threads_ > 1) open_.fetch_or(std::uint64_t{1} << index, std::memory_order_seq_cst);
  pass = {index, 0};
  ticket = {index, static_cast<std::uint32_t>(epoch)};
  return true;
}

// The caller is present in the slot's job, so the slot cannot have begun another one.
void JobBoard::take_down(unsigned index) { open_.fetch_and(~(std::uint64_t{1} << index), std::memory_order_relaxed); }

bool JobBoard::enter(unsigned index, std::uint64_t gate, Pass& pass) {
  Slot& slot = slots_[index];
  const std::uint64_t epoch = gate >> 32;
  do {
    if (gate >> 32 != epoch || !(gate & Open) || joined(gate) >= most_threads_) return false;
  } while (!slot.gate.compare_exchange_weak(gate, gate + OneJoined + OnePresent, std::memory_order_acq_rel));
  pass = {index, joined(gate)};
  if (pass.share + 1 == most_threads_) take_down(index);
  return true;
}

bool JobBoard::join_any(Pass& pass) {
  for (std::uint64_t open = open_.load(std::memory_order_acquire); open; open &= open - 1) {
    const auto index = static_cast<unsigned>(std::countr_zero(open));
    if (enter(index, slots_[index].gate.load(std::memory_order_acquire), pass)) return true;
  }
  return false;
}

bool JobBoard::join(Ticket ticket, Pass& pass) {
  if (ticket.slot >= Slots) return false;
  const std::uint64_t gate = slots_[ticket.slot].gate.load(std::memory_order_acquire);
  return gate >> 32 == ticket.epoch && enter(ticket.slot, gate, pass);
}

bool JobBoard::take_front(Share& share, std::uint32_t grain, std::uint32_t& first, std::uint32_t& end) {
  std::uint64_t range = share.range.load(std::memory_order_acquire);
  do {
    if (left_in(range) == 0) return false;
    first = begin_of(range);
    end = first + std::min(grain, left_in(range));
  } while (!share.range.compare_exchange_weak(range, pack(end, end_of(range)), std::memory_order_acq_rel));
  return true;
}

// A packed range describes itself completely, so a compare-exchange that succeeds late is still right.
bool JobBoard::steal(Slot& slot, std::uint32_t thief) {
  for (;;) {
    Share* victim = nullptr;
    std::uint64_t fullest = 0;
    for (std::uint32_t i = 0; i < most_threads_; ++i) {
      const std::uint64_t range = slot.shares[i].range.load(std::memory_order_acquire);
      if (left_in(range) > left_in(fullest)) fullest = range, victim = &slot.shares[i];
    }
    if (!victim) return false;
    const std::uint32_t middle = begin_of(fullest) + left_in(fullest) / 2;
    if (!victim->range.compare_exchange_strong(fullest, pack(begin_of(fullest), middle), std::memory_order_acq_rel))
      continue;
    slot.shares[thief].range.store(pack(middle, end_of(fullest)), std::memory_order_release);
    return true;
  }
}

Job* JobBoard::work(Worker& worker, Pass pass) {
  Slot& slot = slots_[pass.slot];
  Job& job = *slot.job;
  std::uint32_t first, end;
  do {
    while (take_front(slot.shares[pass.share], slot.grain, first, end)) job.run_units(worker, first, end);
  } while (steal(slot, pass.share));
  take_down(pass.slot); // nothing is left for those who would join now
  std::uint64_t gate = slot.gate.load(std::memory_order_acquire);
  bool last;
  do {
    last = present(gate) == 1;
  } while (!slot.gate.compare_exchange_weak(gate, (gate - OnePresent) & (last ? ~Open : ~std::uint64_t{0}),
                                            std::memory_order_acq_rel));
  if (!last) return nullptr;
  used_.fetch_and(~(std::uint64_t{1} << pass.slot), std::memory_order_release);
  return &job;
}

} // namespace zeroth::cpu
