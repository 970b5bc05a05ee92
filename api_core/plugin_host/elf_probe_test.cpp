#include "plugin_host/elf_probe.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include <elf.h>
#include <gtest/gtest.h>

#include "config/test_folder.hpp"
#include "plugin_host/testing/loaded_size.hpp"
#include "sdk/zeroth_plugin.h"

namespace zeroth {
namespace {

std::string sample(const std::string& name) { return std::string(ZEROTH_TEST_SAMPLES) + "/zeroth_" + name + ".so"; }

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(ElfProbe, reads_a_descriptor_without_running_anything) {
  ::unsetenv("ZEROTH_TEST_RAN");
  const ElfProbe probe = probe_elf(sample("good"));
  EXPECT_EQ(probe.kind, ElfKind::Shared) << probe.detail;
  ASSERT_TRUE(probe.descriptor.has_value());
  EXPECT_EQ((*probe.descriptor)[0], ZEROTH_PLUGIN_ABI_VERSION);
  EXPECT_EQ((*probe.descriptor)[1], sizeof(zeroth_plugin));
  EXPECT_EQ((*probe.descriptor)[2], ZEROTH_PLUGIN_DEVICE);
  EXPECT_EQ((*probe.descriptor)[3], static_cast<std::uint32_t>(ZE_API_VERSION_CURRENT));
  EXPECT_TRUE(probe.exports_driver);
  EXPECT_EQ(std::getenv("ZEROTH_TEST_RAN"), nullptr);
}

TEST(ElfProbe, tells_drivers_and_other_libraries_apart) {
  EXPECT_TRUE(probe_elf(sample("foreign")).exports_driver);
  EXPECT_FALSE(probe_elf(sample("foreign")).descriptor.has_value());
  EXPECT_FALSE(probe_elf(sample("no_descriptor")).exports_driver);
}

TEST(ElfProbe, names_what_is_no_shared_object_of_this_machine) {
  const TestFolder folder;
  EXPECT_EQ(probe_elf(folder / "missing").kind, ElfKind::Unreadable);
  EXPECT_EQ(probe_elf("/dev/null").kind, ElfKind::Unreadable);
  EXPECT_EQ(probe_elf(folder.write("empty", "")).kind, ElfKind::NotElf);
  EXPECT_EQ(probe_elf(folder.write("text", "#!/bin/sh\necho this is a script, not a plugin\n")).kind, ElfKind::NotElf);
  std::string bytes = bytes_of(sample("good"));
  bytes[offsetof(Elf64_Ehdr, e_machine)] = EM_SPARC;
  EXPECT_EQ(probe_elf(folder.write("sparc", bytes)).kind, ElfKind::OtherMachine);
  bytes[EI_CLASS] = sizeof(void*) == 8 ? ELFCLASS32 : ELFCLASS64;
  EXPECT_EQ(probe_elf(folder.write("bits", bytes)).kind, ElfKind::OtherMachine);
  bytes = bytes_of(sample("good"));
  bytes[offsetof(Elf64_Ehdr, e_type)] = ET_REL;
  EXPECT_EQ(probe_elf(folder.write("object", bytes)).kind, ElfKind::NotShared);
}

TEST(ElfProbe, a_file_that_ends_early_is_damaged) {
  const TestFolder folder;
  const std::string bytes = bytes_of(sample("good"));
  const std::size_t loaded = loaded_size(bytes);
  for (std::size_t size : {std::size_t{20}, sizeof(Elf64_Ehdr), loaded / 4, loaded / 2, loaded - 1})
    EXPECT_EQ(probe_elf(folder.write("cut", bytes.substr(0, size))).kind, ElfKind::Damaged) << size;
  EXPECT_EQ(probe_elf(folder.write("whole", bytes.substr(0, loaded))).kind, ElfKind::Shared)
      << "nothing else is loaded";
}

TEST(ElfProbe, any_bytes_give_an_answer) {
  const TestFolder folder;
  const std::string bytes = bytes_of(sample("good"));
  std::mt19937 random(20261130);
  int shared = 0, other = 0;
  for (int i = 0; i < 500; ++i) {
    std::string mutant = bytes;
    for (int j = 0; j < 20; ++j) mutant[random() % (j % 2 ? mutant.size() : 2048)] = static_cast<char>(random());
    ++(probe_elf(folder.write("mutant", mutant)).kind == ElfKind::Shared ? shared : other);
  }
  EXPECT_GT(shared, 10);
  EXPECT_GT(other, 10);
}

} // namespace
} // namespace zeroth
