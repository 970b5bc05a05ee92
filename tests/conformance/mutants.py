#!/usr/bin/env python3
"""Which functions do the device tests check? Take each one away, and see whether a test notices.

  mutants.py --device cpu --checked checked.json [--write] PROGRAM...

Each program is a GoogleTest program that links zeroth::recorded_calls. It is run once to learn which test calls which
function and what codes come back. Then, function by function, the tests that call it run again while the function does
nothing and returns the same codes: so a test that only looks at success codes passes, and does not count. A function is
checked when some test fails, crashes or hangs without it.

checked.json holds, for each device, the functions that are checked and a test that notices. Without --write each of
these claims is tried again: exit status 1 when one is not true any more. With --write the file is made anew.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Their answer is the code alone: without them "ready" and "not ready" are swapped.
ANSWER_IS_THE_CODE = re.compile(r"QueryStatus$")
MOST_TESTS = 60  # that are tried for one function


class Use:
    """A test that calls a function."""

    def __init__(self, program, test, function, codes, seconds):
        self.program, self.test, self.function, self.codes, self.seconds = program, test, function, codes, seconds

    def codes_without(self):
        if not ANSWER_IS_THE_CODE.search(self.function):
            return self.codes
        return re.sub(r"(^|,)([01])\*", lambda m: f"{m.group(1)}{1 - int(m.group(2))}*", self.codes)

    def notices(self):
        """True when the test fails while the function does nothing."""
        variables = {**os.environ, "ZEROTH_TEST_WITHOUT": f"{self.function}:{self.codes_without()}"}
        try:
            done = subprocess.run([self.program, f"--gtest_filter={self.test}"], env=variables, capture_output=True,
                                  timeout=5 + 10 * self.seconds)
        except subprocess.TimeoutExpired:
            return True
        return done.returncode != 0


def record(program):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "calls"
        done = subprocess.run([program], env={**os.environ, "ZEROTH_TEST_RECORD": str(file)}, capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{program}: some tests fail, they do not count\n{done.stdout[-2000:]}")
        return uses_in(program, [line.split("\t") for line in file.read_text().splitlines()] if file.exists() else [])


def uses_in(program, rows):
    """Rows are test, milliseconds, function, codes; one without a function says that the test passed."""
    passed = {test: int(milliseconds) / 1000 for test, milliseconds, function, _ in rows if not function}
    codes = {}
    for test, _, function, runs in rows:
        if function and test in passed:
            codes.setdefault((test, function), []).append(runs)
    return [Use(program, test, function, shortened(",".join(runs)), passed[test]) for (test, function), runs in codes.items()]


def shortened(codes):
    """As much as the environment of a process holds."""
    return codes if len(codes) < 60000 else codes[:codes.rindex(",", 0, 60000)]


def first_to_notice(uses, known):
    """Name of a test; the one that noticed last time is asked first, then the quick ones."""
    for use in sorted(uses, key=lambda use: (use.test != known, use.seconds))[:MOST_TESTS]:
        if use.notices():
            return use.test
    return None


def uses_of(programs):
    """function → the tests that call it"""
    found = {}
    for program in programs:
        for use in record(program):
            found.setdefault(use.function, []).append(use)
    return found


def examine(functions, uses, known):
    """function → a test that notices its absence, or None"""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(pool.map(lambda f: (f, first_to_notice(uses.get(f, []), known.get(f))), sorted(functions)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", required=True)
    parser.add_argument("--checked", required=True, type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    checked = json.loads(options.checked.read_text())
    known, uses = checked.get(options.device, {}), uses_of(options.program)
    found = examine(uses if options.write else known, uses, known)
    unnoticed = [function for function, test in found.items() if test is None]
    print(f"{len(found) - len(unnoticed)} functions are checked; no test notices the absence of: {' '.join(unnoticed) or '-'}")
    if options.write:
        checked[options.device] = {function: test for function, test in found.items() if test}
        options.checked.write_text(json.dumps(checked, indent=1, sort_keys=True) + "\n")
    elif unnoticed:
        sys.exit(f"{options.checked.name} claims that they are checked; refresh it: cmake --build build/release -t conformance")


if __name__ == "__main__":
    main()
