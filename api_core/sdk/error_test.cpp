#include "error.hpp"

#include <new>
#include <stdexcept>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace zeroth {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(Error, cause_chain_is_outermost_first_one_cause_a_line) {
  try {
    try {
      throw Error(ZE_RESULT_ERROR_INVALID_SIZE, "group size {} is larger than {}", 2048, 1024);
    } catch (Error& error) {
      throw std::move(error).within("launch of {}", "blur").within("list {}", 7);
    }
  } catch (const Error& error) {
    EXPECT_EQ(error.code, ZE_RESULT_ERROR_INVALID_SIZE);
    EXPECT_EQ(error.text, "list 7\n  because launch of blur\n    because group size 2048 is larger than 1024");
  }
}

TEST(Error, advice_ends_the_text) {
  const Error error = Error(ZE_RESULT_ERROR_UNKNOWN, "no compiler").advise("install {}", "zeroth-kernelc");
  EXPECT_EQ(error.text, "no compiler\n  try: install zeroth-kernelc");
}

TEST(LastError, belongs_to_its_thread) {
  last_error::set("mine");
  std::thread([] {
    EXPECT_STREQ(last_error::text(), "");
    last_error::set("other");
  }).join();
  EXPECT_STREQ(last_error::text(), "mine");
  last_error::clear();
  EXPECT_STREQ(last_error::text(), "");
}

TEST(LastError, long_texts_are_cut_not_refused) {
  last_error::set(std::string(100000, 'x'));
  EXPECT_EQ(std::string(last_error::text()), std::string(2047, 'x'));
}

TEST(LastError, may_be_set_from_its_own_text) {
  last_error::set("abc");
  last_error::set(std::string_view(last_error::text()).substr(1));
  EXPECT_STREQ(last_error::text(), "bc");
}

template <class Thrown> ze_result_t code_of(Thrown thrown) {
  try {
    throw thrown;
  } catch (...) {
    return record_current_exception("zeThing");
  }
}

TEST(CEdge, every_exception_becomes_a_code_and_a_text) {
  EXPECT_EQ(code_of(Error(ZE_RESULT_ERROR_DEVICE_LOST, "gone")), ZE_RESULT_ERROR_DEVICE_LOST);
  EXPECT_STREQ(last_error::text(), "zeThing: gone");
  EXPECT_EQ(code_of(std::bad_alloc()), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_THAT(last_error::text(), StartsWith("zeThing: out of host memory"));
  EXPECT_EQ(code_of(std::runtime_error("odd")), ZE_RESULT_ERROR_UNKNOWN);
  EXPECT_THAT(last_error::text(), HasSubstr("odd"));
  EXPECT_EQ(code_of(42), ZE_RESULT_ERROR_UNKNOWN);
  EXPECT_THAT(last_error::text(), HasSubstr("unknown type"));
}

} // namespace
} // namespace zeroth
