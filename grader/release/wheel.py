"""Builds the wheel that students install.

It is built from a copy that holds the package alone, without leftovers of earlier builds, which setuptools takes up.
The copy is the whole package: most of it is needed for a student's own check, and no module of it holds an answer.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import torch

from grader.errors import UsageError

PACKAGE = Path(__file__).resolve().parent.parent
KIT = PACKAGE.parent
LEFT_OUT = ("__pycache__", "*.pyc", ".*")
PIP_WHEEL = ("-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation")
TORCH = torch.__version__.partition("+")[0]
LAST_LINES = 5


def kit_file(name: str) -> Path:
    """Return a file of the checkout that this package is in, by its path from the checkout's folder.

    Raises:
        UsageError: There is none, as where the package was installed from a wheel.
    """
    path = KIT / name
    if not path.is_file():
        hint = "Run the command with the grader of a checkout: `make release`."
        raise UsageError(f"{KIT} has no {name}, of which a release is made.", hint)
    return path


def build_wheel() -> tuple[str, bytes]:
    """Build the wheel; return its file name and its bytes.

    Raises:
        UsageError: This is not a checkout, or the build tools are missing or fail.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy, made = Path(folder, "kit"), Path(folder, "made")
        copy.mkdir()
        for name in ("pyproject.toml", "LICENSE"):
            shutil.copyfile(kit_file(name), copy / name)
        shutil.copytree(PACKAGE, copy / PACKAGE.name, ignore=shutil.ignore_patterns(*LEFT_OUT))
        command = [sys.executable, *PIP_WHEEL, "--wheel-dir", str(made), str(copy)]
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False
        )
        wheels = list(made.glob("*.whl"))
        if done.returncode or len(wheels) != 1:
            output = " ".join((done.stdout + done.stderr).strip().splitlines()[-LAST_LINES:])
            raise UsageError(
                f"The students' package could not be built; pip says: {output or 'nothing'}",
                "pip and setuptools have to be installed beside the grader; `make setup` does it.",
            )
        return wheels[0].name, wheels[0].read_bytes()
