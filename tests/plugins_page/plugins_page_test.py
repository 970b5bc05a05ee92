#!/usr/bin/env python3
"""Does what docs/plugins.md tells its reader, in an empty folder, with an installed copy of Zeroth.

Files (```LANGUAGE file=NAME) are written, commands (```sh) are run, and a ```text block is what the commands before it print.
"""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import process

PAGE = process.SOURCE / "docs" / "plugins.md"
EXAMPLES = process.SOURCE / "api_core" / "sdk" / "examples"
BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.M | re.S)


class PluginsPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        cls.prefix = cls.folder / "installed"
        done = process.run("cmake", "--install", process.BUILD, "--prefix", cls.prefix)
        assert done.returncode == 0, process.told(done)

    def environment(self, **changes):
        cache = (process.BUILD / "CMakeCache.txt").read_text()
        sanitize = re.search(r"^ZEROTH_SANITIZE:\w+=(.+)$", cache, re.M)
        flags = f"-fsanitize={sanitize[1]}" if sanitize else ""
        return process.clean_environment(ZEROTH=self.prefix, CFLAGS=flags, CXXFLAGS=flags, CMAKE_GENERATOR="Ninja", **changes)

    def shell(self, commands):
        done = subprocess.run(["bash", "-euc", commands], cwd=self.folder, env=self.environment(), capture_output=True, text=True, timeout=250)
        self.assertEqual(done.returncode, 0, process.told(done))
        return done.stdout

    def test_page_does_what_it_says(self):
        printed, checked = "", 0
        for language, file, body in BLOCK.findall(PAGE.read_text()):
            if file:
                (self.folder / file).parent.mkdir(exist_ok=True)
                (self.folder / file).write_text(body)
            elif language == "sh":
                printed = self.shell(body)
            elif language == "text":
                self.assertEqual(printed, body)
                checked += 1
        self.assertEqual(checked, 2)
        self.count_over_the_cpu_device()

    def count_over_the_cpu_device(self):
        """The overlay of the page over a device that has kernels."""
        program, kernel = self.prefix / "bin" / "zeroth", process.BUILD / "kernels" / "saxpy.spv"
        if not kernel.exists() or not list(self.prefix.rglob("zeroth_cpu.so")):
            return
        config = self.folder / "mine" / "count.yaml"
        config.write_text("drivers: [cpu]\noverlays: [{plugin: build/zeroth_count.so, options: {print: true}}]\n")
        (self.folder / "x.txt").write_text("1 2 3 4")
        done = process.run(program, "run", kernel, "--groups", "1", "--group-size", "4", "--arg", "f32:10", "--arg",
                           f"f32[]:{self.folder / 'x.txt'}", "--arg", "f32[]:4", "--out", "2=-", env=self.environment(ZEROTH_CONFIG=config))
        self.assertEqual(done.returncode, 0, process.told(done))
        launches = re.findall(r"launches: (\d+)", done.stdout)
        self.assertTrue(launches and int(launches[-1]) >= 1, process.told(done))

    def test_examples_stay_small(self):
        for file, limit in (("echo.cpp", 200), ("count.cpp", 80)):
            lines = (EXAMPLES / file).read_text().count("\n")
            self.assertLessEqual(lines, limit, file)

    def test_every_reason_is_explained(self):
        source = (process.SOURCE / "api_core" / "plugin_host" / "report.cpp").read_text()
        reasons = set(re.findall(r'PluginFault::\w+:\s+return "([a-z-]+)"', source)) - {"none"}
        self.assertGreater(len(reasons), 10)
        for reason in reasons:
            self.assertIn(f"`{reason}`", PAGE.read_text())


if __name__ == "__main__":
    unittest.main(verbosity=2)
