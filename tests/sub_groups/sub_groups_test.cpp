// Sub-groups are lanes: every operation, in required sizes 1 to 64, against the scalar reference, with all work-items
// and with some of them, in work-groups of 1 to 257 work-items, whose last sub-group may be a part of one.
#include "reference.hpp"

#include "random_programs/in_process.hpp"

#include <kernel_compiler/codegen/testing/test_device.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

namespace zeroth::sub_groups {
namespace {

using random_programs::Form;
using random_programs::InProcessCompiler;

// What work-items read and write; all words are kept as bit patterns of the case's type.
struct Data {
  std::vector<uint64_t> input;
  std::vector<uint32_t> picks, flags;
};

std::vector<uint8_t> packed(Type type, const std::vector<uint64_t>& words) {
  std::vector<uint8_t> bytes(words.size() * bytes_of(type));
  for (size_t i = 0; i < words.size(); ++i) std::memcpy(&bytes[i * bytes_of(type)], &words[i], bytes_of(type));
  return bytes;
}

uint64_t unpacked(Type type, const std::vector<uint8_t>& bytes, size_t index) {
  uint64_t word = 0;
  std::memcpy(&word, &bytes[index * bytes_of(type)], bytes_of(type));
  return word;
}

// Floats are powers of two or small integers, so that sums and products are exact in any order.
uint64_t draw(Type type, const std::string& name, std::mt19937_64& random) {
  if (!is_float(type)) return random() & (bytes_of(type) == 8 ? ~0ull : (1ull << bytes_of(type) * 8) - 1);
  const double value =
      name.find("fmul") != std::string::npos ? std::ldexp(1.0, int(random() % 3) - 1) : double(int(random() % 33) - 16);
  uint64_t bits = 0;
  const float single = float(value);
  if (type == Type::F32)
    std::memcpy(&bits, &single, 4);
  else
    std::memcpy(&bits, &value, 8);
  return bits;
}

struct Place {
  uint32_t begin, count; // of the sub-group in the launch
};

Data make_data(const Case& c, uint32_t size, uint32_t group_size, uint32_t groups, bool some) {
  std::mt19937_64 random(size * 1000 + group_size);
  Data data;
  const size_t items = size_t(group_size) * groups;
  const bool equal = c.name.starts_with("all_equal") && group_size % 2;
  for (size_t i = 0; i < items; ++i) {
    data.input.push_back(equal && i ? data.input[0] : draw(c.type, c.name, random));
    data.flags.push_back(!some || random() % 3 != 0);
  }
  data.picks.assign(items, 0);
  for (uint32_t group = 0; group < groups; ++group)
    for (uint32_t lane = 0; lane < group_size; ++lane) {
      const uint32_t first = lane / size * size, count = std::min(size, group_size - first);
      uint32_t pick = uint32_t(random() % count);
      for (uint32_t tries = 0; tries < count && !data.flags[group * group_size + first + pick]; ++tries)
        pick = (pick + 1) % count;
      data.picks[group * group_size + lane] = pick;
    }
  return data;
}

Lanes lanes_of(const Data& data, uint32_t size, uint32_t group_size, uint32_t group, uint32_t sub_group) {
  Lanes lanes;
  lanes.size = size;
  lanes.group = sub_group;
  lanes.groups = (group_size + size - 1) / size;
  for (uint32_t lane = 0; lane < std::min(size, group_size - sub_group * size); ++lane) {
    const size_t i = size_t(group) * group_size + sub_group * size + lane;
    lanes.values.push_back(data.input[i]);
    lanes.picks.push_back(data.picks[i]);
    lanes.active.push_back(data.flags[i]);
  }
  return lanes;
}

constexpr uint32_t Groups = 2;

std::vector<uint8_t> run(const Case& c, const compiler::KernelInfo& kernel, const Data& data, uint32_t group_size) {
  std::vector<uint8_t> in = packed(c.type, data.input), out(in.size(), 0xee);
  std::vector<uint32_t> picks = data.picks, flags = data.flags;
  codegen::testing::Arguments arguments;
  arguments.buffer(out).buffer(in).buffer(picks).buffer(flags);
  const codegen::testing::Launch launch{{group_size, 1, 1}, {Groups, 1, 1}, {}, 1};
  codegen::testing::run(kernel.entry, arguments, launch, {kernel.local_bytes, kernel.scratch_bytes(group_size)});
  return out;
}

// The first wrong work-item in words; empty when all is right.
std::string check(const Case& c, const compiler::KernelInfo& kernel, uint32_t size, uint32_t group_size, bool some) {
  const Data data = make_data(c, size, group_size, Groups, some);
  const std::vector<uint8_t> out = run(c, kernel, data, group_size);
  for (uint32_t group = 0; group < Groups; ++group)
    for (uint32_t item = 0; item < group_size; ++item) {
      const size_t i = size_t(group) * group_size + item;
      const Lanes lanes = lanes_of(data, size, group_size, group, item / size);
      std::vector<uint8_t> untouched(8, 0xee);
      const std::optional<uint64_t> want =
          data.flags[i] ? c.expected(lanes, item % size) : std::optional(unpacked(c.type, untouched, 0));
      const uint64_t got = unpacked(c.type, out, i);
      if (want && !same(c.type, got, *want))
        return c.name + (some ? ", some work-items" : "") + ", groups of " + std::to_string(group_size) +
               ", work-item " + std::to_string(item) + ": " + std::to_string(got) + ", not " + std::to_string(*want);
    }
  return "";
}

// The kernels of one size in one form, loaded.
class SubGroups : public testing::TestWithParam<std::tuple<uint32_t, const char*>> {
protected:
  void SetUp() override {
    const auto [size, engine] = GetParam();
    cases_ = all_cases(size);
    KernelWriter writer(size);
    for (const Case& c : cases_) {
      writer.kernel(c.name, c.type, false, c.emit);
      if (c.with_some) writer.kernel(c.name + "_some", c.type, true, c.emit);
    }
    InProcessCompiler compiler;
    compiler.add(writer.finish(), Form{"", 0, engine});
    loaded_ = compiler.load();
  }

