#include "executor.hpp"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace zeroth::cpu {
namespace {

Executor& shared_executor() {
  static Executor& executor = *new Executor({.threads = 3}); // its threads outlive main, like a device's
  return executor;
}

struct Counting : Runnable {
  std::atomic<int> runs{0};
  void make_ready(Executor& executor) {
    state_.store(State::Ready);
    executor.submit(*this);
  }
  void run(Worker&) override {
    state_.store(State::Idle);
    runs.fetch_add(1);
  }
};

TEST(Executor, RunsWhatIsSubmittedWithoutAnybodyWaiting) {
  for (int round = 0; round < 200; ++round) {
    Counting task;
    task.make_ready(shared_executor());
    while (task.runs == 0) std::this_thread::yield();
    if (round % 50 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5)); // into doze and park
    while (task.runs != 1) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(10));
  }
}

TEST(Executor, ADozingThreadComesWhenItIsWaitedFor) {
  constexpr std::uint64_t Hour = 3'600'000'000'000;
  static Executor& executor =
      *new Executor({.threads = 2, .spin_ns = 0, .doze_ns = 2 * Hour, .shortest_nap_ns = Hour, .longest_nap_ns = Hour});
  for (int round = 0; round < 20; ++round) {
    Counting task;
    task.make_ready(executor);
    while (task.runs == 0) {
      executor.hurry();
      std::this_thread::yield();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2)); // one naps, the other is parked
  }
}

TEST(Executor, TakesUpTheHighestPriorityFirst) {
  static Executor& executor = *new Executor({.threads = 1, .patience_ns = 3'600'000'000'000'000});
  struct Noting : Runnable {
    std::vector<char>* order = nullptr;
    std::atomic<int>* done = nullptr;
    char name = 0;
    void make_ready(Priority priority) {
      set_priority(priority);
      state_.store(State::Ready);
      executor.submit(*this);
    }
    void run(Worker&) override {
      state_.store(State::Idle);
      order->push_back(name);
      done->fetch_add(1);
    }
  };
  struct Holding : Runnable { // the only thread, until all others are queued
    std::atomic<int> phase{0};
    void make_ready() {
      state_.store(State::Ready);
      executor.submit(*this);
    }
    void run(Worker&) override {
      state_.store(State::Idle);
      phase = 1;
      while (phase != 2) std::this_thread::yield();
    }
  } holding;
  std::vector<char> order;
  std::atomic<int> done{0};
  Noting tasks[6];
  holding.make_ready();
  while (holding.phase != 1) std::this_thread::yield();
  const Runnable::Priority priorities[] = {Runnable::Priority::Low,  Runnable::Priority::Normal,
                                           Runnable::Priority::High, Runnable::Priority::Low,
                                           Runnable::Priority::High, Runnable::Priority::Normal};
  for (int i = 0; i < 6; ++i) {
    tasks[i].order = &order;
    tasks[i].done = &done;
    tasks[i].name = static_cast<char>('0' + i);
    tasks[i].make_ready(priorities[i]);
  }
  holding.phase = 2;
  while (done != 6) std::this_thread::yield();
  EXPECT_EQ(std::string(order.begin(), order.end()), "241503");
}

// Two tasks that wait for each other in memory need two threads at once.
struct Rendezvous : Runnable {
  std::atomic<int>* arrived = nullptr;
  std::atomic<int>* left = nullptr;
  void make_ready(Executor& executor) {
    state_.store(State::Ready);
    executor.submit(*this);
  }
  void run(Worker&) override {
    arrived->fetch_add(1);
    while (*arrived < 2) std::this_thread::yield();
    left->fetch_add(1);
  }
};

TEST(Executor, IndependentRunnablesOverlap) {
  for (int round = 0; round < 300; ++round) {
    std::atomic<int> arrived{0}, left{0};
    Rendezvous a, b;
    a.arrived = b.arrived = &arrived;
    a.left = b.left = &left;
    a.make_ready(shared_executor());
    b.make_ready(shared_executor());
    while (left != 2) std::this_thread::yield();
  }
}

struct Marking : Job {
  explicit Marking(std::size_t units) : marks(units) {}
  std::vector<std::atomic<std::uint8_t>> marks;
  std::atomic<int> ends{0};
  void run_units(Worker&, std::uint64_t first, std::uint64_t end) override {
    for (; first < end; ++first) marks[first].fetch_add(1, std::memory_order_relaxed);
  }
  void ended(Worker&) override { ends.fetch_add(1); }
};

TEST(JobBoard, EveryUnitIsDoneOnceAndTheJobEndsOnce) {
  Executor& executor = shared_executor();
  Worker& worker = executor.worker_of_this_thread();
  for (std::uint32_t units : {1u, 2u, 7u, 1000u, 100000u})
    for (std::uint32_t grain : {1u, 16u}) {
      Marking job(units);
      JobBoard::Pass pass;
      JobBoard::Ticket ticket;
      ASSERT_TRUE(executor.board().publish(job, units, grain, pass, ticket));
      executor.call_for_help(2);
      if (Job* over = executor.board().work(worker, pass)) over->ended(worker);
      while (job.ends == 0) std::this_thread::yield();
      for (auto& mark : job.marks) ASSERT_EQ(mark, 1);
      EXPECT_EQ(job.ends, 1);
      JobBoard::Pass late;
      EXPECT_FALSE(executor.board().join(ticket, late)) << "a job that is over takes nobody in";
    }
}

TEST(JobBoard, FullBoardRefuses) {
  JobBoard board(2);
  Marking job(1);
  JobBoard::Pass pass;
  JobBoard::Ticket ticket;
  for (unsigned i = 0; i < JobBoard::Slots; ++i) ASSERT_TRUE(board.publish(job, 1, 1, pass, ticket));
  EXPECT_FALSE(board.publish(job, 1, 1, pass, ticket));
}

TEST(RunQueue, KeepsEveryItemBeyondItsCapacity) {
  RunQueue<int, 8> queue;
  std::vector<int> items(100);
  for (int& item : items) queue.push(&item);
  std::size_t count = 0;
  while (queue.pop()) ++count;
  EXPECT_EQ(count, items.size());
  EXPECT_FALSE(queue.maybe_filled());
}

TEST(RunQueue, ManyThreadsLoseNothing) {
  RunQueue<int, 64> queue;
  std::vector<int> items(30000);
  std::atomic<std::size_t> taken{0};
  std::vector<std::thread> threads;
  for (int part = 0; part < 2; ++part)
    threads.emplace_back([&, part] {
      for (std::size_t i = part; i < items.size(); i += 2) queue.push(&items[i]);
    });
  for (int part = 0; part < 2; ++part)
    threads.emplace_back([&] {
      while (taken < items.size())
        if (int* item = queue.pop()) {
          ++*item;
          taken.fetch_add(1);
        }
    });
  for (auto& thread : threads) thread.join();
  for (int item : items) ASSERT_EQ(item, 1);
}

TEST(Executor, AbsurdThreadCountsAreCapped) { EXPECT_LE(Executor({.threads = 100000}).threads(), 255u); }

} // namespace
} // namespace zeroth::cpu
