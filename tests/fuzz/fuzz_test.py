"""Runs the fuzz targets for ZEROTH_FUZZ_SECONDS (30) each: seeds are the test modules and the corpus beside this file, what
is found interesting is kept in <build>/corpus for the next run, what fails in <build>/found. Skipped where the build `fuzz`
has not been made. The corpus here is made by `zeroth-<target>-fuzz -merge=1 tests/fuzz/corpus/<target> <build>/corpus/<target>`."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

BUILD = pathlib.Path(os.environ["ZEROTH_BUILD_DIR"])
FUZZ_BUILD = BUILD if (BUILD / "bin/zeroth-reader-fuzz").exists() else BUILD.parent / "fuzz"
SECONDS = os.environ.get("ZEROTH_FUZZ_SECONDS", "30")
# The worker gives up on a module after a minute and 4 GiB; here both are less.
KEPT = pathlib.Path(__file__).resolve().parent / "corpus"
LIMITS = ["-timeout=30", "-rss_limit_mb=3000", "-malloc_limit_mb=2000", "-max_len=65536"]


def curve(text, points=12):
    """How coverage grew: (executions, covered edges) at evenly spread moments of what libFuzzer said."""
    seen = [(int(n), int(cov)) for n, cov in re.findall(r"^#(\d+)\s+\S+\s+cov: (\d+)", text, re.M)]
    step = max(1, len(seen) // points)
    return seen[::step] + seen[-1:]


class Fuzz(unittest.TestCase):
    def run_target(self, name):
        program = FUZZ_BUILD / "bin" / f"zeroth-{name}-fuzz"
        corpus, found = FUZZ_BUILD / "corpus" / name, FUZZ_BUILD / "found"
        seeds = next(b / "kernels/reader" for b in (BUILD, FUZZ_BUILD) if (b / "kernels/reader").is_dir())
        for folder in (corpus, found):
            folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([program, f"-max_total_time={SECONDS}", *LIMITS, "-print_final_stats=1", f"-artifact_prefix={found}/{name}-",
                               corpus, seeds, *[kept for kept in [KEPT / name] if kept.is_dir()]], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr[-6000:])
        print(name, "executions, coverage:", *curve(done.stderr), file=sys.stderr)
        print(*[line for line in done.stderr.splitlines() if "stat::" in line or "Done" in line], sep="\n  ", file=sys.stderr)

    def test_reader(self):
        self.run_target("reader")

    def test_reader_to_code(self):
        self.run_target("compile")


if __name__ == "__main__":
    if not (FUZZ_BUILD / "bin/zeroth-compile-fuzz").exists():
        print(f"skipped: {FUZZ_BUILD} has no fuzz targets; cmake --preset fuzz && cmake --build --preset fuzz makes them")
        sys.exit(77)
    unittest.main(verbosity=2)
