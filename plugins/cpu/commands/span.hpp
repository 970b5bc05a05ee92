// The times of an event that stands for several commands in a row: from the begin of the first to the end of the last.
// One command in front of them notes the time, and the one behind them, which signals the event, hands it on.
//
// Ownership: the one in front keeps its block, if its list gives blocks back, until somebody releases it: the one
// behind when it runs, or whoever could not append that.
#pragma once
#include "arena.hpp"
#include "small.hpp"

namespace zeroth::cpu {

class SpanBeginCommand final : public Command {
public:
  // `alone`: in a list out of order, everything before it ends first, nothing after it begins before its end.
  SpanBeginCommand(CommandBlock* block, bool alone) : kept_(block), alone_(alone) {
    if (kept_) kept_->live.fetch_add(1, std::memory_order_relaxed);
  }
  // Not quick: whoever could not go on with the commands behind it must leave it too.
  Step start(Worker&, Continuation&) override {
    time_ = now();
    return Step::Done;
  }
  bool is_barrier() const override { return alone_; }

  std::uint64_t time() const { return time_; }
  CommandBlock* kept() const { return kept_; }

private:
  std::uint64_t time_ = 0;
  CommandBlock* kept_;
  bool alone_;
};

// Releases the block, unless the command behind is there to do that.
class KeptBlock {
public:
  explicit KeptBlock(CommandBlock* block) : block_(block) {}
  KeptBlock(const KeptBlock&) = delete;
  KeptBlock& operator=(const KeptBlock&) = delete;
  ~KeptBlock() {
    if (block_) StreamArena::release(block_);
  }
  void leave() { block_ = nullptr; }

private:
  CommandBlock* block_;
};

class SpanEndCommand final : public QuickCommand {
public:
  explicit SpanEndCommand(const SpanBeginCommand& begin) : begin_(begin) {}
  Step start(Worker&, Continuation&) override {
    begin_times_at(*this, begin_.time());
    if (CommandBlock* block = begin_.kept()) StreamArena::release(block);
    return Step::Done;
  }
  bool is_barrier() const override { return true; }

private:
  const SpanBeginCommand& begin_;
};

} // namespace zeroth::cpu
