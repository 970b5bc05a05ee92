// Hands out descriptors of exported files over a socket, for systems where a process may not take them from another by
// itself. One thread per process, started by the first export; it sleeps until somebody asks.
//
// Who may ask: processes of the same user that name the file's secret, which only a handle tells.
// Threads: any. After fork() the child has a broker of its own.
#pragma once
#include "shared_file.hpp"

#include <memory>

namespace zeroth::cpu {

class Broker {
public:
  static Broker& shared();

  // What handles carry to find this broker.
  std::uint64_t address() const { return address_; }

  void offer(std::uint64_t secret, int file);
  void withdraw(std::uint64_t secret) noexcept;

  // Asks the broker of another process. An empty descriptor: nobody answers, or it knows no such file.
  static Descriptor ask(int process, std::uint64_t address, std::uint64_t secret);

private:
  Broker();
  void serve() noexcept;
  void answer(int client) noexcept;

  struct Offers;
  std::uint64_t address_ = 0;
  Descriptor socket_;
  std::unique_ptr<Offers> offers_;
};

} // namespace zeroth::cpu
