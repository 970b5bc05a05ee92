#include "semaphore_file.hpp"

#include "../execute/futex.hpp"
#include "../execute/order_annotations.hpp"

#include <sdk/size_signal.hpp>

#include <climits>
#include <fcntl.h>
#include <new>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/stat.h>

namespace zeroth::cpu {

namespace {
constexpr std::uint64_t Magic = 0x316d65736874655a;
constexpr off_t PageBytes = 4096;
} // namespace

struct SemaphoreFile::Page {
  std::uint64_t magic;
  Kind kind;
  alignas(64) std::atomic<std::uint64_t> word;
};

SemaphoreFile::SemaphoreFile(Kind kind, std::uint64_t initial)
    : file_(memfd_create("zeroth-semaphore", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  const SizeSignalHeldBack held_back;
  if (!file_ || ftruncate(file(), PageBytes) != 0) throw std::bad_alloc();
  fcntl(file(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  map(file());
  page_->word.store(initial, std::memory_order_relaxed);
  page_->kind = kind;
  page_->magic = Magic;
}

SemaphoreFile::SemaphoreFile(int descriptor) {
  struct stat status;
  const int seals = fcntl(descriptor, F_GET_SEALS); // who could take the page away would end all who look at it
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size != PageBytes || seals < 0 ||
      !(seals & F_SEAL_SHRINK))
    throw std::invalid_argument("not a semaphore");
  try {
    map(descriptor);
  } catch (const std::bad_alloc&) {
    throw std::invalid_argument("a semaphore that may not be written");
  }
  if (page_->magic == Magic && (page_->kind == Kind::Binary || page_->kind == Kind::Timeline)) return;
  munmap(page_, PageBytes);
  throw std::invalid_argument("not a semaphore");
}

SemaphoreFile::~SemaphoreFile() { munmap(page_, PageBytes); }

void SemaphoreFile::map(int descriptor) {
  void* page = mmap(nullptr, PageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (page == MAP_FAILED) throw std::bad_alloc();
  page_ = static_cast<Page*>(page);
}

SemaphoreFile::Kind SemaphoreFile::kind() const { return page_->kind; }
std::atomic<std::uint64_t>& SemaphoreFile::word() const { return page_->word; }

void SemaphoreFile::signal(std::uint64_t value) {
  annotate_signal_to_processes();
  if (kind() == Kind::Binary) value = 1;
  std::uint64_t seen = word().load(std::memory_order_relaxed);
  while (seen < value && !word().compare_exchange_weak(seen, value, std::memory_order_acq_rel)) {
  }
  futex::wake_shared(&word(), INT_MAX);
}

bool SemaphoreFile::wait(std::uint64_t value, std::uint64_t timeout_ns) {
  const std::uint64_t deadline = deadline_after(timeout_ns);
  for (;;) {
    std::uint64_t seen = word().load(std::memory_order_acquire);
    if (kind() == Kind::Timeline) {
      if (seen >= value) return true;
    } else if (seen != 0 && word().compare_exchange_strong(seen, 0, std::memory_order_acq_rel)) {
      return true;
    }
    if (now() >= deadline) return false;
    futex::sleep_shared(&word(), static_cast<std::uint32_t>(seen), deadline);
  }
}

} // namespace zeroth::cpu
