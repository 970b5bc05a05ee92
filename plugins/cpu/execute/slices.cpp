#include "slices.hpp"

#include "../memory/pages.hpp"
#include "worker.hpp"

#include <algorithm>

namespace zeroth::cpu {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

SliceGroup::~SliceGroup() { release_stacks(); }

void SliceGroup::release_stacks() noexcept {
  for (Slice& slice : slices_) slice.stack.destroy();
  slices_.clear();
  if (stacks_) unmap_pages(stacks_, mapped_);
  stacks_ = nullptr;
  stack_count_ = stack_bytes_ = mapped_ = 0;
}

void SliceGroup::trim() noexcept {
  if (mapped_ > KeptScratch) release_stacks();
}

void SliceGroup::reserve(std::size_t slices, std::size_t stack_bytes) {
  const std::size_t wanted = round_up(UsualStack + stack_bytes + ColourStep * Colours, base_page_size());
  if (slices <= stack_count_ && wanted <= stack_bytes_) return;
  std::size_t count = std::max<std::size_t>({slices, stack_count_, 64});
  std::size_t bytes = std::max(wanted, stack_bytes_);
  if (count * bytes > KeptScratch) count = slices, bytes = wanted; // many small ones and few large ones do not multiply
  release_stacks();
  mapped_ = round_up(count * bytes, Granule);
  stacks_ = static_cast<std::byte*>(map_pages(mapped_, mapped_ >= HugePage ? HugePage : Granule));
  stack_bytes_ = bytes;
  stack_count_ = count;
  slices_.resize(count);
  ring_ = slices_.data();
  for (std::size_t i = 0; i < count; ++i) ring_[i].stack.create(stacks_ + i * bytes, bytes);
}

ZEROTH_SWITCHES_STACKS void SliceGroup::start_all(std::uint32_t slices) {
  for (std::uint32_t i = 0; i < slices; ++i) {
    Slice& slice = ring_[i];
    const std::size_t colour = i % Colours * ColourStep;
    slice.group = this;
    slice.number = i;
    slice.next = i + 1 < slices ? i + 1 : 0;
    slice.previous = i ? i - 1 : slices - 1;
    slice.passed = 0;
    slice.position = make_fcontext(stacks_ + (i + 1) * stack_bytes_ - colour, stack_bytes_ - colour, &enter);
  }
}

ZEROTH_SWITCHES_STACKS void SliceGroup::run(const zeroth_launch& launch, zeroth_worker& worker,
                                            const std::uint32_t group_id[3], std::uint32_t slices,
                                            zeroth_slice_fn function, void* context) {
  reserve(slices, 0);
  launch_ = &launch, worker_ = &worker, group_id_ = group_id, function_ = function, context_ = context;
  alive_ = slices;
  current_ = 0;
  start_all(slices);
  home_.group = this;
  home_.stack.adopt_current_thread();
  annotate_release(&phases_[1]); // what the thread did before is visible to each slice as it starts
  AnnotatedStack::leave(home_.stack, ring_[0].stack, false);
  jump_fcontext(ring_[0].position, &home_);
  AnnotatedStack::arrive(home_.stack, nullptr);
  annotate_acquire(&phases_[0]);
  annotate_acquire(&phases_[1]);
}

// Saves where the stack that jumped here stands. `from.data` is its Slice, or null if it will not be continued.
ZEROTH_SWITCHES_STACKS void SliceGroup::arrived(transfer_t from) {
  if (auto* left = static_cast<Slice*>(from.data)) left->position = from.fctx;
}

ZEROTH_SWITCHES_STACKS void SliceGroup::enter(transfer_t from) {
  auto* left = static_cast<Slice*>(from.data);
  SliceGroup& group = *left->group;
  Slice& self = group.ring_[group.current_];
  AnnotatedStack::arrive(self.stack, &left->stack);
  arrived(from);
  annotate_acquire(&group.phases_[1]);
  group.function_(group.launch_, group.worker_, group.group_id_, self.number, group.context_);
  group.finish(self);
}

ZEROTH_SWITCHES_STACKS void SliceGroup::finish(Slice& slice) {
  annotate_release(&phases_[slice.passed % 2]);
  ring_[slice.previous].next = slice.next;
  ring_[slice.next].previous = slice.previous;
  Slice& to = --alive_ ? ring_[slice.next] : home_;
  current_ = to.number;
  AnnotatedStack::leave(slice.stack, to.stack, true);
  jump_fcontext(to.position, &slice);
  std::terminate(); // nobody continues a finished slice
}

ZEROTH_SWITCHES_STACKS void SliceGroup::barrier() {
  Slice& self = ring_[current_];
  if (alive_ == 1) return;
  annotate_release(&phases_[self.passed % 2]);
  Slice& to = ring_[self.next];
  current_ = to.number;
  AnnotatedStack::leave(self.stack, to.stack, false);
  const transfer_t from = jump_fcontext(to.position, &self);
  AnnotatedStack::arrive(self.stack, nullptr);
  arrived(from);
  annotate_acquire(&phases_[self.passed % 2]);
  ++self.passed;
}

} // namespace zeroth::cpu
