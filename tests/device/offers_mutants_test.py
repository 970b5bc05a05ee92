"""A device that has lost something fails the device tests that need it, instead of skipping them (offers.json)."""

import pathlib
import re
import sys
import tempfile
import unittest

import process

PROGRAM, OVERLAY = sys.argv.pop(1), sys.argv.pop(1)

# What is taken away: a test that needs it.
LOST = {
    "copies": "CopyGroup.*",
    "half atomics": "Atomics.OfHalfsAddUp",
    "system memory": "ImageKernels.NothingBehindTheLastTexelIsTouched",
    "image export": "Images.MemoryIsExportedAndImported",
    "clones": "Lists.ClonesDoTheSame",
}


class Mutants(unittest.TestCase):
    def run_without(self, lost, tests):
        with tempfile.TemporaryDirectory() as folder:
            config = pathlib.Path(folder, "config.yaml")
            config.write_text(f"drivers: [cpu]\noverlays: [{{plugin: {OVERLAY}, name: stripped, options: {{without: {lost}}}}}]\n")
            return process.run(PROGRAM, f"--gtest_filter={tests}", env=process.clean_environment(ZEROTH_CONFIG=config))

    def test_the_list_notices(self):
        for lost in LOST:
            with self.subTest(lost=lost):
                done = self.run_without(lost, "Offers.*")
                self.assertNotEqual(done.returncode, 0, process.told(done))
                self.assertIn("[  FAILED  ]", done.stdout)

    def test_no_test_skips(self):
        for lost, tests in LOST.items():
            with self.subTest(lost=lost):
                done = self.run_without(lost, tests)
                self.assertNotEqual(done.returncode, 0, process.told(done))
                self.assertIn("offers.json does not say", done.stdout)
                self.assertNotRegex(done.stdout, re.escape("[  SKIPPED ]"))

    def test_a_whole_device_passes(self):
        done = self.run_without("nothing", ":".join(["Offers.*", *LOST.values()]))
        self.assertEqual(done.returncode, 0, process.told(done))
        self.assertNotRegex(done.stdout, re.escape("[  SKIPPED ]"))


if __name__ == "__main__":
    unittest.main()
