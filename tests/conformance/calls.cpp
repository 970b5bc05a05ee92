// Stands between a test program and the loader: this program's own definition of every API function passes the call on.
//   ZEROTH_TEST_RECORD=FILE       appends lines of test, milliseconds, function and codes returned: calls of a process
//                                 that the test forked at once, others after the test; then, if it passed, a line with
//                                 no function
//   ZEROTH_TEST_WITHOUT=NAME:CODES  the function does nothing, and returns these codes one after the other
// Codes are runs, CODE*COUNT, joined by commas; the last one goes on for ever. A test that passes without a function
// checks nothing that this function does.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <gtest/gtest.h>
#include <level_zero/ze_api.h>
#include <level_zero/zer_api.h>
#include <level_zero/zes_api.h>
#include <level_zero/zet_api.h>
#include <mutex>
#include <string>
#include <type_traits>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

struct Run {
  long code;
  unsigned long count;
};

enum Index {
#define ZEROTH_CALL(type, name, parameters, arguments) Index_##name,
#include <zeroth/api/calls.inc>
#undef ZEROTH_CALL
  Count
};

constexpr const char* Names[] = {
#define ZEROTH_CALL(type, name, parameters, arguments) #name,
#include <zeroth/api/calls.inc>
#undef ZEROTH_CALL
};

class Recorder final : public testing::EmptyTestEventListener {
public:
  explicit Recorder(const char* file) : file_(file, std::ios::app), seen_(Count) {}

  void note(Index function, long code) {
    const std::lock_guard guard(mutex_);
    if (getpid() != process_) return write_at_once(function, code);
    auto& runs = seen_[function];
    if (!runs.empty() && runs.back().code == code)
      ++runs.back().count;
    else if (runs.size() < 10000)
      runs.push_back({code, 1});
  }

  void OnTestStart(const testing::TestInfo&) override {
    for (auto& runs : seen_) runs.clear();
  }

  void OnTestEnd(const testing::TestInfo& info) override {
    if (!info.result()->Passed() || info.result()->Skipped() || getpid() != process_) return;
    const std::lock_guard guard(mutex_);
    for (int i = 0; i < Count; ++i)
      if (!seen_[std::size_t(i)].empty()) write(info, i);
    file_ << info.test_suite_name() << '.' << info.name() << '\t' << info.result()->elapsed_time() << "\t\t"
          << std::endl;
  }

private:
  void write_at_once(Index function, long code) {
    if (const auto* info = testing::UnitTest::GetInstance()->current_test_info())
      file_ << info->test_suite_name() << '.' << info->name() << "\t0\t" << Names[function] << '\t' << code << "*1"
            << std::endl;
  }

  void write(const testing::TestInfo& info, int function) {
    file_ << info.test_suite_name() << '.' << info.name() << '\t' << info.result()->elapsed_time() << '\t'
          << Names[function] << '\t';
    const char* separator = "";
    for (const Run& run : seen_[std::size_t(function)]) {
      file_ << separator << run.code << '*' << run.count;
      separator = ",";
    }
    file_ << '\n';
  }

  const pid_t process_ = getpid();
  std::mutex mutex_;
  std::ofstream file_;
  std::vector<std::vector<Run>> seen_;
};

Recorder* make_recorder() {
  const char* file = std::getenv("ZEROTH_TEST_RECORD");
  if (!file) return nullptr;
  auto* made = new Recorder(file);
  testing::UnitTest::GetInstance()->listeners().Append(made); // owned by the list
  return made;
}

// The function that is taken away, and what it says instead of doing anything.
class Absent {
public:
  Absent() {
    const char* text = std::getenv("ZEROTH_TEST_WITHOUT");
    const char* colon = text ? std::strchr(text, ':') : nullptr;
    if (!colon) return;
    name_.assign(text, colon);
    for (const char* at = colon; *at;) {
      char* end = nullptr;
      const long code = std::strtol(at + 1, &end, 10);
      const unsigned long count = *end == '*' ? std::strtoul(end + 1, &end, 10) : 1;
      runs_.push_back({code, count});
      at = end;
    }
  }
  bool is(const char* name) const { return name_ == name; }
  long next() {
    const std::lock_guard guard(mutex_);
    while (at_ + 1 < runs_.size() && runs_[at_].count == 0) ++at_;
    if (runs_.empty()) return 0;
    if (runs_[at_].count) --runs_[at_].count;
    return runs_[at_].code;
  }

private:
  std::mutex mutex_;
  std::string name_;
  std::vector<Run> runs_;
  std::size_t at_ = 0;
};

Absent& absent() {
  static Absent the_one;
  return the_one;
}

Recorder* recorder() {
  static Recorder* const the_one = make_recorder();
  return the_one;
}

const bool looked = (recorder(), true); // before the first test starts

template <Index I, class R, class... T> R call(R (*)(T...), std::type_identity_t<T>... arguments) {
  static const auto next = reinterpret_cast<R (*)(T...)>(dlsym(RTLD_NEXT, Names[I]));
  static const bool is_absent = absent().is(Names[I]);
  if (is_absent) {
    if constexpr (std::is_same_v<R, ze_result_t>)
      return static_cast<R>(absent().next());
    else if constexpr (std::is_pointer_v<R>)
      return nullptr;
    else
      return static_cast<R>(-1); // the number of nothing
  }
  if constexpr (std::is_same_v<R, ze_result_t>) {
    const ze_result_t code = next(arguments...);
    if (auto* r = recorder()) r->note(I, static_cast<long>(code));
    return code;
  } else {
    if (auto* r = recorder()) r->note(I, 0);
    return next(arguments...);
  }
}

} // namespace

extern "C" {
#define ZEROTH_ARGUMENTS(...) __VA_OPT__(, ) __VA_ARGS__
#define ZEROTH_CALL(type, name, parameters, arguments)                                                                 \
  type ZE_APICALL name parameters { return call<Index_##name>(&name ZEROTH_ARGUMENTS arguments); }
#include <zeroth/api/calls.inc>
#undef ZEROTH_CALL
}
