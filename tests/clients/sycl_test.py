"""SYCL programs of ours: host code by the plain C++ compiler, kernels by the wheels' run-time compiler, over both adapters."""

import os
import pathlib
import unittest

import environment
import process

SOURCES = pathlib.Path(__file__).resolve().parent / "sycl"
OUT = process.BUILD / "clients" / "sycl"


def build(name):
    """Compiles when the source is younger than the program."""
    OUT.mkdir(parents=True, exist_ok=True)
    program, source = OUT / name, SOURCES / f"{name}.cpp"
    newest = max(f.stat().st_mtime for f in (source, SOURCES / "program.hpp", environment.READY))
    if not program.exists() or program.stat().st_mtime < newest:
        done = process.run(os.environ.get("CXX", "g++"), "-std=c++17", "-w", source, "-o", program,
                           "-I", environment.FOLDER / "include", "-L", environment.FOLDER / "lib", "-lsycl", timeout=300)
        if done.returncode != 0:
            raise AssertionError(process.told(done))
    return program


class Sycl(unittest.TestCase):
    def check(self, name):
        program = build(name)
        for adapter in environment.ADAPTERS:
            with self.subTest(adapter=adapter):
                done = process.run(program, env=environment.variables(adapter), timeout=120)
                self.assertEqual(done.returncode, 0, process.told(done))

    def test_reduction_over_every_kind_of_memory(self):
        self.check("reduction")

    def test_shuffles_and_local_memory(self):
        self.check("shuffle")

    def test_host_tasks_and_events(self):
        self.check("host_task")


if __name__ == "__main__":
    environment.require()
    unittest.main(verbosity=2)
