#include "digest.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace zeroth::compiler {
namespace {

std::vector<std::byte> counting_bytes(size_t size) {
  std::vector<std::byte> data(size);
  for (size_t i = 0; i < size; ++i) data[i] = std::byte(i);
  return data;
}

TEST(Digest, MatchesTheReferenceImplementation) {
  EXPECT_EQ(to_hex(digest_of({})), "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
  EXPECT_EQ(to_hex(digest_of(std::as_bytes(std::span("abc", 3)))),
            "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
  EXPECT_EQ(to_hex(digest_of(counting_bytes(1280))),
            "82628cbfc9689e234b0923a531f4578fe2e7138a03e2f81ed6cde97517336650");
}

TEST(Digest, ComesBackFromItsText) {
  const Digest digest = digest_of({});
  EXPECT_EQ(from_hex(to_hex(digest)), digest);
  EXPECT_FALSE(from_hex(""));
  EXPECT_FALSE(from_hex(to_hex(digest).substr(2)));
  EXPECT_FALSE(from_hex("../" + to_hex(digest).substr(3)));
}

TEST(Digest, DoesNotDependOnHowTheDataIsCut) {
  const auto data = counting_bytes(400);
  for (size_t cut : {1, 127, 128, 129, 256, 399}) {
    Hasher hasher;
    hasher.update(std::span(data).first(cut));
    hasher.update(std::span(data).subspan(cut));
    EXPECT_EQ(hasher.finish(), digest_of(data)) << cut;
  }
}

} // namespace
} // namespace zeroth::compiler
