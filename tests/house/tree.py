"""The files of this source tree, as the tests of this folder see them."""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = {".cpp", ".hpp", ".h", ".c", ".cc", ".py", ".sh", ".cl", ".cmake"}


def files():
    """Relative paths of all tracked (or about to be tracked) text files."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    return [pathlib.Path(name) for name in listed if name and is_text(ROOT / name)]


def sources():
    return [f for f in files() if f.suffix in SOURCES or f.name == "CMakeLists.txt"]


def is_text(path):
    return path.is_file() and b"\0" not in path.read_bytes()[:4096]


def lines(path):
    return (ROOT / path).read_text(errors="replace").splitlines()
