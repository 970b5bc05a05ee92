#include "plugin_host/system_libraries.hpp"

#include <cstdlib>
#include <cstring>
#include <string_view>

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace zeroth {
namespace {

// DT_RPATH of the program and DT_RUNPATH of this object steer the search, too.
bool has_search_path(const struct link_map* map) {
  for (const ElfW(Dyn)* entry = map ? map->l_ld : nullptr; entry && entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_RPATH || entry->d_tag == DT_RUNPATH) return true;
  return false;
}

const struct link_map* map_of(const void* address) {
  Dl_info info{};
  struct link_map* map = nullptr;
  return ::dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) ? map : nullptr;
}

const struct link_map* map_of_program(const struct link_map* any) {
  while (any && any->l_prev) any = any->l_prev;
  return any;
}

bool is_loaded(const std::string& name) {
  const auto same_file = [](struct dl_phdr_info* info, std::size_t, void* wanted) {
    const std::string_view path = info->dlpi_name ? info->dlpi_name : "";
    return path.substr(path.rfind('/') + 1) == *static_cast<const std::string*>(wanted) ? 1 : 0;
  };
  return ::dl_iterate_phdr(same_file, const_cast<std::string*>(&name)) != 0;
}

} // namespace

SystemLibraries::~SystemLibraries() {
  if (cache_) ::munmap(cache_, cache_size_);
}

void SystemLibraries::map_cache() {
  const int file = ::open("/etc/ld.so.cache", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  struct stat status {};
  const bool known = ::fstat(file, &status) == 0 && status.st_size > 0;
  void* cache =
      known ? ::mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  if (cache != MAP_FAILED) cache_ = cache, cache_size_ = static_cast<std::size_t>(status.st_size);
  ::close(file);
}

void SystemLibraries::look_around() {
  looked_ = true;
  map_cache();
  const char* path = ::secure_getenv("LD_LIBRARY_PATH");
  const struct link_map* own = map_of(reinterpret_cast<const void*>(&is_loaded));
  const struct link_map* libc = map_of(reinterpret_cast<const void*>(&::getenv));
  unknown_ = (path && *path) || !cache_ || !libc || has_search_path(own) || has_search_path(map_of_program(own));
  if (unknown_) return;
  const std::string_view file = libc->l_name;
  folder_ = file.substr(0, file.rfind('/') == std::string_view::npos ? 0 : file.rfind('/'));
}

bool SystemLibraries::may_have(const std::string& name) {
  if (!looked_) look_around();
  if (unknown_ || ::memmem(cache_, cache_size_, name.data(), name.size()) || is_loaded(name)) return true;
  for (const std::string& folder : {folder_, "/usr" + folder_, std::string("/lib"), std::string("/usr/lib"),
                                    std::string("/lib64"), std::string("/usr/lib64")})
    if (::access((folder + "/" + name).c_str(), F_OK) == 0) return true;
  return false;
}

} // namespace zeroth
