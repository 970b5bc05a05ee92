"""docs/accuracy.md says what was measured: the same functions and limits, and no smaller sample of the same arguments finds a
larger error than it admits."""

import re
import unittest

import process

ROW = re.compile(r"^\| `(\w+)` \| ([\d.]+) \| ([\d.]+|inf) \| ([\d.]+) \| ([\d.]+|inf) \|$", re.M)

HALF = re.compile(r"^\| `(\w+)` \| ([\d.]+) \| ([\d.]+|inf) \|$", re.M)


def rows(text):
    return {name: tuple(float(x) for x in numbers) for name, *numbers in ROW.findall(text)}


class AccuracyPage(unittest.TestCase):
    def test_the_table_is_what_a_measurement_gives(self):
        program = next(iter(process.BUILD.rglob("zeroth-accuracy")))
        measured = process.run(program, "--document", "--samples", "3000")
        self.assertEqual(measured.returncode, 0, process.told(measured))
        written, now = rows((process.SOURCE / "docs/accuracy.md").read_text()), rows(measured.stdout)
        self.assertGreater(len(now), 30)
        self.assertEqual(list(written), list(now))
        for name, (limit32, worst32, limit64, worst64) in now.items():
            self.assertEqual((limit32, limit64), (written[name][0], written[name][2]), name)
            self.assertLessEqual(worst32, written[name][1], f"{name}: docs/accuracy.md is out of date")
            self.assertLessEqual(worst64, written[name][3], f"{name}: docs/accuracy.md is out of date")
        half = HALF.findall((process.SOURCE / "docs/accuracy.md").read_text())
        self.assertGreater(len(half), 20)
        self.assertEqual(half, HALF.findall(measured.stdout), "half precision is measured whole: docs/accuracy.md is out of date")


if __name__ == "__main__":
    unittest.main(verbosity=2)
