#include "in_process.hpp"

#include <dlfcn.h>
#include <mutex>

namespace zeroth::compiler {
namespace {

class InProcessReply final : public PendingCompile {
public:
  InProcessReply(InProcessCompile compile, std::string compiler_id, std::vector<std::byte> request)
      : compile_(compile), compiler_id_(std::move(compiler_id)), request_(std::move(request)) {}

  bool wait(Deadline) override {
    if (ended_) return true;
    const InProcessCall call{request_.data(), request_.size(), compiler_id_.c_str(), this, &write_log, &finish};
    reply_.failed = compile_(&call) != 0;
    return ended_ = true;
  }
  CompileReply take() override { return std::move(reply_); }

private:
  static void write_log(void* context, const char* text, size_t size) {
    static_cast<InProcessReply*>(context)->reply_.log.append(text, size);
  }
  static void finish(void* context, const std::byte* file, size_t size) {
    static_cast<InProcessReply*>(context)->reply_.file.assign(file, file + size);
  }

  const InProcessCompile compile_;
  const std::string compiler_id_;
  const std::vector<std::byte> request_;
  CompileReply reply_;
  bool ended_ = false;
};

class InProcess final : public Backend {
public:
  InProcess(std::string library, std::string compiler_id)
      : library_(std::move(library)), compiler_id_(std::move(compiler_id)) {}

  std::unique_ptr<PendingCompile> start(std::vector<std::byte> request, std::chrono::milliseconds) override {
    std::call_once(once_, [this] { open(); });
    if (!compile_) throw CompileError(CompileError::Kind::Unavailable, failure_);
    return std::make_unique<InProcessReply>(compile_, compiler_id_, std::move(request));
  }
  uint32_t processes() const override { return 0; }

private:
  // Never closed: LLVM's own statics have no life after it.
  void open() {
    void* handle = library_.empty() ? nullptr : dlopen(library_.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle) compile_ = reinterpret_cast<InProcessCompile>(dlsym(handle, in_process_symbol));
    if (compile_) return;
    const char* why = library_.empty() ? nullptr : dlerror();
    failure_ = "the compiler library zeroth_kernelc.so cannot be used: " + std::string(why ? why : "it was not found");
  }

  const std::string library_, compiler_id_;
  std::once_flag once_;
  InProcessCompile compile_ = nullptr;
  std::string failure_;
};

} // namespace

std::unique_ptr<Backend> make_in_process_backend(const std::string& library, const std::string& compiler_id) {
  return std::make_unique<InProcess>(library, compiler_id);
}

} // namespace zeroth::compiler
