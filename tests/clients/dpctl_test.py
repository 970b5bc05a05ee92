"""dpctl, unmodified from PyPI, finds our device and moves memory through it, over both of SYCL's adapters."""

import unittest

import environment
import process


def run_python(program, adapter):
    return process.run(environment.PYTHON, "-c", program, env=environment.variables(adapter))


class Dpctl(unittest.TestCase):
    def test_lists_the_device(self):
        for adapter in environment.ADAPTERS:
            done = run_python("import dpctl; print(dpctl.get_devices())", adapter)
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
        for adapter in environment.ADAPTERS:
            done = run_python(program, adapter)
            self.assertEqual(done.stdout.strip(), "True", process.told(done))


if __name__ == "__main__":
    environment.require()
    unittest.main(verbosity=2)
