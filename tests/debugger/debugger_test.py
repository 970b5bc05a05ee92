"""gdb and perf show the lines of a kernel's source."""

import pathlib
import re
import shutil
import sys
import tempfile
import unittest

import process

ZEROTH = process.BUILD / "bin" / "zeroth"
SOURCES = pathlib.Path(__file__).parent  # of lines.cl, which lines.spvasm was made from
RUN = [ZEROTH, "run", process.BUILD / "kernels/lines.spv", "--build-flags", "-g", "--groups", "64", "--group-size", "64",
       "--arg", "f32[]:4096", "--arg", "f32[]:4096"]


class Debugger(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def gdb(self, *commands, program=(*RUN, "--arg", "i32:5")):
        words = ["gdb", "-nx", "-batch"]
        for command in ("set debuginfod enabled off", "set breakpoint pending on", f"directory {SOURCES}", *commands):
            words += ["-ex", command]
        done = process.run(*words, "--args", *program)
        if re.search("ptrace|Could not trace|Operation not permitted", done.stdout + done.stderr):
            self.skipTest("gdb may not trace programs here")
        return done

    def test_gdb_stops_at_a_line_of_a_kernel(self):
        done = self.gdb("break lines.cl:5", "run", "backtrace 1", "info symbol $pc", "delete", "continue")
        self.assertRegex(done.stdout, r"lines.* \(\) at .*lines\.cl:5", process.told(done))
        self.assertIn("x = x * 0.5f + sin(x);", done.stdout, process.told(done))
        self.assertRegex(done.stdout, r"(zeroth_kernel\.lines|lines\.body)\S* (\+ \d+ )?in section", process.told(done))
        self.assertRegex(done.stdout, r"exited normally", process.told(done))

    @unittest.skipUnless(any(shutil.which(f"llvm-spirv-{version}") and shutil.which(f"clang-{version}") for version in range(14, 23)),
                         "lines of OpenCL C need the Khronos translator")
    def test_gdb_stops_in_opencl_c_that_run_compiles(self):
        source = self.folder / "half.cl"
        source.write_text("kernel void half_of(global float* x) {\n  float y = x[get_global_id(0)];\n  y = y * 0.5f;\n  x[get_global_id(0)] = y;\n}\n")
        done = self.gdb("break half.cl:4", "run", "backtrace 1", program=[ZEROTH, "run", source, "--build-flags", "-g", "--arg", "f32[]:1"])
        self.assertRegex(done.stdout, r"at .*half\.cl:4", process.told(done))

    def test_gdb_finds_kernels_of_a_process_that_runs_already(self):
        # As if attached: symbols are read again from what the loader's list names.
        done = self.gdb("set auto-solib-add off", "break zeCommandListDestroy", "run", "sharedlibrary", "info line lines.cl:6")
        self.assertRegex(done.stdout, r'Line 6 of ".*lines\.cl" (starts at|is at) address', process.told(done))

    def test_perf_shows_lines(self):
        perf = shutil.which("perf")
        data = self.folder / "perf.data"
        environment = process.clean_environment(ZEROTH_KEEP_KERNELS=self.folder)
        recorded = perf and process.run(perf, "record", "-q", "-e", "cpu-clock:u", "-o", data, *RUN, "--arg", "i32:100000", env=environment)
        if not recorded or recorded.returncode != 0:
            self.skipTest("perf cannot record here: " + (recorded.stderr.strip() if recorded else "not installed"))
        self.assertTrue(list(self.folder.glob("*.so")), "no kernel was kept")
        shown = process.run(perf, "script", "-i", data, "-F", "ip,sym,srcline")
        self.assertRegex(shown.stdout, r"lines\.cl:[45]", process.told(shown)[:3000])
        self.assertRegex(shown.stdout, r"zeroth_kernel\.lines|lines\.body")


if __name__ == "__main__":
    if not shutil.which("gdb"):
        process.skip("gdb is not installed")
    unittest.main(verbosity=2)
