#include "compile_process.hpp"

#include "../client/memory_file.hpp"
#include "../client/protocol.hpp"
#include "../client/wire.hpp"
#include "pipeline.hpp"
#include "sandbox.hpp"

#include <cstdio>
#include <cstdlib>
#include <llvm/Support/ErrorHandling.h>
#include <sys/resource.h>

namespace zeroth::compiler {
namespace {

// Replaced by a fresh one when its heap has grown beyond this: one large module must not stay in memory for ever.
constexpr uint64_t comfortable_pages = (uint64_t{384} << 20) / 4096;
constexpr int most_requests = 256;

bool send_frame(int socket, Frame frame, std::string_view text, std::span<const int> descriptors = {}) {
  std::vector<std::byte> data = {std::byte(frame)};
  const auto raw = std::as_bytes(std::span(text.data(), text.size()));
  data.insert(data.end(), raw.begin(), raw.end());
  return send_message(socket, data, descriptors);
}

class SocketLog final : public BuildLog {
public:
  explicit SocketLog(int socket) : socket_(socket) {}
  void write(std::string_view text) override {
    all_ += text;
    for (; !text.empty(); text.remove_prefix(std::min(text.size(), frame_limit - 1)))
      send_frame(socket_, Frame::Log, text.substr(0, frame_limit - 1));
  }

private:
  int socket_;
  std::string all_;
};

// LLVM calls these and does not expect them to return: the process ends, the dispatcher tells the client.
BuildLog* current_log = nullptr;
void report_fatal(void*, const char* reason, bool) {
  if (current_log) current_log->line(std::string("compiler error: ") + reason);
  std::_Exit(1);
}
void report_out_of_memory(void*, const char*, bool) {
  constexpr std::string_view text = "the compiler ran out of memory\n";
  if (current_log) current_log->write(text);
  std::_Exit(1);
}

uint64_t mapped_bytes() {
  unsigned long pages = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(file, "%lu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return uint64_t{pages} * 4096;
}

uint64_t resident_pages() {
  unsigned long size = 0, resident = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(file, "%lu %lu", &size, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident;
}

void limit_memory(uint64_t more) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  if (more == 0) return;
  const rlimit limit{mapped_bytes() + more, RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &limit);
#else
  static_cast<void>(more);
  static_cast<void>(mapped_bytes);
#endif
}

void serve(int dispatcher, int request_file, int reply, const std::string& compiler_id) {
  SocketLog log(reply);
  current_log = &log;
  try {
    const auto data = read_all(request_file);
    const WorkerRequest request = decode_request(data);
    limit_memory(request.terms.memory_limit);
    const auto file = build(request, compiler_id, log);
    const Descriptor result = make_memory_file("zeroth-kernels");
    write_all(result.get(), file);
    const int descriptors[] = {result.get()};
    if (!send_frame(reply, Frame::Done, "", descriptors))
      send_message(dispatcher, std::span(&unwanted_message, 1), descriptors);
  } catch (const std::bad_alloc&) {
    send_frame(reply, Frame::Failed, "the compiler ran out of memory\n");
  } catch (const std::exception& error) {
    log.line(error.what());
    send_frame(reply, Frame::Failed, "");
  }
  current_log = nullptr;
}

} // namespace

void run_compile_process(int socket, const std::string& compiler_id) {
  enter_sandbox();
  llvm::install_fatal_error_handler(report_fatal);
  llvm::install_bad_alloc_error_handler(report_out_of_memory);
  for (int served = 0; served < most_requests; ++served) {
    Message message = receive_message(socket);
    if (message.data.empty() || message.descriptors.size() != 2) break;
    const Descriptor request(message.descriptors[0]), reply(message.descriptors[1]);
    serve(socket, request.get(), reply.get(), compiler_id);
    // The last word before leaving tells the dispatcher not to send more.
    const bool leave = served + 1 == most_requests || resident_pages() > comfortable_pages;
    const std::byte answer{static_cast<uint8_t>(leave ? 'X' : 'D')};
    send_message(socket, std::span(&answer, 1));
    if (leave) break;
  }
  std::_Exit(0);
}

} // namespace zeroth::compiler
