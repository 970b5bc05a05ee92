"""Every function of OpenCL C compiles in a kernel: one for each overload that clang's opencl-c.h declares.

ZEROTH_OVERLOADS=all compiles all; otherwise a seeded sample. Kernels that clang's SPIR-V back end refuses (the header declares
more than it knows) are left out; they are few."""

import concurrent.futures
import os
import pathlib
import random
import re
import tempfile
import unittest

import process
from overloads import opencl_header

SAMPLE = 120
SEED = 22


def cached(name):
    found = re.search(rf"^{name}:\w+=(.+)$", (process.BUILD / "CMakeCache.txt").read_text(), re.M)
    return found[1] if found else None


CLANG = cached("ZEROTH_SPIRV_CLANG") or process.skip("no clang that compiles OpenCL C to SPIR-V is there")
TO_SPIRV = [CLANG, "--target=spirv64", *(cached("ZEROTH_SPIRV_FLAGS") or "").split(), "-x", "cl", "-cl-std=CL3.0", "-cl-ext=+all", "-O1", "-w"]


def header():
    return pathlib.Path(process.run(CLANG, "-print-resource-dir").stdout.strip()) / "include" / "opencl-c.h"


def chosen():
    found = opencl_header.overloads(header().read_text())
    if os.environ.get("ZEROTH_OVERLOADS") == "all":
        return found
    return random.Random(SEED).sample(found, SAMPLE)


def to_spirv(source):
    """The module; none where clang refuses."""
    module = source.with_suffix(".spv")
    return module if process.run(*TO_SPIRV, "-c", source, "-o", module).returncode == 0 else None


class Overloads(unittest.TestCase):
    def test_every_overload_compiles(self):
        with tempfile.TemporaryDirectory() as name:
            sources = []
            for number, overload in enumerate(chosen()):
                sources.append(pathlib.Path(name) / f"k{number}_{overload[1]}.cl")
                sources[-1].write_text(opencl_header.kernel(number, *overload) + "\n")
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                modules = [module for module in pool.map(to_spirv, sources) if module]
            listing = pathlib.Path(name) / "list.txt"
            listing.write_text("".join(f"{module}\n" for module in modules))
            done = process.run(process.BUILD / "bin" / "zeroth-compile-corpus", listing, timeout=7200)
        print(f"{len(sources)} overloads, {len(sources) - len(modules)} of them refused by clang\n{done.stdout[-2000:]}")
        self.assertEqual(done.returncode, 0, process.told(done)[-4000:])
        self.assertGreater(len(modules), 0.85 * len(sources))


if __name__ == "__main__":
    unittest.main(verbosity=2)
