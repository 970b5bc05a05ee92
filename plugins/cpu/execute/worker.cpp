#include "worker.hpp"

#include "roomy_stack.hpp"
#include "services.hpp"
#include "slices.hpp"

#include <cstring>

namespace zeroth::cpu {

// In front of each buffer. Vectors of kernels read whole runs in which lanes are masked off that lie before the first
// byte, `text[s - i]` with i > s; where no page is there, machines take hundreds of cycles to find out that it is not
// needed.
constexpr std::size_t Front = 4096;

void GrowingBuffer::grow(std::size_t bytes) {
  const std::size_t size = round_up(bytes + Front, Granule);
  auto* fresh = static_cast<std::uint8_t*>(map_pages(size, Granule));
  std::memset(fresh, 0, Front); // a page that is there, not one that would come when touched
  release();
  base_ = fresh + Front;
  size_ = size - Front;
}

void GrowingBuffer::release() noexcept {
  if (base_) unmap_pages(base_ - Front, size_ + Front);
  base_ = nullptr;
  size_ = 0;
}

Worker::Worker(Executor& executor) : executor_(executor), slices_(std::make_unique<SliceGroup>()), roomy_stack_(std::make_unique<RoomyStack>()) {
  view_.services = &kernel_services();
  view_.device_data = this;
}

Worker::~Worker() = default;

void Worker::trim() noexcept {
  local_.trim();
  scratch_.trim();
  slices_->trim();
  roomy_stack_->trim();
}

} // namespace zeroth::cpu
