"""The test kernels, and some random programs, compiled for AArch64 give the results that they give here: run under qemu-user. Skipped where the
cross compiler or qemu is not installed (Debian: g++-aarch64-linux-gnu, qemu-user)."""

import pathlib
import shutil
import sys
import unittest

import process

PREFIX = "aarch64-linux-gnu-"
JOBS = process.BUILD / "bin/zeroth-aarch64-jobs"
HERE = pathlib.Path(__file__).resolve().parent


class AArch64(unittest.TestCase):
    def must(self, *command):
        done = process.run(*command, timeout=600)
        self.assertEqual(done.returncode, 0, process.told(done)[-4000:])
        return done.stdout

    def test_every_form_of_test_kernels_and_random_programs_runs_right(self):
        folder = process.BUILD / "aarch64"
        shutil.rmtree(folder, ignore_errors=True)
        self.must(JOBS, folder)
        objects = sorted(folder.glob("*.o"))
        for item in objects:
            self.must(PREFIX + "gcc", "-shared", "-nostartfiles", item, "-o", item.with_suffix(".so"), "-lm")
        runner = folder / "run_jobs"
        self.must(PREFIX + "g++", "-std=c++20", "-O1", f"-I{process.SOURCE}/plugins", HERE / "run_jobs.cpp", "-o", runner, "-ldl")
        said = self.must("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", runner, folder)
        print(said)
        self.assertIn(f"{len(objects)} runs, 0 wrong", said)


if __name__ == "__main__":
    missing = [tool for tool in (PREFIX + "g++", "qemu-aarch64") if not shutil.which(tool)]
    if missing or not JOBS.exists():
        print(f"skipped: {', '.join(missing) or JOBS.name} is not there")
        sys.exit(process.SKIPPED)
    unittest.main(verbosity=2)
