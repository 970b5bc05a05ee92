// Wakes threads that are blocked in a listen call: when events are registered meanwhile, or a record was written.
//
// Any thread. A ring that comes while nobody waits is kept for the next wait.
#pragma once

#include <chrono>
#include <mutex>
#include <vector>

namespace zeroth::sysman {

class Bell {
public:
  void ring() noexcept;

  // One waiting call's ear at the bell. It also hears the kernel's notices of devices that come and go.
  class Ear {
  public:
    Ear(Bell& bell, bool devices);
    ~Ear();
    Ear(const Ear&) = delete;
    Ear& operator=(const Ear&) = delete;
    enum class Woken { Time, Bell, Device };
    // Until the bell rings, a device comes or goes, or the time is over.
    Woken wait(std::chrono::milliseconds most) noexcept;
    bool hears_devices() const { return devices_ >= 0; }

  private:
    Bell& bell_;
    int event_ = -1;
    int devices_ = -1;
  };

private:
  std::mutex mutex_; // guards the list
  std::vector<int> ears_;
};

// The process's one.
Bell& bell();

} // namespace zeroth::sysman
