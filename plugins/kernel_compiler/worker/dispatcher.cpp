#include "dispatcher.hpp"

#include "../cache/cache.hpp"
#include "../client/memory_file.hpp"
#include "../client/wire.hpp"
#include "compile_process.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

namespace zeroth::compiler {
namespace {

// The priority of compiles that nobody waits for.
constexpr int patient = 10;
constexpr std::chrono::milliseconds longest_afterlife{60'000}; // of each

void send_last_word(const Descriptor& reply, Frame frame, const std::string& text) {
  std::vector<std::byte> data = {std::byte(frame)};
  const auto raw = std::as_bytes(std::span(text.data(), text.size()));
  data.insert(data.end(), raw.begin(), raw.end());
  send_message(reply.get(), data);
}

RequestTerms terms_of(const Descriptor& request) {
  try {
    std::vector<std::byte> head(terms_limit);
    const ssize_t size = pread(request.get(), head.data(), head.size(), 0);
    return decode_terms(Bytes(head).first(size > 0 ? size : 0));
  } catch (const WireError&) {
    return {}; // not a request: the compile process will say so
  }
}

// Whoever asks next will find it.
void publish(const RequestTerms& terms, const Message& message) {
  if (message.descriptors.size() != 1) return;
  const Descriptor file(message.descriptors[0]);
  const auto key = from_hex(terms.key);
  if (!key || terms.cache_folder.empty()) return;
  try {
    Cache(terms.cache_folder, terms.cache_limit).store(*key, read_all(file.get()));
  } catch (const std::exception&) {
    // A cache that cannot be written is none.
  }
}

} // namespace

Dispatcher::Dispatcher(int control, std::string compiler_id) : control_(control), compiler_id_(std::move(compiler_id)) {
  if (const Message hello = receive_message(control_.get()); hello.data.size() >= 2)
    most_processes_ = std::max(1, std::to_integer<int>(hello.data[0]) | std::to_integer<int>(hello.data[1]) << 8);
  else
    control_.reset(); // not started by a client: there is nobody to serve
}

void Dispatcher::run() {
  while (control_ || has_work()) {
    if (control_) keep_spare();
    std::vector<pollfd> entries = {{control_.get(), POLLIN, 0}};
    for (const Process& process : processes_) entries.push_back({process.socket.get(), POLLIN, 0});
    if (poll(entries.data(), entries.size(), poll_timeout()) < 0 && errno != EINTR) return;
    for (size_t i = 1; i < entries.size(); ++i)
      if (entries[i].revents) hear_from(processes_[i - 1]);
    std::erase_if(processes_, [](const Process& process) { return process.pid == 0; });
    kill_overdue();
    if (entries[0].revents && !receive_job()) outlive_client();
    assign_jobs();
  }
}

bool Dispatcher::has_work() const { return !jobs_.empty() || std::ranges::any_of(processes_, &Process::busy); }

void Dispatcher::outlive_client() {
  control_.reset();
  std::erase_if(jobs_, [](const Job& job) { return job.terms.cache_folder.empty(); });
  const auto end = Clock::now() + longest_afterlife;
  for (Job& job : jobs_)
    if (job.terms.time_limit_ms == 0) job.terms.time_limit_ms = static_cast<uint32_t>(longest_afterlife.count());
  for (Process& process : processes_) {
    process.deadline = std::min(process.deadline, end);
    if (process.busy && process.terms.cache_folder.empty()) kill(process.pid, SIGKILL);
  }
  if (setpriority(PRIO_PROCESS, 0, patient) != 0) { /* at its usual one, then */
  }
  for (const Process& process : processes_) setpriority(PRIO_PROCESS, static_cast<id_t>(process.pid), patient);
}

bool Dispatcher::receive_job() {
  Message message = receive_message(control_.get());
  if (message.data.empty()) return false;
  std::vector<Descriptor> descriptors;
  for (int fd : message.descriptors) descriptors.emplace_back(fd);
  if (descriptors.size() != 2) return true;
  RequestTerms terms = terms_of(descriptors[0]);
  jobs_.push_back({std::move(descriptors[0]), std::move(descriptors[1]), std::move(terms)});
  return true;
}

void Dispatcher::assign_jobs() {
  while (!jobs_.empty()) {
    auto idle = std::ranges::find_if(processes_, [](const Process& p) { return !p.busy && !p.leaving; });
    if (idle == processes_.end()) {
      if (std::ranges::count_if(processes_, &Process::busy) >= static_cast<ptrdiff_t>(most_processes_)) return;
      start_process();
      idle = processes_.end() - 1;
    }
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    const int descriptors[] = {job.request.get(), job.reply.get()};
    send_message(idle->socket.get(), std::span(&request_message, 1), descriptors);
    idle->busy = true;
    idle->reply = std::move(job.reply);
    const std::chrono::milliseconds limit(job.terms.time_limit_ms);
    idle->deadline = limit.count() ? Clock::now() + limit : Clock::time_point::max();
    idle->terms = std::move(job.terms);
  }
}

void Dispatcher::keep_spare() {
  const bool has_idle = std::ranges::any_of(processes_, [](const Process& p) { return !p.busy && !p.leaving; });
  if (!has_idle && processes_.size() < most_processes_) start_process();
}

void Dispatcher::start_process() {
  int fds[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0) return;
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) std::_Exit(0);
    // Nothing of other requests or of the client's socket may stay open here: their ends must be seen.
    processes_.clear();
    jobs_.clear();
    control_.reset();
    close(fds[0]);
    run_compile_process(fds[1], compiler_id_);
  }
  close(fds[1]);
  Process process{};
  process.pid = pid;
  process.socket = Descriptor(fds[0]);
  if (pid > 0) processes_.push_back(std::move(process));
}

void Dispatcher::hear_from(Process& process) {
  const Message message = receive_message(process.socket.get());
  if (message.data.empty()) return bury(process);
  if (message.data[0] == unwanted_message) return publish(process.terms, message);
  process.busy = false;
  process.leaving = message.data[0] == std::byte{'X'};
  process.reply.reset();
  process.deadline = Clock::time_point::max();
}

void Dispatcher::bury(Process& process) {
  int status = 0;
  while (waitpid(process.pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (process.busy) {
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (process.over_time)
      send_last_word(process.reply, Frame::Died, "the compiler was stopped: time limit reached\n");
    else if (signal == SIGKILL || signal == SIGTERM)
      send_last_word(process.reply, Frame::Killed, "the compiler was killed\n");
    else if (signal)
      send_last_word(process.reply, Frame::Died, std::string("the compiler crashed: ") + strsignal(signal) + "\n");
    else
      send_last_word(process.reply, Frame::Died, "the compiler gave up\n");
  }
  process.pid = 0;
}

void Dispatcher::kill_overdue() {
  const auto now = Clock::now();
  for (Process& process : processes_) {
    if (!process.busy || process.deadline > now || process.over_time) continue;
    process.over_time = true;
    kill(process.pid, SIGKILL);
  }
}

int Dispatcher::poll_timeout() const {
  auto first = Clock::time_point::max();
  for (const Process& process : processes_)
    if (process.busy && !process.over_time) first = std::min(first, process.deadline);
  if (first == Clock::time_point::max()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(first - Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, 60'000));
}

} // namespace zeroth::compiler