  const compiler::KernelInfo& kernel(const std::string& name) const {
    return *std::ranges::find(loaded_->kernels, name, &compiler::KernelInfo::name);
  }

  // False at the first fault: one example of a case is enough.
  bool is_right(const Case& c, uint32_t group_size) {
    const uint32_t size = std::get<0>(GetParam());
    const std::string all = check(c, kernel(c.name), size, group_size, false);
    EXPECT_EQ(all, "");
    if (!c.with_some || !all.empty()) return all.empty();
    const std::string some = check(c, kernel(c.name + "_some"), size, group_size, true);
    EXPECT_EQ(some, "");
    return some.empty();
  }

  std::vector<Case> cases_;
  std::unique_ptr<InProcessCompiler::Loaded> loaded_;
};

// One test a size: compiling the kernels is most of the time.
TEST_P(SubGroups, EveryOperationMeansWhatTheScalarReferenceSays) {
  const uint32_t size = std::get<0>(GetParam());
  for (const compiler::KernelInfo& kernel : loaded_->kernels) EXPECT_EQ(kernel.sub_group_size, size) << kernel.name;
  for (const Case& c : cases_) {
    const bool in_all_groups = c.name.starts_with("query") || c.name == "ballot" || c.name == "inclusive_iadd_2" ||
                               c.name == "shuffle_2" || c.name == "exclusive_fadd_4";
    for (uint32_t group_size = 1; group_size <= 257; ++group_size) {
      const uint32_t rest = group_size % size;
      const bool chosen = group_size <= 5 || group_size >= 256 || (group_size < 4 * size && (rest == 0 || rest == 1)) ||
                          group_size == 63 || group_size == 100;
      if ((in_all_groups || chosen) && !is_right(c, group_size)) break;
    }
  }
}

std::string name_of(const testing::TestParamInfo<std::tuple<uint32_t, const char*>>& info) {
  return "Size" + std::to_string(std::get<0>(info.param)) + (*std::get<1>(info.param) ? "Fibers" : "");
}

INSTANTIATE_TEST_SUITE_P(PowersOfTwo, SubGroups,
                         testing::Combine(testing::Values(1u, 2u, 4u, 8u, 16u, 32u, 64u), testing::Values("")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(OtherSizes, SubGroups,
                         testing::Combine(testing::Values(3u, 12u, 33u, 63u), testing::Values("")), name_of);
INSTANTIATE_TEST_SUITE_P(OnFibers, SubGroups, testing::Combine(testing::Values(8u, 33u), testing::Values("fiber")),
                         name_of);

} // namespace
} // namespace zeroth::sub_groups
