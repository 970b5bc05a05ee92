"""pyzes, unmodified from PyPI, reads this machine. It opens the distribution's library by its absolute path, so ours is
mounted over it, in a namespace of the test."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import process

PACKAGE = "pyzes==0.1.3"
FOLDER = process.BUILD / "clients" / "pyzes"
READY = FOLDER / "ready"
THEIRS = pathlib.Path("/usr/lib/x86_64-linux-gnu/libze_loader.so.1")
OURS = (process.BUILD / "lib" / "libze_loader.so.1").resolve()


def install():
    if not THEIRS.exists():
        process.skip(f"there is no {THEIRS} to mount over")
    if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode != 0:
        process.skip("no mount namespace may be made here")
    if READY.exists():
        return
    shutil.rmtree(FOLDER, ignore_errors=True)
    done = subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--target", FOLDER, PACKAGE], capture_output=True, text=True)
    if done.returncode != 0:
        process.skip(f"{PACKAGE} cannot be installed here: {done.stderr[-400:]}")
    READY.touch()


class Pyzes(unittest.TestCase):
    def run_module(self, *words):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        config = pathlib.Path(folder.name) / "zeroth.yaml"
        config.write_text(f"plugin_path: ['{process.BUILD / 'lib' / 'zeroth'}']\n")
        environment = process.clean_environment(ZEROTH_CONFIG=config, PYTHONPATH=FOLDER)
        script = 'mount --bind "$0" "$1" && shift && exec "$@"'
        return process.run("unshare", "-rm", "sh", "-c", script, OURS, THEIRS, sys.executable, "-B", *words, env=environment)

    def test_the_example_runs_to_its_end_over_our_device(self):
        done = self.run_module("-m", "pyzes.examples.pyzes_example")
        self.assertEqual(done.returncode, 0, process.told(done))
        self.assertRegex(done.stdout, r"Found [1-9]\d* device\(s\)", process.told(done))
        self.assertRegex(done.stdout, r"zesDriverGetDeviceByUuidExp: rc=0|DeviceByUuid.*0", process.told(done))
        self.assertNotIn("Traceback", done.stderr, process.told(done))

    def test_the_black_box_program_reads_memory_engines_and_clocks(self):
        done = self.run_module("-m", "pyzes.examples.pyzes_black_box_test", "-a")
        self.assertEqual(done.returncode, 0, process.told(done))
        self.assertNotIn("Traceback", done.stderr, process.told(done))

    def test_its_37_functions_are_found(self):
        program = """
import re, inspect, pyzes
names = sorted(set(re.findall(r'getFunctionPointerList\\("(zes\\w+)"\\)', inspect.getsource(pyzes))))
assert pyzes.zesInit(0) == 0
for name in names: pyzes.getFunctionPointerList(name)
print(len(names))
"""
        done = self.run_module("-c", program)
        self.assertEqual(done.returncode, 0, process.told(done))
        self.assertGreaterEqual(int(done.stdout.split()[-1]), 37, process.told(done))

    def test_reads_the_memory_of_this_machine(self):
        program = """
from ctypes import *
from pyzes import *
assert zesInit(0) == 0
count = c_uint32(0); assert zesDriverGet(byref(count), None) == 0
drivers = (zes_driver_handle_t * count.value)(); assert zesDriverGet(byref(count), drivers) == 0
count = c_uint32(0); assert zesDeviceGet(drivers[0], byref(count), None) == 0
devices = (zes_device_handle_t * count.value)(); assert zesDeviceGet(drivers[0], byref(count), devices) == 0
count = c_uint32(0); assert zesDeviceEnumMemoryModules(devices[0], byref(count), None) == 0
modules = (zes_mem_handle_t * count.value)(); assert zesDeviceEnumMemoryModules(devices[0], byref(count), modules) == 0
total = 0
for module in modules:
    state = zes_mem_state_t(); state.stype = ZES_STRUCTURE_TYPE_MEM_STATE
    if zesMemoryGetState(module, byref(state)) == 0: total += state.size
print(total)
"""
        done = self.run_module("-c", program)
        self.assertEqual(done.returncode, 0, process.told(done))
        machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        self.assertGreater(int(done.stdout.split()[-1]), machine / 2, process.told(done))


if __name__ == "__main__":
    install()
    unittest.main(verbosity=2)
