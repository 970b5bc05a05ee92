#include "arena.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <new>

namespace zeroth::cpu {

namespace {

constexpr std::size_t Header = offsetof(CommandBlock, room);
constexpr std::size_t MostKept = 256;

struct Pool {
  Pool() { blocks.reserve(MostKept); }
  std::mutex mutex;
  std::vector<CommandBlock*> blocks;
};
Pool& pool() {
  static Pool& only = *new Pool; // workers may give blocks back after main has ended
  return only;
}

} // namespace

CommandBlock* CommandBlock::obtain(std::size_t size) {
  if (size <= UsualSize) {
    std::lock_guard lock(pool().mutex);
    if (!pool().blocks.empty()) {
      CommandBlock* block = pool().blocks.back();
      pool().blocks.pop_back();
      return block;
    }
  }
  const std::size_t room = std::max(size, UsualSize);
  void* memory = ::operator new (Header + room, std::align_val_t{alignof(CommandBlock)});
  auto* block = new (memory) CommandBlock;
  block->size = room;
  return block;
}

void CommandBlock::recycle(CommandBlock* block) noexcept {
  if (block->size == UsualSize) {
    std::lock_guard lock(pool().mutex);
    if (pool().blocks.size() < MostKept) return pool().blocks.push_back(block);
  }
  ::operator delete (block, std::align_val_t{alignof(CommandBlock)});
}

void* StreamArena::allocate_in_new_block(std::size_t bytes) {
  CommandBlock* fresh = CommandBlock::obtain(bytes + 64);
  leave_block();
  block_ = fresh;
  block_->live.store(Open, std::memory_order_relaxed);
  begun_ = 0;
  bump_.point_to(block_);
  return bump_.take(bytes);
}

void StreamArena::leave_block() noexcept {
  if (!block_) return;
  const std::int64_t bias = Open - begun_;
  if (block_->live.fetch_sub(bias, std::memory_order_acq_rel) == bias) CommandBlock::recycle(block_);
  block_ = nullptr;
}

void* ListArena::allocate(std::size_t bytes) {
  if (void* piece = bump_.take(bytes)) return piece;
  blocks_.push_back(nullptr);
  blocks_.back() = CommandBlock::obtain(bytes + 64);
  bump_.point_to(blocks_.back());
  return bump_.take(bytes);
}

void ListArena::clear() noexcept {
  for (CommandBlock* block : blocks_)
    if (block) CommandBlock::recycle(block);
  blocks_.clear();
  bump_.point_to(nullptr);
}

} // namespace zeroth::cpu
