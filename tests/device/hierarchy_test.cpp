// Case 6: a device that the configuration splits into four, under masks and hierarchies, over several runs.
#include "fixture.hpp"
#include "peer.hpp"

#include <config/test_folder.hpp>

namespace device_tests {
namespace {

using zeroth::TestFolder;

class SplitDevice : public testing::Test {
protected:
  SplitDevice() { configure(""); }

  void configure(const std::string& driver, const std::string& options = "") {
    config_ = folder_.write("config.yaml", "drivers:\n  - {plugin: cpu, options: {sub_devices: \"4\"" + options + "}" +
                                               driver + "}\n");
  }

  // The identities of the parts, or "" if what is seen differs from what is expected.
  std::string see(const std::string& mask, const std::string& hierarchy, std::vector<std::string> expected) {
    expected.insert(expected.begin(), "devices");
    Peer peer(expected,
              {"ZEROTH_CONFIG=" + config_, "ZE_AFFINITY_MASK=" + mask, "ZE_FLAT_DEVICE_HIERARCHY=" + hierarchy});
    EXPECT_EQ(peer.end(), 0) << mask << ' ' << hierarchy;
    return peer.output();
  }

  // What a task of device_peer says on this device.
  int run(std::vector<std::string> task) { return Peer(task, {"ZEROTH_CONFIG=" + config_}).end(); }

private:
  const TestFolder folder_;
  std::string config_;
};

TEST_F(SplitDevice, case_6_TwoDevicesOrOneWithTwoPartsAndTheSameIdentitiesInEveryRun) {
  const std::string composite = see("0.1,0.3", "COMPOSITE", {"1", "2", "no root", "1,3"});
  EXPECT_FALSE(composite.empty());
  EXPECT_EQ(see("0.1,0.3", "COMPOSITE", {"1", "2", "no root", "1,3"}), composite);
  EXPECT_EQ(see("0.3,0.1", "FLAT", {"2", "0", "no root", "1,3"}), composite);
  EXPECT_EQ(see("1,3", "FLAT", {"2", "0", "no root", "1,3"}), composite);
  EXPECT_EQ(see("1,3", "COMBINED", {"2", "0", "root", "1,3"}), composite);
  const std::string all = see("", "COMPOSITE", {"1", "4", "no root", "0,1,2,3"});
  EXPECT_EQ(see("", "FLAT", {"4", "0", "no root", "0,1,2,3"}), all);
}

TEST_F(SplitDevice, ShowsWhatTheConfigurationAndTheEnvironmentBothShow) {
  configure(", device_mask: \"0.1,0.3\"");
  const std::string configured = see("", "COMPOSITE", {"1", "2", "no root", "1,3"});
  EXPECT_FALSE(configured.empty());
  EXPECT_EQ(see("", "FLAT", {"2", "0", "no root", "1,3"}), configured);
  see("0.2,0.3", "FLAT", {"1", "0", "no root", "3"});
}

// Turns pass from part to part: whoever ends one part's launch may not begin the next with its own threads.
TEST_F(SplitDevice, CooperativeLaunchesOfAllPartsEnd) {
  configure("", ", threads: 8");
  EXPECT_EQ(run({"cooperative", "20"}), 0);
}

} // namespace
} // namespace device_tests
