"""Every SPIR-V module that real programs carry compiles: those of dpnp, downloaded once into the build tree.

ZEROTH_CORPUS=all reads all and compiles all; otherwise all are read and a seeded sample is compiled.
"""

import os
import random
import subprocess
import sys
import unittest
import zipfile

import process
from corpus import extract_spirv

WHEEL = "dpnp==0.20.0"
MODULES = 17685
SAMPLE = 300
FOLDER = process.BUILD / "corpus"
READY = FOLDER / "ready"


def prepare():
    if READY.exists():
        return
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "--python-version", "3.11", "-d", FOLDER / "wheel", WHEEL]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        process.skip(f"{WHEEL} cannot be downloaded here: {done.stderr[-400:]}")
    for wheel in (FOLDER / "wheel").glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(FOLDER / "content")
    extract_spirv.extract(FOLDER / "content", FOLDER / "modules")
    READY.touch()


class Corpus(unittest.TestCase):
    def files(self):
        return sorted((FOLDER / "modules").glob("*.spv"))

    def test_all_modules_are_found(self):
        self.assertGreaterEqual(len(self.files()), MODULES)

    def test_every_module_reads_and_verifies(self):
        done = process.run(process.BUILD / "bin" / "zeroth-spirv-corpus", FOLDER / "modules", timeout=900)
        print(done.stdout[-2000:])
        self.assertEqual(done.returncode, 0, process.told(done)[-2000:])

    def test_a_sample_compiles(self):
        files = self.files()
        if os.environ.get("ZEROTH_CORPUS") != "all":
            files = random.Random(20).sample(files, SAMPLE)
        listing = FOLDER / "sample.txt"
        listing.write_text("".join(f"{file}\n" for file in files))
        done = process.run(process.BUILD / "bin" / "zeroth-compile-corpus", listing, timeout=7200)
        print(done.stdout[-2000:])
        self.assertEqual(done.returncode, 0, process.told(done)[-4000:])


if __name__ == "__main__":
    prepare()
    unittest.main(verbosity=2)
