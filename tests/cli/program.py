"""`zeroth` as a program that tests start."""

import pathlib
import tempfile
import unittest

import process

ZEROTH = process.BUILD / "bin" / "zeroth"


class Cli(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def zeroth(self, *words, status=0, **environment):
        return self.both(*words, status=status, **environment)[0]

    def both(self, *words, status=0, **environment):
        done = process.run(ZEROTH, *words, env=process.clean_environment(**environment))
        self.assertEqual(done.returncode, status, process.told(done))
        return done.stdout, done.stderr

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path
