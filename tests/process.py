"""Running programs of a build tree in tests."""

import os
import pathlib
import subprocess
import sys

BUILD = pathlib.Path(os.environ["ZEROTH_BUILD_DIR"])
SOURCE = pathlib.Path(__file__).resolve().parents[1]
SKIPPED = 77  # the exit status that ctest shows as "skipped"


def clean_environment(**changes):
    """The environment without what steers Level Zero, plus `changes`."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ZE_", "ZES_", "ZEL_", "ZEROTH_")) and k != "LD_LIBRARY_PATH"}
    return {**kept, "ZEROTH_CONFIG": "default", **{k: str(v) for k, v in changes.items()}}


def run(*command, timeout=120, **options):
    """Runs to the end; output as text. Nothing is raised for a failing program."""
    options.setdefault("env", clean_environment())
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=timeout, **options)


def told(done):
    """All that a finished program said, for messages of failed checks."""
    return f"exit status {done.returncode}\n{done.stdout}{done.stderr}"


def skip(reason):
    """Ends the test as skipped; in CI, where everything can be had, as failed."""
    print(f"skipped: {reason}")
    sys.exit(1 if os.environ.get("CI") == "true" else SKIPPED)
