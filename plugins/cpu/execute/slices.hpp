// Barriers by fibers: the slices of one work-group run as fibers of the calling thread, one after the other, from
// barrier to barrier. Arriving at a barrier jumps straight to the next slice of the ring; by the time the ring comes
// round, every slice that has not returned has arrived.
//
// Threads: one SliceGroup per worker, used by that thread only. Stacks are pooled in one mapping, of one size, and
// coloured: their tops differ in the low address bits, or all slices would share a few cache sets.
#pragma once
#include "switch_annotations.hpp"

#include <kernel_compiler/kernel_abi.h>

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

namespace zeroth::cpu {

class SliceGroup {
public:
  SliceGroup() = default;
  ~SliceGroup();
  SliceGroup(const SliceGroup&) = delete;
  SliceGroup& operator=(const SliceGroup&) = delete;

  // Stack bytes that each slice of the next run() needs beyond the usual. Throws std::bad_alloc.
  void reserve(std::size_t slices, std::size_t stack_bytes);

  // Gives large stacks back. Not inside run().
  void trim() noexcept;

  void run(const zeroth_launch& launch, zeroth_worker& worker, const std::uint32_t group_id[3], std::uint32_t slices,
           zeroth_slice_fn function, void* context);

  // On a slice's stack, inside run().
  void barrier();

private:
  static constexpr std::size_t UsualStack = std::size_t{64} << 10;
  static constexpr std::size_t ColourStep = 13 * 64, Colours = 32; // an odd number of lines spreads over all sets

  struct Slice {
    SliceGroup* group = nullptr;
    boost::context::detail::fcontext_t position = nullptr;
    AnnotatedStack stack;
    std::uint32_t number = 0;
    std::uint32_t next = 0, previous = 0; // the ring of slices that have not returned
    std::uint32_t passed = 0;             // barriers
  };

  [[noreturn]] static void enter(boost::context::detail::transfer_t from);
  static void arrived(boost::context::detail::transfer_t from);
  [[noreturn]] void finish(Slice& slice);
  void start_all(std::uint32_t slices);
  void release_stacks() noexcept;

  std::byte* stacks_ = nullptr;
  std::size_t stack_bytes_ = 0, stack_count_ = 0, mapped_ = 0;
  std::vector<Slice> slices_;
  Slice* ring_ = nullptr; // slices_.data()
  Slice home_;            // the thread's own stack
  std::uint32_t current_ = 0, alive_ = 0;
  char phases_[2] = {}; // what barriers of odd and even number synchronise on, for the sanitizer

  // The work of this run().
  const zeroth_launch* launch_ = nullptr;
  zeroth_worker* worker_ = nullptr;
  const std::uint32_t* group_id_ = nullptr;
  zeroth_slice_fn function_ = nullptr;
  void* context_ = nullptr;
};

} // namespace zeroth::cpu
