#include "roomy_stack.hpp"

#include "../memory/pages.hpp"
#include "worker.hpp"

#include <exception>

namespace zeroth::cpu {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

void RoomyStack::reserve(std::size_t bytes) {
  if (bytes <= size_) return;
  release();
  const std::size_t size = round_up(bytes, Granule);
  bottom_ = static_cast<std::byte*>(map_pages(size, size >= HugePage ? HugePage : Granule));
  size_ = size;
  own_.create(bottom_, size);
}

void RoomyStack::release() noexcept {
  if (!bottom_) return;
  own_.destroy();
  unmap_pages(bottom_, size_);
  bottom_ = nullptr;
  size_ = 0;
}

void RoomyStack::trim() noexcept {
  if (size_ > KeptScratch) release();
}

ZEROTH_SWITCHES_STACKS void RoomyStack::call(std::size_t bytes, void (*function)(void*), void* argument) {
  reserve(bytes);
  function_ = function, argument_ = argument;
  home_.adopt_current_thread();
  annotate_release(&order_);
  AnnotatedStack::leave(home_, own_, false);
  jump_fcontext(make_fcontext(bottom_ + size_, size_, &enter), this);
  AnnotatedStack::arrive(home_, nullptr);
  annotate_acquire(&order_);
}

ZEROTH_SWITCHES_STACKS void RoomyStack::enter(transfer_t from) {
  auto& self = *static_cast<RoomyStack*>(from.data);
  AnnotatedStack::arrive(self.own_, &self.home_);
  annotate_acquire(&self.order_);
  self.function_(self.argument_);
  annotate_release(&self.order_);
  AnnotatedStack::leave(self.own_, self.home_, true);
  jump_fcontext(from.fctx, nullptr);
  std::terminate(); // nobody continues a call that has returned
}

} // namespace zeroth::cpu
