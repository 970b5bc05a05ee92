// Where this program or shared object lies, for finding what is installed beside it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

#include <dlfcn.h>
#include <link.h>

namespace zeroth {

// The absolute path of the file that holds `code`, the program's own included; empty where nothing tells. Neither the
// working folder nor argv[0] has a say: whoever starts a program with more rights chooses both. Any thread may ask.
inline std::string file_of_code(const void* code) {
  Dl_info info{};
  link_map* map = nullptr;
  if (::dladdr1(code, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) && map && map->l_name[0] == '/')
    return map->l_name;
  std::ifstream maps("/proc/self/maps"); // the program itself, or a library that was loaded by a relative path
  for (std::string line; std::getline(maps, line);) {
    unsigned long first = 0, end = 0;
    int path = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx %*s %*s %*s %*s %n", &first, &end, &path) != 2 || path == 0) continue;
    const auto address = reinterpret_cast<std::uintptr_t>(code);
    if (first <= address && address < end) return line.substr(static_cast<std::size_t>(path));
  }
  return {};
}

} // namespace zeroth
