#include "loaded_module.hpp"

#include "host_cpu.hpp"
#include "memory_file.hpp"
#include "native_format.hpp"

#include "digest.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <system_error>

namespace zeroth::compiler {
namespace {

[[noreturn]] void invalid(const std::string& why) {
  throw CompileError(CompileError::Kind::InvalidNativeBinary, "native binary: " + why);
}

// The loader takes a path it has seen for the object it has loaded from it, and descriptor numbers come again. So each
// path is spelled differently: the bits of a counter as "/" and "/." between the folder and the number. The process is
// named by its number, because debuggers read what the path names.
std::string unique_path(int fd) {
  static std::atomic<uint64_t> counter{0};
  std::string path = "/proc/" + std::to_string(getpid()) + "/fd";
  for (uint64_t bits = ++counter; bits; bits >>= 1) path += bits & 1 ? "/." : "/";
  return path + "/" + std::to_string(fd);
}

bool has_lines(Bytes file) {
  constexpr std::string_view section = ".debug_line";
  const auto bytes = std::as_bytes(std::span(section));
  return std::search(file.begin(), file.end(), bytes.begin(), bytes.end()) != file.end();
}

// A profiler reads its objects when the process is gone: $ZEROTH_KEEP_KERNELS names a folder where those with source
// lines are left for it. Empty: not asked for, or it cannot be written.
std::string kept_file(Bytes content) {
  const char* folder = secure_getenv("ZEROTH_KEEP_KERNELS");
  if (!folder || !*folder || !has_lines(content)) return "";
  Hasher hasher;
  hasher.update(content);
  const std::string path = std::string(folder) + "/" + to_hex(hasher.finish()).substr(0, 16) + ".so";
  std::string temporary = path + ".XXXXXX";
  Descriptor file(mkostemp(temporary.data(), O_CLOEXEC));
  if (!file) return "";
  write_all(file.get(), content);
  return rename(temporary.c_str(), path.c_str()) == 0 ? path : "";
}

// The loader wants a path. The one through /proc needs neither a folder nor a clean-up; without /proc a temporary file.
void* open_shared_object(const Descriptor& file, Bytes content) {
  constexpr int mode = RTLD_NOW | RTLD_LOCAL;
  if (const std::string kept = kept_file(content); !kept.empty())
    if (void* handle = dlopen(kept.c_str(), mode)) return handle;
  const std::string path = unique_path(file.get());
  if (void* handle = dlopen(path.c_str(), mode)) return handle;
  const char* folder = secure_getenv("TMPDIR");
  std::string name = std::string(folder && *folder ? folder : P_tmpdir) + "/zeroth-XXXXXX";
  Descriptor copy(mkostemp(name.data(), O_CLOEXEC));
  if (!copy) return nullptr;
  write_all(copy.get(), content);
  void* handle = dlopen(name.c_str(), mode);
  unlink(name.c_str());
  return handle;
}

class LoadedModule final : public CompiledModule {
public:
  LoadedModule(std::vector<std::byte> file, ModuleMetadata metadata, Descriptor descriptor)
      : file_(std::move(file)), log_(std::move(metadata.build_log)), constants_(std::move(metadata.constants)) {
    if (!descriptor) {
      descriptor = make_memory_file("zeroth-kernels");
      write_all(descriptor.get(), file_);
    }
    handle_ = open_shared_object(descriptor, file_);
    if (has_lines(file_)) descriptor_ = std::move(descriptor);
    if (!handle_) invalid(std::string("cannot be mapped: ") + last_error());
    for (auto& kernel : metadata.kernels) {
      const bool complete = metadata.imports.empty();
      if (complete) kernel.info.entry = reinterpret_cast<zeroth_kernel_fn>(dlsym(handle_, kernel.symbol.c_str()));
      if (complete && !kernel.info.entry) refuse("kernel " + kernel.info.name + " has no code");
      kernels_.push_back(std::move(kernel.info));
    }
    for (auto& symbol : metadata.exports) {
      symbol.info.address = dlsym(handle_, symbol.symbol.c_str());
      if (!symbol.info.address) refuse("symbol " + symbol.info.name + " is missing");
      exports_.push_back(std::move(symbol.info));
    }
    for (auto& symbol : metadata.imports) imports_.push_back(std::move(symbol.info));
    slots_ = std::vector<KernelSlot>(kernels_.size());
    for (size_t i = 0; i < kernels_.size(); ++i) slots_[i].store(&kernels_[i]);
  }
  ~LoadedModule() override {
    if (handle_) dlclose(handle_);
  }

  const std::vector<KernelInfo>& kernels() const override { return kernels_; }
  const KernelSlot& prepare(size_t kernel) const override { return slots_.at(kernel); }
  const std::vector<SymbolInfo>& exports() const override { return exports_; }
  const std::vector<SymbolInfo>& imports() const override { return imports_; }
  const std::vector<SpecConstantInfo>& constants() const override { return constants_; }
  const std::string& build_log() const override { return log_; }
  Bytes native_binary() const override { return file_; }

private:
  static std::string last_error() {
    const char* text = dlerror();
    return text ? text : "unknown reason";
  }
  [[noreturn]] void refuse(const std::string& why) {
    dlclose(std::exchange(handle_, nullptr));
    invalid(why);
  }

  std::vector<std::byte> file_;
  std::string log_;
  std::vector<SpecConstantInfo> constants_;
  std::vector<KernelInfo> kernels_;
  std::vector<KernelSlot> slots_;
  std::vector<SymbolInfo> exports_, imports_;
  void* handle_ = nullptr;
  Descriptor descriptor_; // with source lines: a debugger that comes later opens it
};

} // namespace

ModulePtr load_module(std::vector<std::byte> file, Descriptor descriptor) {
  ModuleMetadata metadata = read_native(file);
  if (metadata.abi_version != ZEROTH_KERNEL_ABI_VERSION)
    invalid("made for kernel ABI " + std::to_string(metadata.abi_version) + ", this is " +
            std::to_string(ZEROTH_KERNEL_ABI_VERSION));
  if (const std::string feature = missing_feature(metadata.cpu.features); !feature.empty())
    invalid("made for a CPU with " + feature + ", which this one lacks");
  try {
    return std::make_shared<LoadedModule>(std::move(file), std::move(metadata), std::move(descriptor));
  } catch (const std::system_error& error) {
    invalid(error.what());
  }
}

} // namespace zeroth::compiler
