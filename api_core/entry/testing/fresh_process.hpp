// Runs a test's body in a process of its own, since initialisation is once per process.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace zeroth::testing {

// The test program itself never calls the library, so a forked child has a library in its first state. The child ends
// by exit(), so exit handlers, static destructors and the sanitizers' checks run. Failed expectations of the body fail
// the test.
template <class Body> void in_fresh_process(Body body, int expected_status = 0) {
  std::fflush(nullptr);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    body();
    std::exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), expected_status);
}

// The drivers of this process, as comma list of paths.
inline void use_drivers(const std::string& paths) { setenv("ZE_ENABLE_ALT_DRIVERS", paths.c_str(), 1); }

} // namespace zeroth::testing
