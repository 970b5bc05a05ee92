"""The commands that README names: what they say without doing anything."""

import subprocess
import unittest

import tree


def run(*words):
    return subprocess.run([tree.ROOT / words[0], *words[1:]], capture_output=True, text=True)


def packages(*options):
    done = run("tools/deps.sh", "--list", *options)
    return set(done.stdout.split()) if done.returncode == 0 else None


class Commands(unittest.TestCase):
    def test_deps_keeps_run_time_and_developer_sets_apart(self):
        needed, developer = packages(), packages("--dev")
        self.assertTrue(needed < developer)
        self.assertFalse([p for p in needed if p.endswith("-dev") or p.startswith(("cmake", "llvm", "clang"))])
        self.assertTrue({"cmake", "ninja-build", "libze1"} <= developer)

    def test_deps_changes_nothing_where_all_is_installed(self):
        done = run("tools/deps.sh", "--dev")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_deps_refuses_options_that_it_does_not_know(self):
        self.assertEqual(run("tools/deps.sh", "--everything").returncode, 2)

    def test_help_is_printed_by_each_command(self):
        for command in ("tools/deps.sh", "tools/test", "tools/demo"):
            done = run(command, "--help")
            self.assertEqual(done.returncode, 0, command)
            self.assertIn(command, done.stdout)


if __name__ == "__main__":
    unittest.main()
