// Where /sys and /proc are read from: the machine's own, or a recorded tree that the option `root` names.
//
// Plain value; any thread. Nothing here throws: what cannot be read is absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zeroth::sysman {

class Root {
public:
  Root() = default;
  explicit Root(std::string prefix);

  // The path in the file system of an absolute path of the machine.
  std::string path(std::string_view absolute) const { return prefix_ + std::string(absolute); }
  // A recorded tree is made of plain files, which do not tell their readers when they vanish; see ValueFile.
  bool recorded() const { return !prefix_.empty(); }

  bool exists(std::string_view absolute) const;
  // Names in a folder, numbers in them counted as numbers: policy2 before policy10. Empty when it is not there.
  std::vector<std::string> names(std::string_view folder) const;
  // A whole small file without its last newline; absent when it cannot be read.
  std::optional<std::string> text(std::string_view absolute) const;
  std::optional<std::int64_t> number(std::string_view absolute) const;
  // Last name of what a link leads to: the PCI address behind /sys/class/drm/card0/device.
  std::optional<std::string> link(std::string_view absolute) const;

private:
  std::string prefix_;
};

} // namespace zeroth::sysman
