// Case 20: sub-groups as kernels and hosts see them.
#include "fixture.hpp"

#include <algorithm>

namespace device_tests {
namespace {

TEST(SubGroups, SumsOfLocalCopiesByGroup) {
  Array<std::uint32_t> in(128), out(4);
  for (std::uint32_t i = 0; i < 128; ++i) in[i] = i + 1;
  Kernel("sub_groups", "sums").arguments(in, out).run(128, 32);
  EXPECT_EQ(out[0], 528u);
  EXPECT_EQ(out[1], 1552u);
  EXPECT_EQ(out[2], 2576u);
  EXPECT_EQ(out[3], 3600u);
}

struct Eight {
  std::uint32_t max_size, size, count, id, lane, sum, scan, first;
};

class SubGroupQueries : public testing::TestWithParam<std::uint32_t> {};

TEST_P(SubGroupQueries, HostAndDeviceAgreeInGroupsOfOneTo257) {
  const std::uint32_t wanted = GetParam();
  Kernel kernel("sub_groups", "queries" + std::to_string(wanted));
  ze_kernel_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES;
  ASSERT_OK(zeKernelGetProperties(kernel.handle(), &properties));
  EXPECT_EQ(properties.requiredSubgroupSize, wanted);
  EXPECT_EQ(properties.maxSubgroupSize, wanted);
  Array<Eight> out(257);
  for (std::uint32_t group = 1; group <= 257; ++group) {
    kernel.arguments(out).run(group, group);
    const std::uint32_t count = (group + wanted - 1) / wanted;
    EXPECT_LE(count, properties.maxNumSubgroups);
    for (std::uint32_t i = 0; i < group; ++i) {
      const std::uint32_t begin = i / wanted * wanted, size = std::min(wanted, group - begin);
      const auto sum_to = [&](std::uint32_t end) { return (begin + end - 1) * (end - begin) / 2; };
      const Eight& got = out[i];
      ASSERT_EQ(got.max_size, properties.maxSubgroupSize);
      ASSERT_EQ(got.size, size) << group << ' ' << i;
      ASSERT_EQ(got.count, count) << group << ' ' << i;
      ASSERT_EQ(got.id, i / wanted) << group << ' ' << i;
      ASSERT_EQ(got.lane, i % wanted) << group << ' ' << i;
      ASSERT_EQ(got.sum, sum_to(begin + size)) << group << ' ' << i;
      ASSERT_EQ(got.scan, sum_to(i + 1)) << group << ' ' << i;
      ASSERT_EQ(got.first, begin) << group << ' ' << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, SubGroupQueries, testing::Values(1u, 2u, 4u, 8u, 16u, 32u, 64u),
                         [](const auto& info) { return "Size" + std::to_string(info.param); });

TEST(SubGroups, TheDeviceOffersTheSizesThatKernelsMayRequire) {
  ze_device_compute_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES;
  ASSERT_OK(zeDeviceGetComputeProperties(Device::get().device, &properties));
  const std::vector<std::uint32_t> sizes(properties.subGroupSizes,
                                         properties.subGroupSizes + properties.numSubGroupSizes);
  EXPECT_EQ(sizes, (std::vector<std::uint32_t>{1, 2, 4, 8, 16, 32, 64}));
}

} // namespace
} // namespace device_tests
