"""Runs the fuzz targets for ZEROTH_FUZZ_SECONDS (30) each: seeds are the test modules, the recorded machines, the examples and the
corpus beside this file; what is found interesting is kept in <build>/corpus for the next run, what fails in <build>/found. Skipped where
the build `fuzz` has not been made. The corpus here holds minimised inputs that once failed, by target."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

TREE = pathlib.Path(__file__).resolve().parents[2]
KEPT = pathlib.Path(__file__).resolve().parent / "corpus"
BUILD = pathlib.Path(os.environ["ZEROTH_BUILD_DIR"])
FUZZ_BUILD = BUILD if (BUILD / "bin/zeroth-reader-fuzz").exists() else BUILD.parent / "fuzz"
SECONDS = os.environ.get("ZEROTH_FUZZ_SECONDS", "30")
# The worker gives up on a module after a minute and 4 GiB; sanitizers make both more for the same work.
LIMITS = ["-timeout=120", "-rss_limit_mb=3000", "-malloc_limit_mb=2000"]
SEEDS = {"reader": "kernels/reader", "compile": "kernels/reader", "sysman": "seeds/sysman", "cper": "seeds/cper",
         "config": TREE / "config"}
# Code for the longest test modules takes seconds: whoever mutates them learns nothing in a short run.
LONGEST = {"reader": 65536, "compile": 8192, "sysman": 4096, "cper": 1024, "config": 8192}


def curve(text, points=12):
    """How coverage grew: (executions, covered edges) at evenly spread moments of what libFuzzer said."""
    seen = [(int(n), int(cov)) for n, cov in re.findall(r"^#(\d+)\s+\S+\s+cov: (\d+)", text, re.M)]
    step = max(1, len(seen) // points)
    return seen[::step] + seen[-1:]


class Fuzz(unittest.TestCase):
    def run_target(self, name):
        corpus, found, seeds = FUZZ_BUILD / "corpus" / name, FUZZ_BUILD / "found", FUZZ_BUILD / SEEDS[name]
        for folder in (corpus, found):
            folder.mkdir(parents=True, exist_ok=True)
        self.assertTrue(any(seeds.iterdir()), f"{seeds} has no seeds")
        words, kept = FUZZ_BUILD / f"seeds/{name}.dict", KEPT / name
        options = [f"-max_total_time={SECONDS}", f"-max_len={LONGEST[name]}", *LIMITS, "-print_final_stats=1",
                   f"-artifact_prefix={found}/{name}-"]
        options += [f"-dict={words}"] if words.exists() else []
        folders = [corpus, seeds] + ([kept] if kept.is_dir() else [])
        done = subprocess.run([FUZZ_BUILD / "bin" / f"zeroth-{name}-fuzz", *options, *folders], capture_output=True, text=True,
                              errors="replace")
        self.assertEqual(done.returncode, 0, done.stderr[-6000:])
        print(name, "executions, coverage:", *curve(done.stderr), file=sys.stderr)
        print(*[line for line in done.stderr.splitlines() if "stat::" in line or "Done" in line], sep="\n  ", file=sys.stderr)

    def test_reader(self):
        self.run_target("reader")

    def test_reader_to_code(self):
        self.run_target("compile")

    def test_texts_of_the_kernel(self):
        self.run_target("sysman")

    def test_records_of_the_log(self):
        self.run_target("cper")

    def test_configuration(self):
        self.run_target("config")


if __name__ == "__main__":
    if not (FUZZ_BUILD / "bin/zeroth-compile-fuzz").exists():
        print(f"skipped: {FUZZ_BUILD} has no fuzz targets; cmake --preset fuzz && cmake --build --preset fuzz makes them")
        sys.exit(77)
    unittest.main(verbosity=2)
