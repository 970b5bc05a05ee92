// What client and worker say to each other.
//
// The client holds one end of a SEQPACKET socket pair, the worker's dispatcher the other (descriptor 3): closing it
// ends the worker. A compile is one message on it, carrying two descriptors: a file with the encoded request, and the
// worker's end of a SEQPACKET pair made for this request. On that pair come frames, each one datagram: any number of
// Log, then one of Done (with the finished file as descriptor), Failed, or Died (from the dispatcher, when the
// compiling process ended without an answer). End of file without a final frame: the whole worker is gone.
#pragma once

#include "kernel_compiler.hpp"

namespace zeroth::compiler {

inline constexpr int worker_control_fd = 3;
inline constexpr std::byte request_message{'C'};
inline constexpr size_t frame_limit = 32 << 10;

enum class Frame : uint8_t {
  Log,    // text: a piece of the build log
  Done,   // descriptor: the finished native binary
  Failed, // the input is at fault; the log has said why
  Died,   // text: how the compiling process ended
  Killed, // text: the same, by a signal from outside: worth another try
};

// How a request is to be served; it begins with these.
struct RequestTerms {
  std::string key;           // goes into the result's metadata
  uint64_t memory_limit = 0; // bytes of address space that a compile may add
  uint32_t time_limit_ms = 0;
  // Where a result goes that nobody waits for any more: the cache's folder, "" for none, and its bound.
  std::string cache_folder;
  uint64_t cache_limit = 0;
};

struct WorkerRequest {
  CompileRequest request;
  std::vector<std::vector<std::byte>> storage; // of decoded inputs; request.inputs point here
  RequestTerms terms;
};

// `body` is what encode_for_key() made.
std::vector<std::byte> encode_request(Bytes body, const RequestTerms& terms);
// Throw WireError.
WorkerRequest decode_request(Bytes data);
RequestTerms decode_terms(Bytes head); // of an encoded request, or the beginning of one
inline constexpr size_t terms_limit = 8 << 10;

// Only what decides the result: what the cache is keyed by.
std::vector<std::byte> encode_for_key(const CompileRequest& request);

// Small wrappers over sendmsg and recvmsg: never raise SIGPIPE, retry on EINTR, received descriptors are close-on-exec.
bool send_message(int socket, Bytes data, std::span<const int> descriptors = {});
struct Message {
  std::vector<std::byte> data;  // empty: end of file or error
  std::vector<int> descriptors; // the receiver owns them
};
Message receive_message(int socket);

} // namespace zeroth::compiler
