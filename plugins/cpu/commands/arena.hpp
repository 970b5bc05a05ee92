// Memory for commands. A StreamArena serves one appender and is emptied by execution, block by block, in any order; a
// ListArena keeps everything until it is cleared. Blocks are shared by all arenas through one pool.
//
// Threads: allocate() by the appender only; release() from any thread.
#pragma once
#include "command.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace zeroth::cpu {

struct CommandBlock {
  std::atomic<std::int64_t> live{0}; // commands not yet executed, plus Open while the appender still adds
  std::size_t size = 0;              // of the room behind this header
  alignas(64) std::byte room[1];

  static constexpr std::size_t UsualSize = std::size_t{32} << 10;
  static CommandBlock* obtain(std::size_t size); // throws std::bad_alloc
  static void recycle(CommandBlock* block) noexcept;
};

// A bump pointer through a block. Pieces are aligned to 64 bytes, which is what argument blocks need.
class Bump {
public:
  void* take(std::size_t bytes) {
    const std::size_t padded = (bytes + 63) & ~std::size_t{63};
    if (padded > left_) return nullptr;
    void* piece = next_;
    next_ += padded;
    left_ -= padded;
    return piece;
  }
  void point_to(CommandBlock* block) {
    next_ = block ? block->room : nullptr;
    left_ = block ? block->size : 0;
  }

private:
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
};

class StreamArena {
public:
  ~StreamArena() { leave_block(); }

  // Room for one command with what hangs on it; give `block` to the command. Throws std::bad_alloc.
  void* allocate(std::size_t bytes, CommandBlock*& block) {
    void* piece = bump_.take(bytes);
    if (!piece) [[unlikely]]
      piece = allocate_in_new_block(bytes);
    ++begun_;
    block = block_;
    return piece;
  }
  static void release(CommandBlock* block) noexcept {
    if (block->live.fetch_sub(1, std::memory_order_acq_rel) == 1) CommandBlock::recycle(block);
  }

private:
  static constexpr std::int64_t Open = std::int64_t{1} << 40;
  void* allocate_in_new_block(std::size_t bytes);
  void leave_block() noexcept;

  Bump bump_;
  CommandBlock* block_ = nullptr;
  std::int64_t begun_ = 0;
};

class ListArena {
public:
  ~ListArena() { clear(); }
  void* allocate(std::size_t bytes);
  void clear() noexcept;

private:
  Bump bump_;
  std::vector<CommandBlock*> blocks_;
};

} // namespace zeroth::cpu
