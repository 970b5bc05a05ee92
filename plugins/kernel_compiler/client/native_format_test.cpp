#include "native_format.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace zeroth::compiler {
namespace {

ModuleMetadata sample() {
  ModuleMetadata m;
  m.compiler_id = "abc";
  m.request_key = "key";
  m.cpu = {"znver4", "+avx2,-xop"};
  m.build_log = "fine\n";
  ModuleMetadata::Kernel kernel;
  kernel.info.name = "saxpy";
  kernel.symbol = "saxpy.w16";
  kernel.info.arguments.push_back(
      {ArgumentKind::Pointer, AddressSpace::Global, Access::None, 8, 8, 16, "x", "float*", "const"});
  kernel.info.argument_block_size = 24;
  kernel.info.required_group_size = {64, 1, 1};
  kernel.info.width = 32;
  kernel.info.engine = Engine::Region;
  kernel.info.local_bytes = 1024;
  kernel.info.scratch_slice_bytes = 77;
  kernel.info.uses_double = true;
  m.kernels.push_back(kernel);
  m.exports.push_back({{"counter", SymbolKind::Variable, 4, nullptr}, "counter"});
  m.constants.push_back({7, 4});
  return m;
}

std::vector<std::byte> file_of(const ModuleMetadata& metadata) {
  std::vector<std::byte> file(100, std::byte{0x5a});
  const auto encoded = encode(metadata);
  file.insert(file.end(), encoded.begin(), encoded.end());
  const auto footer = make_footer(file, 100, encoded.size());
  file.insert(file.end(), footer.begin(), footer.end());
  return file;
}

TEST(NativeFormat, KeepsEveryField) {
  const auto file = file_of(sample());
  const ModuleMetadata m = read_native(file);
  EXPECT_EQ(encode(m), encode(sample()));
  ASSERT_EQ(m.kernels.size(), 1u);
  EXPECT_EQ(m.kernels[0].info.arguments.at(0).type_qualifiers, "const");
  EXPECT_EQ(m.kernels[0].info.scratch_bytes(33), 2 * 77u);
  EXPECT_EQ(m.exports.at(0).info.name, "counter");
}

TEST(NativeFormat, RefusesEveryTruncation) {
  const auto file = file_of(sample());
  for (size_t size = 0; size < file.size(); ++size)
    EXPECT_THROW(read_native(std::span(file).first(size)), CompileError) << size;
}

TEST(NativeFormat, RefusesEveryChangedByte) {
  const auto file = file_of(sample());
  for (size_t at = 0; at < file.size(); ++at) {
    auto damaged = file;
    damaged[at] ^= std::byte{1};
    EXPECT_THROW(read_native(damaged), CompileError) << at;
  }
}

// Whoever makes a matching digest can write any metadata: it must still be read within its bounds.
TEST(NativeFormat, SurvivesHostileMetadataUnderAValidDigest) {
  std::mt19937 random(7);
  const auto encoded = encode(sample());
  for (int round = 0; round < 2000; ++round) {
    auto metadata = encoded;
    for (int i = 0; i < 3; ++i) metadata[random() % metadata.size()] = std::byte(random());
    metadata.resize(metadata.size() - random() % 8);
    const auto footer = make_footer(metadata, random() % 4, metadata.size() - random() % 4);
    metadata.insert(metadata.end(), footer.begin(), footer.end());
    try {
      read_native(metadata);
    } catch (const CompileError& error) {
      EXPECT_EQ(error.kind(), CompileError::Kind::InvalidNativeBinary);
    }
  }
}

} // namespace
} // namespace zeroth::compiler
