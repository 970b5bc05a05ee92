"""An installed copy works wherever it is moved to, and serves those who build programs and plugins against it."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import process

HERE = pathlib.Path(__file__).resolve().parent


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        first = pathlib.Path(cls.scratch.name) / "first"
        cls.prefix = pathlib.Path(cls.scratch.name) / "moved" / "zeroth"
        done = process.run("cmake", "--install", process.BUILD, "--prefix", first)
        assert done.returncode == 0, process.told(done)
        cls.prefix.parent.mkdir()
        cls.outside = pathlib.Path(cls.scratch.name) / "outside"
        cls.outside.mkdir()
        shutil.move(first, cls.prefix)
        cls.lib = next(cls.prefix.rglob("libze_loader.so.1")).parent

    def run_here(self, *command, **environment):
        done = process.run(*command, env=process.clean_environment(**environment), timeout=250)
        self.assertEqual(done.returncode, 0, process.told(done))
        return done.stdout

    def test_has_the_usual_folders(self):
        for name in ["bin/zeroth", "include/level_zero/ze_api.h", "include/level_zero/loader/ze_loader.h", "libexec/zeroth/zeroth-kernelc",
                     "share/zeroth/default.yaml", "share/zeroth/zeroth.schema.json", "share/doc/zeroth/LICENSE",
                     "share/bash-completion/completions/zeroth"]:
            self.assertTrue((self.prefix / name).exists(), name)
        self.assertTrue((self.lib / "zeroth" / "zeroth_cpu.so").exists())

    def test_what_the_readme_links_to_is_there(self):
        folder = self.prefix / "share" / "doc" / "zeroth"
        links = re.findall(r"\]\(([^):#]+)\)", (folder / "README.md").read_text())
        self.assertGreater(len(links), 5)
        self.assertEqual([], [link for link in links if not (folder / link).exists()])

    def test_text_files_name_no_folder_of_the_build(self):
        for file in self.prefix.rglob("*"):
            if file.suffix in (".pc", ".cmake", ".h", ".hpp", ".yaml"):
                text = file.read_text()
                for folder in (process.BUILD, process.SOURCE, self.scratch.name):
                    self.assertNotIn(str(folder), text, file)

    def test_binaries_search_libraries_only_beside_themselves(self):
        for file in [*self.prefix.glob("bin/*"), *self.prefix.glob("libexec/zeroth/*"), *self.lib.rglob("*.so*")]:
            dynamic = subprocess.run(["readelf", "-d", file], capture_output=True, text=True).stdout
            for line in dynamic.splitlines():
                if "RPATH" in line or "RUNPATH" in line:
                    self.assertIn("[$ORIGIN", line, file)

    def test_command_line_runs_a_kernel_on_the_cpu_device(self):
        (self.outside / "x.txt").write_text("1 2 3 4")
        kernel = process.BUILD / "kernels" / "saxpy.spv"
        text = self.run_here(self.prefix / "bin" / "zeroth", "run", kernel, "--groups", "1", "--group-size", "4", "--arg", "f32:10", "--arg",
                             f"f32[]:{self.outside / 'x.txt'}", "--arg", "f32[]:4", "--out", "2=-")
        self.assertEqual(text, "10 20 30 40\n")

    def test_pkg_config_builds_a_program(self):
        for package in ("level-zero", "libze_loader"):
            environment = {"PKG_CONFIG_PATH": self.lib / "pkgconfig"}
            flags = self.run_here("pkg-config", "--cflags", "--libs", package, **environment).split()
            program = self.outside / f"program-{package}"
            self.run_here("cc", HERE / "project" / "program.c", "-o", program, *flags, *self.sanitizers())
            self.assertNotEqual(self.run_here(program, LD_LIBRARY_PATH=self.lib), "")

    def sanitizers(self):
        cache = (process.BUILD / "CMakeCache.txt").read_text()
        value = [line.split("=", 1)[1] for line in cache.splitlines() if line.startswith("ZEROTH_SANITIZE:")]
        return [f"-fsanitize={value[0]}"] if value and value[0] else []

    def test_cmake_package_builds_a_program_a_device_and_an_overlay(self):
        build = self.outside / "build"
        flags = " ".join(self.sanitizers())
        self.run_here("cmake", "-G", "Ninja", "-S", HERE / "project", "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}",
                      f"-DNULL_DEVICE={process.SOURCE / 'bench' / 'calls' / 'null_device.cpp'}", f"-DCMAKE_C_FLAGS={flags}", f"-DCMAKE_CXX_FLAGS={flags}")
        self.run_here("cmake", "--build", build, "-j", "2")
        program = build / "program"
        self.assertNotEqual(self.run_here(program), "")
        config = build / "config.yaml"
        config.write_text(f"drivers: [{{plugin: {build}/zeroth_outside_device.so}}]\n"
                          f"overlays: [{{plugin: {build}/zeroth_outside_overlay.so}}]\n")
        self.assertEqual(self.run_here(program, ZEROTH_CONFIG=config), "null device\n")

    def test_a_device_without_the_word_device_fails_where_it_is_built(self):
        if self.sanitizers():
            self.skipTest("sanitizers leave their own functions to the program, so that links may lack others")
        for words, told in [(f"SOURCES {process.SOURCE / 'bench' / 'calls' / 'null_device.cpp'}", "undefined reference"), ("device.cpp DEVICE", "zeroth_add_plugin(lame SOURCES file")]:
            project = self.outside / f"lame {len(words)}"
            project.mkdir()
            (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.22)\nproject(lame CXX)\nset(CMAKE_CXX_STANDARD 20)\n"
                                                    f"find_package(zeroth REQUIRED)\nzeroth_add_plugin(lame {words})\n")
            made = process.run("cmake", "-G", "Ninja", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}")
            built = process.run("cmake", "--build", project / "build")
            self.assertNotEqual(built.returncode, 0, process.told(built))
            self.assertIn(told, " ".join((made.stderr + built.stdout).split()))


if __name__ == "__main__":
    unittest.main(verbosity=2)
