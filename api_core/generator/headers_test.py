"""Every public header compiles alone and clean as C99 and as C++11, with gcc and with clang.

  headers_test.py INCLUDE_DIR
"""
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

INCLUDE = Path(sys.argv.pop(1))
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", f"-I{INCLUDE}"]
HEADERS = sorted(str(p.relative_to(INCLUDE)) for p in (INCLUDE / "level_zero").rglob("*.h"))
LANGUAGES = {"c": "-std=c99", "c++": "-std=c++11"}


def clangs():
    return [c for c in ["clang"] + [f"clang-{v}" for v in range(14, 40)] if shutil.which(c)]


class Headers(unittest.TestCase):
    def compile(self, compiler, language, includes):
        source = "".join(f"#include <{header}>\n" for header in includes) + "int used = ZE_API_VERSION_CURRENT;\n"
        command = [compiler, "-x", language, LANGUAGES[language], *WARNINGS, "-"]
        result = subprocess.run(command, input=source, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, f"{compiler} {language} {includes}\n{result.stderr}")

    def compile_all(self, compiler):
        self.assertEqual(len(HEADERS), 13)
        for language in LANGUAGES:
            self.compile(compiler, language, HEADERS)
            self.compile(compiler, language, reversed(HEADERS))
            for header in HEADERS:
                self.compile(compiler, language, [header])

    def test_gcc(self):
        self.compile_all("gcc")

    def test_clang(self):
        self.assertTrue(clangs(), "no clang on this machine")
        for compiler in clangs():
            self.compile_all(compiler)


if __name__ == "__main__":
    unittest.main()
