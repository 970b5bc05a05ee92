#include "plugin_host/library.hpp"

#include <sdk/size_signal.hpp>

#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string_view>

#define BOOST_DLL_USE_STD_FS
#include <boost/dll/shared_library.hpp>
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace zeroth {
namespace {

std::atomic<bool> exiting{false};

// Runs before the destructors of everything that was complete when the first library was loaded.
void watch_exit() {
  static std::once_flag once;
  std::call_once(once, [] { std::atexit([] { exiting = true; }); });
}

class LoadedLibrary final : public Library {
public:
  LoadedLibrary(boost::dll::shared_library library, std::string path)
      : library_(std::move(library)), path_(std::move(path)) {}
  ~LoadedLibrary() override {
    if (!exiting) library_.~shared_library();
  }

  void* symbol(const char* name) const noexcept override { return ::dlsym(library_.native(), name); }
  std::string path() const override { return path_; }

private:
  union { // so that nothing but the destructor above ends it
    boost::dll::shared_library library_;
  };
  std::string path_;
};

// The text up to a separator.
std::string_view up_to(std::string_view text, std::string_view end) { return text.substr(0, text.find(end)); }

// glibc's and musl's loaders say what is missing only in words.
Library::Failure classify(const std::string& file, std::string_view message) {
  if (const auto at = message.find("undefined symbol: "); at != std::string_view::npos) {
    const std::string symbol(up_to(up_to(message.substr(at + 18), " "), ","));
    return {PluginFault::SymbolMissing, fmt::format("it needs the symbol `{}`, which nothing provides", symbol),
            "install the version of its libraries that it was built with"};
  }
  const bool not_there = message.find("cannot open shared object file: No such file") != std::string_view::npos;
  const std::string missing(up_to(message, ":"));
  if (not_there && missing == file)
    return {PluginFault::NotFound, "the system's library search does not find it", "install it, or give its path"};
  if (not_there)
    return {PluginFault::DependencyMissing, fmt::format("it needs the library {}, which is not there", missing),
            fmt::format("install {}", missing)};
  return {PluginFault::LoadFailed, std::string(message), {}};
}

// A file descriptor that closes itself.
struct Descriptor {
  int value;
  ~Descriptor() {
    if (value >= 0) ::close(value);
  }
};

bool copy_bytes(int from, int to) {
  const SizeSignalHeldBack held_back;
  std::array<char, 65536> buffer;
  while (true) {
    const ssize_t size = ::read(from, buffer.data(), buffer.size());
    if (size <= 0) return size == 0;
    for (ssize_t done = 0; done < size;) {
      const ssize_t part = ::write(to, buffer.data() + done, static_cast<std::size_t>(size - done));
      if (part < 0) return false;
      done += part;
    }
  }
}

// The system's loader knows an object by its path, too: each copy needs one of its own although descriptor numbers
// repeat.
std::string path_of_descriptor(int descriptor) {
  static std::atomic<unsigned> copies{0};
  return fmt::format("/proc/self/fd/{}{}", std::string(copies++, '/'), descriptor);
}

boost::dll::load_mode::type mode_of(const std::string& file) {
  namespace load_mode = boost::dll::load_mode;
  // Now, since a missing symbol must show here and not at some later call.
  const load_mode::type mode = load_mode::rtld_now | load_mode::rtld_local;
  return file.find('/') == std::string::npos ? mode | load_mode::search_system_folders : mode;
}

std::string path_of(const boost::dll::shared_library& library) {
  struct link_map* map = nullptr;
  if (::dlinfo(const_cast<boost::dll::shared_library&>(library).native(), RTLD_DI_LINKMAP, &map) != 0) return {};
  return map->l_name;
}

std::shared_ptr<Library> open_library(const std::string& file, const std::string& shown, Library::Failure& failure) {
  boost::dll::fs::error_code error;
  boost::dll::shared_library library(file, error, mode_of(file));
  if (error || !library.is_loaded()) {
    const char* message = ::dlerror();
    failure = classify(file, message ? message : error.message());
    return nullptr;
  }
  std::string path = shown.empty() ? path_of(library) : shown;
  return std::make_shared<LoadedLibrary>(std::move(library), std::move(path));
}

} // namespace

bool process_is_exiting() noexcept { return exiting; }

std::shared_ptr<Library> Library::load(const std::string& file, bool private_copy, Failure& failure) {
  watch_exit();
  if (!private_copy || file.find('/') == std::string::npos) return open_library(file, {}, failure);
  const Descriptor original{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
  const Descriptor copy{::memfd_create("zeroth-plugin", MFD_CLOEXEC)};
  if (original.value < 0 || copy.value < 0 || !copy_bytes(original.value, copy.value)) {
    failure = {PluginFault::LoadFailed, "no private copy of it could be made", "give each entry a file of its own"};
    return nullptr;
  }
  return open_library(path_of_descriptor(copy.value), file, failure);
}

} // namespace zeroth
