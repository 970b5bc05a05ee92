#include "worker.hpp"

#include "services.hpp"
#include "slices.hpp"

namespace zeroth::cpu {

void GrowingBuffer::grow(std::size_t bytes) {
  const std::size_t size = round_up(bytes, Granule);
  auto* fresh = static_cast<std::uint8_t*>(map_pages(size, Granule));
  release();
  base_ = fresh;
  size_ = size;
}

void GrowingBuffer::release() noexcept {
  if (base_) unmap_pages(base_, size_);
  base_ = nullptr;
  size_ = 0;
}

Worker::Worker(Executor& executor) : executor_(executor), slices_(std::make_unique<SliceGroup>()) {
  view_.services = &kernel_services();
  view_.device_data = this;
}

Worker::~Worker() = default;

void Worker::trim() noexcept {
  local_.trim();
  scratch_.trim();
  slices_->trim();
}

} // namespace zeroth::cpu
