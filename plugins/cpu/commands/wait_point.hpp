// Something to wait for: a one-shot signal, a timeline at a value, or a word that others write.
#pragma once
#include "../execute/sync_word.hpp"
#include "../execute/timeline.hpp"
#include "../execute/watch.hpp"

namespace zeroth::cpu {

class WaitPoint {
public:
  static WaitPoint at(SyncWord& word) { return {Kind::Word, &word, word.life()}; }
  static WaitPoint at_shared(SyncWord& word) { return {Kind::SharedWord, &word.shared_word(), 0}; }
  static WaitPoint at(Timeline& timeline, std::uint64_t value) { return {Kind::Timeline, &timeline, value}; }
  // `announced`: whoever writes the word wakes those who sleep on it.
  static WaitPoint at(std::atomic<std::uint64_t>& memory, std::uint64_t value, bool announced) {
    return {announced ? Kind::AnnouncedMemory : Kind::Memory, &memory, value};
  }
  WaitPoint() = default;

  bool passed() const {
    if (kind_ == Kind::Timeline) return timeline().reached(value_);
    if (kind_ == Kind::Word) return word().signalled() && word().life() == value_;
    return watched().passed();
  }
  // True: `waiter` was registered, will be or has been released; the caller lets go of it.
  bool await(Waiter& waiter) const {
    if (kind_ == Kind::Timeline) return timeline().await(waiter, value_);
    if (kind_ == Kind::Word) return word().await(waiter, static_cast<std::uint32_t>(value_));
    Watch::shared().add(watched(), waiter);
    return true;
  }
  bool sleep_until(std::uint64_t deadline) const {
    if (kind_ == Kind::Timeline) return timeline().sleep_until(value_, deadline);
    if (kind_ == Kind::Word) return word().sleep_until(deadline);
    return watched().sleep_until(deadline);
  }

  bool is_at(const Timeline* timeline) const { return timeline && at_ == timeline; }
  // Null if it is none.
  Timeline* awaited_timeline() const { return kind_ == Kind::Timeline ? &timeline() : nullptr; }
  // What a program may read or wait for by itself.
  const void* address() const { return kind_ == Kind::Timeline ? timeline().address() : at_; }
  std::uint64_t value() const { return value_; }

private:
  enum class Kind : std::uint8_t { Word, SharedWord, Timeline, Memory, AnnouncedMemory };

  WaitPoint(Kind kind, void* at, std::uint64_t value) : at_(at), value_(value), kind_(kind) {}
  Timeline& timeline() const { return *static_cast<Timeline*>(at_); }
  SyncWord& word() const { return *static_cast<SyncWord*>(at_); }
  WatchedWord watched() const {
    auto* word = static_cast<std::atomic<std::uint64_t>*>(at_);
    if (kind_ == Kind::SharedWord) return {word, 0, WatchedWord::Test::Signalled, true};
    return {word, value_, WatchedWord::Test::AtLeast, kind_ == Kind::AnnouncedMemory};
  }

  void* at_ = nullptr;
  std::uint64_t value_ = 0;
  Kind kind_ = Kind::Word;
};

} // namespace zeroth::cpu
