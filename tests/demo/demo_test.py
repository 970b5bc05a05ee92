"""The demo, a plain Level Zero program, under our loader and, as the same binary, under the distribution's."""

import os
import pathlib
import tempfile
import unittest

import process

UPSTREAM = os.environ.get("ZEROTH_UPSTREAM_LOADER", "")
DEMO = process.BUILD / "bin" / "zeroth-demo"
PLUGIN = process.BUILD / "lib" / "zeroth" / "zeroth_cpu.so"


class Demo(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def demo(self, *options, **environment):
        done = process.run(DEMO, "--output", self.folder, "--size", "640x480", *options, env=process.clean_environment(**environment))
        self.assertEqual(done.returncode, 0, process.told(done))
        self.assertEqual(done.stdout.count("equal"), 2, process.told(done))
        return done.stdout

    def is_picture(self, name):
        return (self.folder / name).read_bytes().startswith(b"\x89PNG\r\n")

    def test_both_pictures_are_right_under_our_loader(self):
        self.assertIn("Loader   1.32.0", self.demo())
        self.assertTrue(self.is_picture("mandelbrot.png") and self.is_picture("edges.png"))

    def test_finds_the_edges_of_a_given_picture(self):
        self.demo()
        (self.folder / "edges.png").rename(self.folder / "given.png")
        self.demo(self.folder / "given.png")
        self.assertTrue(self.is_picture("edges.png"))

    @unittest.skipUnless(UPSTREAM, "the distribution's loader (libze1) is not installed")
    def test_the_same_binary_runs_under_the_upstream_loader_with_our_plugin(self):
        loader = pathlib.Path(UPSTREAM).resolve()
        (self.folder / "libze_loader.so.1").symlink_to(loader)
        # The upstream loader keeps memory until the end, which is no concern of a leak check of ours.
        text = self.demo(LD_LIBRARY_PATH=self.folder, ZE_ENABLE_ALT_DRIVERS=PLUGIN, ASAN_OPTIONS="detect_leaks=0")
        self.assertNotIn("Loader   1.32.0", text)

    def test_a_missing_picture_is_an_error(self):
        done = process.run(DEMO, "--output", self.folder, self.folder / "none.png")
        self.assertEqual(done.returncode, 1, process.told(done))
        self.assertIn("none.png", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
