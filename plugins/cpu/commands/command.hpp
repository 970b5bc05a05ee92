// What a list records and a flow executes. Commands live in arenas and are never destroyed, only forgotten: their
// members need no destructor.
//
// Threads: a command is written by the appending thread, then belongs to the flow that executes it; in a regular list
// it is read-only from close on, except what one execution keeps in it (a list executes once at a time).
#pragma once
#include "../execute/runnable.hpp"
#include "effect.hpp"
#include "wait_point.hpp"

#include <atomic>
#include <cstdint>

namespace zeroth::cpu {

class Worker;
class Executor;
struct CommandBlock;

// The part of an event that execution touches: its signal and its times. In memory that processes share it is one for
// all of them; then zeros are a fresh cell.
struct EventCell {
  SyncWord word;
  std::atomic<std::uint64_t> start{0}, end{0}; // device ticks of the last signalling command
  std::atomic<bool> timed{false}, shared{false};
  std::atomic<std::uint32_t> signals{0}; // of a shared one

  void signal() {
    if (shared.load(std::memory_order_relaxed)) [[unlikely]] {
      signals.fetch_add(1, std::memory_order_relaxed);
      return word.signal_shared();
    }
    word.signal();
  }
  // Of a shared one: another event moves in. Those who still sleep on the last one sleep on.
  void begin_anew() {
    word.reset();
    start.store(0, std::memory_order_relaxed);
    end.store(0, std::memory_order_relaxed);
  }
  bool lives(std::uint32_t life) const { return word.life() == life; }
  WaitPoint wait_point() {
    return shared.load(std::memory_order_relaxed) ? WaitPoint::at_shared(word) : WaitPoint::at(word);
  }
};

// Who goes on when a command that could not end in start() has ended.
class Continuation {
public:
  // `worker`: the calling thread's, or null if that thread must not run kernels.
  virtual void command_done(Worker* worker) = 0;
  // Of what the command is made up of, if that is queued by itself.
  virtual Runnable::Priority rank() const { return Runnable::Priority::Normal; }
  // The command begins, or ends, to wait for somebody who may never come.
  virtual void waits_outside(bool) {}
  // The published job of the running command, for host threads that wait and may help: slot << 32 | epoch, or NoJob.
  static constexpr std::uint64_t NoJob = ~std::uint64_t{0};
  std::atomic<std::uint64_t> job{NoJob};

protected:
  ~Continuation() = default;
};

enum class Step {
  Done,
  Suspended, // somebody calls (or has called) command_done of the continuation; the caller must let go of everything
  Entered,   // a list begins: its commands come next (only flows in order)
};

class Command {
public:
  virtual Step start(Worker& worker, Continuation& owner) = 0;
  // In a list out of order: everything before it ends first, nothing after it begins before its end.
  virtual bool is_barrier() const { return false; }
  // Does start() surely come back within so many nanoseconds? Kernels may do anything.
  virtual bool takes_at_most(std::uint64_t) const { return false; }
  // The first command of the list that start() entered.
  virtual Command* entered() const { return nullptr; }

  std::atomic<Command*> next{nullptr};
  const WaitPoint* waits = nullptr;
  std::uint32_t wait_count = 0;
  std::atomic<std::uint32_t> signal_life{0}; // of the event's word: signal and times are of that life
  bool signals_word = false;                 // else `signal` only takes times
  EventCell* signal = nullptr;
  const Effect* effect = nullptr;
  bool odd_epoch = false;        // in a flow out of order: see Epochs
  CommandBlock* block = nullptr; // of an immediate list's or queue's arena

  // All of that, while another command is built in the place of one that does not run.
  class Links {
  public:
    explicit Links(const Command& of)
        : next_(of.next.load(std::memory_order_relaxed)), waits_(of.waits), signal_(of.signal), effect_(of.effect),
          block_(of.block), wait_count_(of.wait_count), signal_life_(of.signal_life.load(std::memory_order_relaxed)),
          signals_word_(of.signals_word) {}
    void give_to(Command& to) const {
      to.next.store(next_, std::memory_order_relaxed);
      to.waits = waits_, to.wait_count = wait_count_;
      to.signal = signal_, to.signal_life.store(signal_life_, std::memory_order_relaxed),
      to.signals_word = signals_word_;
      to.effect = effect_, to.block = block_;
    }

  private:
    Command* next_;
    const WaitPoint* waits_;
    EventCell* signal_;
    const Effect* effect_;
    CommandBlock* block_;
    std::uint32_t wait_count_, signal_life_;
    bool signals_word_;
  };

protected:
  ~Command() = default;
};

// May this thread begin the command now, which is, or is in, the flow's `number`-th? If not, its worker says that it
// gave up.
bool may_run(Worker& worker, const Command& command, std::uint64_t number);
// The same for one that runs beside others.
bool may_run_beside(const Worker& worker, const Command& command);

// Times and signals of a command's begin and end.
void begin_times(const Command& command);
void begin_times_at(const Command& command, std::uint64_t time);
void end_and_signal(const Command& command);

} // namespace zeroth::cpu
