#include "file_mapping.hpp"

#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace zeroth::cpu {

FileMapping map_file(int file, std::uint64_t offset, std::size_t size) {
  const std::uint64_t first = offset / base_page_size() * base_page_size();
  const std::size_t pages = round_up(offset - first + size, base_page_size());
  const std::size_t granules = round_up(pages, Granule);
  void* base = map_pages(granules, granules >= HugePage ? HugePage : Granule);
  if (mmap(base, pages, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, static_cast<off_t>(first)) ==
      MAP_FAILED) {
    unmap_pages(base, granules);
    throw std::bad_alloc();
  }
  return {{base, granules}, static_cast<std::byte*>(base) + (offset - first)};
}

std::size_t size_of_file(int file) {
  struct stat status;
  if (fstat(file, &status) != 0 || S_ISDIR(status.st_mode)) return 0; // a folder has an end, but no pages
  if (S_ISREG(status.st_mode)) return static_cast<std::size_t>(status.st_size);
  const off_t end = lseek(file, 0, SEEK_END);
  return end > 0 ? static_cast<std::size_t>(end) : 0;
}

} // namespace zeroth::cpu
