"""dpctl, unmodified from PyPI, finds our device. The wheel is installed once into the build tree."""

import subprocess
import sys
import unittest

import process

WHEEL = "dpctl==0.22.1"
FOLDER = process.BUILD / "clients" / "dpctl"
PYTHON = FOLDER / "bin" / "python"
READY = FOLDER / "ready"


def install():
    if READY.exists():
        return
    subprocess.run([sys.executable, "-m", "venv", "--clear", FOLDER], check=True)
    done = subprocess.run([FOLDER / "bin" / "pip", "install", "-q", WHEEL], capture_output=True, text=True)
    if done.returncode != 0:
        process.skip(f"{WHEEL} cannot be installed here: {done.stderr[-400:]}")
    READY.touch()


def run_python(program):
    libraries = f"{process.BUILD / 'lib'}:{FOLDER / 'lib'}"
    environment = process.clean_environment(LD_LIBRARY_PATH=libraries, ONEAPI_DEVICE_SELECTOR="level_zero:*")
    return process.run(PYTHON, "-c", program, env=environment)


class Dpctl(unittest.TestCase):
    def test_lists_the_device(self):
        done = run_python("import dpctl; print(dpctl.get_devices())")
        self.assertEqual(done.returncode, 0, process.told(done))
        self.assertIn("backend_type.level_zero", done.stdout, process.told(done))

    def test_reads_and_writes_shared_memory_through_a_queue(self):
        program = """
import dpctl, dpctl.memory as memory
queue = dpctl.SyclQueue()
source, target = memory.MemoryUSMShared(1000, queue=queue), memory.MemoryUSMDevice(1000, queue=queue)
source.copy_from_host(bytes(range(250)) * 4)
target.copy_from_device(source)
print(bytes(target.copy_to_host()) == bytes(range(250)) * 4)
"""
        done = run_python(program)
        self.assertEqual(done.stdout.strip(), "True", process.told(done))


if __name__ == "__main__":
    install()
    unittest.main(verbosity=2)
