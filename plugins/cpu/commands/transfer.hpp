// Copies and fills; large ones are shared among threads.
#pragma once
#include "parallel.hpp"

#include <array>
#include <cstddef>

namespace zeroth::cpu {

class TransferCommand : public ParallelCommand {
public:
  Step start(Worker& worker, Continuation& owner) override;
  void run_units(Worker& worker, std::uint64_t first, std::uint64_t end) override;
  bool takes_at_most(std::uint64_t nanoseconds) const override { return pieces_ * piece_bytes_ <= nanoseconds / 10; }

protected:
  TransferCommand(std::size_t pieces, std::size_t piece_bytes) : pieces_(pieces), piece_bytes_(piece_bytes) {}
  ~TransferCommand() = default;
  std::size_t piece_bytes() const { return piece_bytes_; }
  // Does piece `index` of `pieces`; pieces are independent.
  virtual void run_pieces(std::size_t first, std::size_t end) = 0;

private:
  std::size_t pieces_, piece_bytes_;
};

class CopyCommand final : public TransferCommand {
public:
  CopyCommand(void* to, const void* from, std::size_t size);

private:
  void run_pieces(std::size_t first, std::size_t end) override;
  std::byte* to_;
  const std::byte* from_;
  std::size_t size_;
};

class FillCommand final : public TransferCommand {
public:
  // `pattern` lives as long as the command.
  FillCommand(void* to, const std::byte* pattern, std::size_t pattern_size, std::size_t size);

private:
  void run_pieces(std::size_t first, std::size_t end) override;
  std::byte* to_;
  const std::byte* pattern_;
  std::size_t pattern_size_, size_, piece_; // piece_: a multiple of the pattern
};

// A box of rows and slices.
struct BoxCopy {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  std::size_t row_bytes = 0, rows = 0, slices = 0;
  std::size_t to_pitch = 0, to_slice = 0, from_pitch = 0, from_slice = 0;
};

class BoxCopyCommand final : public TransferCommand {
public:
  explicit BoxCopyCommand(const BoxCopy& box)
      : TransferCommand(box.row_bytes ? box.rows * box.slices : 0, box.row_bytes), box_(box) {}

private:
  void run_pieces(std::size_t first, std::size_t end) override;
  BoxCopy box_;
};

} // namespace zeroth::cpu
