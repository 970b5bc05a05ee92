#include "transfer.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace zeroth::cpu {

namespace {

constexpr std::size_t Piece = std::size_t{256} << 10;
constexpr std::size_t WorthSharing = std::size_t{512} << 10; // bytes
constexpr std::size_t WorthWaking = std::size_t{2} << 20;
constexpr std::size_t MostUnits = std::size_t{1} << 30;

constexpr std::size_t pieces_of(std::size_t size, std::size_t piece) { return (size + piece - 1) / piece; }

// The largest multiple of the pattern up to the usual piece.
std::size_t fill_piece(std::size_t pattern_size) {
  return std::max(Piece / pattern_size, std::size_t{1}) * pattern_size;
}

bool overlap(const void* a, const void* b, std::size_t size) {
  const auto at = reinterpret_cast<std::uintptr_t>(a), other = reinterpret_cast<std::uintptr_t>(b);
  return (at < other ? other - at : at - other) < size;
}

} // namespace

Step TransferCommand::start(Worker& worker, Continuation& owner) {
  const std::size_t bytes = pieces_ * piece_bytes_;
  if (pieces_ < 2 || bytes < WorthSharing || pieces_ > MostUnits) {
    if (pieces_) run_pieces(0, pieces_);
    return Step::Done;
  }
  const auto grain =
      static_cast<std::uint32_t>(std::max(Piece / std::max(piece_bytes_, std::size_t{1}), std::size_t{1}));
  const std::size_t helpers = std::min<std::size_t>(worker.executor().threads() - 1, bytes / WorthWaking);
  return share(worker, owner, static_cast<std::uint32_t>(pieces_), grain, static_cast<unsigned>(helpers));
}

void TransferCommand::run_units(Worker&, std::uint64_t first, std::uint64_t end) { run_pieces(first, end); }

// Pieces of ranges that overlap would change what others have yet to read.
CopyCommand::CopyCommand(void* to, const void* from, std::size_t size)
    : TransferCommand(overlap(to, from, size) ? 1 : pieces_of(size, Piece), overlap(to, from, size) ? size : Piece),
      to_(static_cast<std::byte*>(to)), from_(static_cast<const std::byte*>(from)), size_(size) {}

void CopyCommand::run_pieces(std::size_t first, std::size_t end) {
  const std::size_t begin = first * piece_bytes();
  std::memmove(to_ + begin, from_ + begin, std::min(end * piece_bytes(), size_) - begin);
}

FillCommand::FillCommand(void* to, const std::byte* pattern, std::size_t pattern_size, std::size_t size)
    : TransferCommand(pieces_of(size, fill_piece(pattern_size)), fill_piece(pattern_size)),
      to_(static_cast<std::byte*>(to)), pattern_(pattern), pattern_size_(pattern_size), size_(size),
      piece_(fill_piece(pattern_size)) {}

void FillCommand::run_pieces(std::size_t first, std::size_t end) {
  std::byte* const begin = to_ + first * piece_;
  const std::size_t size = std::min(end * piece_, size_) - first * piece_;
  if (pattern_size_ == 1) {
    std::memset(begin, static_cast<int>(*pattern_), size);
    return;
  }
  std::size_t filled = std::min(pattern_size_, size);
  std::memcpy(begin, pattern_, filled);
  constexpr std::size_t CachedSource = 16 << 10; // beyond it copy from what is surely still in the nearest cache
  while (filled < size) {
    const std::size_t source =
        filled <= CachedSource ? filled : std::max(CachedSource / pattern_size_, std::size_t{1}) * pattern_size_;
    const std::size_t step = std::min(source, size - filled);
    std::memcpy(begin + filled, begin, step);
    filled += step;
  }
}

void BoxCopyCommand::run_pieces(std::size_t first, std::size_t end) {
  for (; first < end; ++first) {
    const std::size_t slice = first / box_.rows, row = first % box_.rows;
    std::memmove(box_.to + slice * box_.to_slice + row * box_.to_pitch,
                 box_.from + slice * box_.from_slice + row * box_.from_pitch, box_.row_bytes);
  }
}

} // namespace zeroth::cpu
