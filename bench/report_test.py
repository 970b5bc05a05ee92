"""Numbers, tables and stored runs of the benchmark scripts."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import report


class Scripts(unittest.TestCase):
    def test_words_that_mean_nothing_are_refused_before_anything_is_measured(self):
        cases = [(["kernels", "--runtimes", "zeroth,bogus"], '"bogus" is no runtime'), (["kernels", "--compare", "nofile"], "nofile cannot be read"),
                 (["run", "bogus"], 'no suite "bogus"; there are calls'), (["run", "--compare", "nofile"], "nofile cannot be read")]
        for words, told in cases:
            script = pathlib.Path(__file__).parent / words[0]
            done = subprocess.run([sys.executable, "-B", script, *words[1:]], capture_output=True, text=True)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(told, done.stderr)
            self.assertNotIn("Traceback", done.stderr)


class Report(unittest.TestCase):
    def test_numbers_have_three_significant_digits(self):
        self.assertEqual([report.number(v) for v in (0.012345, 1.2345, 123.45, 12345, 0, None)], ["0.0123", "1.23", "123", "12345", "0", "-"])

    def test_columns_are_aligned(self):
        lines = report.table(["kernel", "rate"], [["a", 1.5], ["longer name", None]]).splitlines()
        self.assertEqual(lines, ["kernel       rate", "-----------------", "a            1.50", "longer name     -"])

    def test_geometric_mean_leaves_out_what_was_not_measured(self):
        self.assertAlmostEqual(report.geometric_mean([2, 8, None]), 4)
        self.assertIsNone(report.geometric_mean([None]))

    def test_a_stored_run_comes_back_and_only_as_its_kind(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "run.json"
            report.store(path, "kernels", {"saxpy": {"zeroth": {"rate": 2.0}}})
            run = report.load(path, "kernels")
            self.assertEqual(run["results"]["saxpy"]["zeroth"]["rate"], 2.0)
            self.assertIn("cpu", run["machine"])
            with self.assertRaises(SystemExit):
                report.load(path, "run")


if __name__ == "__main__":
    unittest.main()
