// A quick no to "does the system's loader find a library of this name?".
//
// A failing dlopen by name costs some 70 µs, and the default configuration names several drivers that most machines
// lack.
#pragma once

#include <cstddef>
#include <string>

namespace zeroth {

class SystemLibraries {
public:
  SystemLibraries() = default;
  ~SystemLibraries();
  SystemLibraries(const SystemLibraries&) = delete;
  SystemLibraries& operator=(const SystemLibraries&) = delete;

  // False is certain as far as the loader's cache, its default folders and what is loaded already can tell. True means
  // that only dlopen knows.
  bool may_have(const std::string& name);

private:
  void look_around();
  void map_cache();

  bool looked_ = false;
  bool unknown_ = false;  // search paths that only the loader understands
  void* cache_ = nullptr; // mapped: reading it would cost more than all else here
  std::size_t cache_size_ = 0;
  std::string folder_; // where the C library lies
};

} // namespace zeroth
