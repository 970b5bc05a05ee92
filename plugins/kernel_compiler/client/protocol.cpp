#include "protocol.hpp"

#include "wire.hpp"

#include <cerrno>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

namespace zeroth::compiler {
namespace {

constexpr size_t max_descriptors = 4;

void write(WireWriter& out, const CompileRequest& request) {
  out.number(uint32_t{ZEROTH_KERNEL_ABI_VERSION});
  out.text(request.cpu.name);
  out.text(request.cpu.features);
  out.number(request.vector_width);
  out.text(request.engine);
  out.number(uint8_t{request.quick});
  out.list(request.inputs, [&](const ModuleInput& input) {
    out.bytes(input.spirv);
    out.text(input.options);
    out.list(input.constants, [&](const SpecConstant& c) {
      out.number(c.id);
      out.bytes(c.value);
    });
  });
}

SpecConstant read_constant(WireReader& in) {
  SpecConstant c;
  c.id = in.number<uint32_t>();
  const auto value = in.bytes();
  c.value.assign(value.begin(), value.end());
  return c;
}

RequestTerms read_terms(WireReader& in) {
  RequestTerms terms;
  terms.key = in.text();
  terms.memory_limit = in.number<uint64_t>();
  terms.time_limit_ms = in.number<uint32_t>();
  terms.cache_folder = in.text();
  terms.cache_limit = in.number<uint64_t>();
  return terms;
}

} // namespace

RequestTerms decode_terms(Bytes head) {
  WireReader in(head);
  return read_terms(in);
}

std::vector<std::byte> encode_for_key(const CompileRequest& request) {
  WireWriter out;
  write(out, request);
  return out.take();
}

std::vector<std::byte> encode_request(Bytes body, const RequestTerms& terms) {
  WireWriter out;
  out.text(terms.key);
  out.number(terms.memory_limit);
  out.number(terms.time_limit_ms);
  out.text(terms.cache_folder.size() < terms_limit / 2 ? terms.cache_folder : "");
  out.number(terms.cache_limit);
  auto data = out.take();
  data.insert(data.end(), body.begin(), body.end());
  return data;
}

WorkerRequest decode_request(Bytes data) {
  WireReader in(data);
  WorkerRequest w;
  w.terms = read_terms(in);
  if (in.number<uint32_t>() != ZEROTH_KERNEL_ABI_VERSION) throw WireError("client and worker differ in version");
  w.request.cpu.name = in.text();
  w.request.cpu.features = in.text();
  w.request.vector_width = in.number<uint32_t>();
  w.request.engine = in.text();
  w.request.quick = in.flag();
  w.request.inputs = in.list<ModuleInput>([&] {
    ModuleInput input;
    const auto spirv = in.bytes();
    w.storage.emplace_back(spirv.begin(), spirv.end());
    input.options = in.text();
    input.constants = in.list<SpecConstant>([&] { return read_constant(in); });
    return input;
  });
  for (size_t i = 0; i < w.storage.size(); ++i) w.request.inputs[i].spirv = w.storage[i];
  return w;
}

bool send_message(int socket, Bytes data, std::span<const int> descriptors) {
  iovec part{const_cast<std::byte*>(data.data()), data.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(max_descriptors * sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
  }
  ssize_t sent;
  do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(data.size());
}

Message receive_message(int socket) {
  Message result;
  result.data.resize(frame_limit);
  iovec part{result.data.data(), result.data.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(max_descriptors * sizeof(int))];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t received;
  do received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (received < 0 && errno == EINTR);
  result.data.resize(received > 0 ? received : 0);
  if (received < 0) return result;
  for (cmsghdr* h = CMSG_FIRSTHDR(&message); h; h = CMSG_NXTHDR(&message, h)) {
    if (h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (h->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    result.descriptors.resize(count);
    std::memcpy(result.descriptors.data(), CMSG_DATA(h), count * sizeof(int));
  }
  return result;
}

} // namespace zeroth::compiler
