// zeroth_kernelc.so: the compiler for hosts that cannot start processes (client/in_process.hpp).
#include "../client/in_process.hpp"
#include "../client/protocol.hpp"
#include "build_log.hpp"
#include "link_object.hpp"
#include "pipeline.hpp"

#include <exception>
#include <mutex>

namespace zeroth::compiler {
namespace {

class CallbackLog final : public BuildLog {
public:
  explicit CallbackLog(const InProcessCall& call) : call_(call) {}
  void write(std::string_view text) override { call_.write_log(call_.context, text.data(), text.size()); }

private:
  const InProcessCall& call_;
};

// lld keeps its state in globals: one compile at a time.
std::mutex one_at_a_time;

} // namespace
} // namespace zeroth::compiler

extern "C" __attribute__((visibility("default"))) int
zeroth_compile_in_process(const zeroth::compiler::InProcessCall* call) {
  using namespace zeroth::compiler;
  static std::once_flag once;
  std::call_once(once, [] {
    initialize_pipeline();
    set_link_output(LinkOutput::TemporaryFolder);
  });
  CallbackLog log(*call);
  try {
    const std::lock_guard guard(one_at_a_time);
    const WorkerRequest request = decode_request({call->request, call->request_size});
    const auto file = build(request, call->compiler_id, log);
    call->finish(call->context, file.data(), file.size());
    return 0;
  } catch (const std::exception& error) {
    log.line(error.what());
    return 1;
  }
}
