"""The Python environment of the client tests: wheels of PyPI, unmodified, in a virtual environment of their own.

It is made once (run this file) in the build tree, or in $ZEROTH_CLIENTS_ENVIRONMENT where several build trees share one.
"""

import os
import pathlib
import subprocess
import sys

import process

WHEELS = ["dpctl==0.22.1", "dpnp==0.20.0", "pytest==9.2.0", "cython==3.3.1", "setuptools==80.9.0"]
FOLDER = pathlib.Path(os.environ.get("ZEROTH_CLIENTS_ENVIRONMENT", process.BUILD / "clients" / "environment"))
PYTHON = FOLDER / "bin" / "python"
READY = FOLDER / "ready"  # holds the names of what is installed
ADAPTERS = {"v1": "0", "v2": "1"}  # SYCL's two ways onto Level Zero; v1 is its default


def install():
    """Ends the process as skipped where the wheels cannot be had."""
    if READY.exists() and READY.read_text().split() == WHEELS:
        return
    subprocess.run([sys.executable, "-m", "venv", "--clear", FOLDER], check=True)
    done = subprocess.run([PYTHON, "-m", "pip", "install", "-q", *WHEELS], capture_output=True, text=True)
    if done.returncode != 0:
        process.skip(f"{' '.join(WHEELS)} cannot be installed here: {done.stderr[-400:]}")
    READY.write_text("\n".join(WHEELS))


def require():
    """What each client test does first."""
    if not READY.exists():
        process.skip("the wheels are not installed")


def packages():
    """Where the wheels' Python packages lie."""
    return next(FOLDER.glob("lib/python3.*/site-packages"))


def variables(adapter="v1", **changes):
    """The environment of a client: our loader in front of the wheels' own libraries."""
    return process.clean_environment(LD_LIBRARY_PATH=f"{process.BUILD / 'lib'}:{FOLDER / 'lib'}",
                                     ONEAPI_DEVICE_SELECTOR="level_zero:*",
                                     UR_LOADER_USE_LEVEL_ZERO_V2=ADAPTERS[adapter], **changes)


if __name__ == "__main__":
    install()
