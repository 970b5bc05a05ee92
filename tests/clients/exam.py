#!/usr/bin/env python3
"""The wheels' own tests as an exam: exam.py SUITE... [--adapter v1|v2]...

Counts what passed, because a suite that finds no device skips its tests and is green as well. Exit status 1 when a test
failed or fewer passed than are known to pass.
"""
import argparse
import re
import sys
import time

import environment
import process


class Suite:
    def __init__(self, passes, *arguments):
        self.passes = passes  # as many pass over any good driver
        self.arguments = arguments


def dpnp(*names):
    return [f"{environment.packages() / 'dpnp' / 'tests' / name}.py" for name in names]


def suites():
    return {
        "dpctl": Suite(1542, "--pyargs", "dpctl.tests"),
        "dpnp-part": Suite(1028, *dpnp("test_search", "tensor/test_tensor_sum")),
        "dpnp": Suite(8104, *dpnp("test_sum", "test_sort", "test_search", "tensor/test_tensor_sum",
                                  "tensor/test_usm_ndarray_sorting", "tensor/test_usm_ndarray_indexing",
                                  "tensor/test_usm_ndarray_reductions", "tensor/test_tensor_accumulation")),
    }


def counts(output):
    """{"passed": 12, "skipped": 3, ...} of pytest's last line."""
    lines = [line for line in output.splitlines() if re.search(r"\d+ \w+.* in [\d.]+s", line)]
    return {word: int(number) for number, word in re.findall(r"(\d+) (\w+)", lines[-1])} if lines else {}


def take(name, suite, adapter, limit):
    began = time.monotonic()
    done = process.run(environment.PYTHON, "-m", "pytest", "-q", "-rfE", "-p", "no:cacheprovider", "--tb=short",
                       *suite.arguments, env=environment.variables(adapter), timeout=limit, cwd=environment.FOLDER)
    found = counts(done.stdout)
    good = done.returncode == 0 and found.get("passed", 0) >= suite.passes
    told = ", ".join(f"{number} {word}" for word, number in found.items())
    print(f"{name} {adapter}: {told} in {time.monotonic() - began:.0f} s (at least {suite.passes}): {'good' if good else 'BAD'}",
          flush=True)
    if not good:
        print(process.told(done)[-20000:])
    return good


def main():
    environment.install()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suite", nargs="+", choices=suites())
    parser.add_argument("--adapter", action="append", choices=environment.ADAPTERS)
    parser.add_argument("--limit", type=int, default=3600, help="seconds for one suite")
    options = parser.parse_args()
    adapters = options.adapter or list(environment.ADAPTERS)
    results = [take(name, suites()[name], adapter, options.limit) for name in options.suite for adapter in adapters]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
