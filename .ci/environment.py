#!/usr/bin/env python3
"""Sets up `.venv`, the environment that every verb of the Makefile runs in; also run by hand where there is no make.

Everything but torch comes from a lock, with its hashes: the one of grading, or the longer one of the tests. Torch is
installed on its own, because the build that fits (processor only, or one of the CUDA versions) depends on the machine.
A file that says "being set up" lies in the environment while this runs; one that is found at the start was left by an
interrupted set-up, and that environment is made anew. Only the standard library is used, and no syntax newer than
Python 3.6, so that an old Python gets a sentence and no traceback.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

OLDEST, NEWEST = (3, 11), (3, 13)
TORCH = "torch==2.13.0"
ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".venv"
STAMP = FOLDER / ".stamp"
TEST_STAMP = FOLDER / ".stamp-tests"
RUNNING = FOLDER / ".being-set-up"
INDEX = FOLDER / ".torch-index"
LOG = FOLDER / "setup.log"
TURN = ROOT / ".venv.lock"
LOCK = "requirements.lock"
TEST_LOCK = "requirements-test.lock"
SOURCES = (LOCK, "pyproject.toml", ".ci/environment.py")
SHOWN_LINES = 60


class SetupError(Exception):
    """A sentence for the person who runs the set-up."""


def main(arguments=None):
    """Make the environment, or bring it up to date.

    Args:
        arguments: The command line without the program's name; by default that of the process.

    Returns:
        The exit status: 0, 2 when a step failed, 130 when it was interrupted.
    """
    parser = argparse.ArgumentParser(description="Set up .venv with everything that the grader needs.")
    parser.add_argument("--torch-index", default="", help="index of the torch build, such as PyTorch's CPU index")
    parser.add_argument("--torch-flags", default="", help="further options for pip when it installs torch")
    parser.add_argument("--tests", action="store_true", help="also install what the kit's own tests need")
    options = parser.parse_args(arguments)
    started = time.monotonic()
    try:
        check_version()
        with Turn():
            if is_current(options.torch_index, options.tests):
                say("The environment in .venv is already set up.")
                return 0
            set_up(options.torch_index or recorded(INDEX), options.torch_flags.split(), options.tests)
    except SetupError as problem:
        print(f"Set-up failed. {problem}", file=sys.stderr)
        return 2
    except OSError as problem:
        print(f"Set-up failed. {problem.filename or FOLDER}: {problem.strerror}.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Set-up was interrupted; the next one begins anew.", file=sys.stderr)
        return 130
    say(f"The environment in .venv is ready after {time.monotonic() - started:.0f} s.")
    return 0


def say(text):
    """Print one line at once."""
    print(text, flush=True)


def check_version():
    """Refuse a Python that the kit and torch do not run on."""
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        raise SetupError(
            f"Python 3.11, 3.12 or 3.13 is needed, but {sys.executable} is Python {sys.version.split()[0]}. "
            "Install one of these and name it: make setup PYTHON=/path/to/python3.11"
        )


class Turn:
    """Lets one set-up run at a time; a second waits until the first has ended, however that ends."""

    def __enter__(self):
        self.file = TURN.open("a")
        try:
            import fcntl
        except ImportError:  # Windows has no such lock, and nothing there runs two set-ups at once
            return self
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say("Another set-up is running in this folder; waiting for it.")
            fcntl.flock(self.file, fcntl.LOCK_EX)
        return self

    def __exit__(self, *_):
        self.file.close()


def recorded(path):
    """Return the line that an earlier set-up wrote into `path`, or an empty text."""
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def is_current(torch_index, tests):
    """Return whether a set-up ended here, in this folder, after the last change of what it is made from."""
    stamp, sources = (TEST_STAMP, (*SOURCES, TEST_LOCK)) if tests else (STAMP, SOURCES)
    if RUNNING.exists() or recorded(stamp) != str(ROOT):
        return False
    if torch_index and torch_index != recorded(INDEX):
        return False
    return all((ROOT / name).stat().st_mtime <= stamp.stat().st_mtime for name in sources)


def set_up(torch_index, torch_flags, tests):
    """Run every step, the stamps last.

    Args:
        torch_index: The index to install torch from; empty for pip's own.
        torch_flags: Further options of that installation.
        tests: Whether the tests' needs are installed too. An environment that has them keeps them up to date.
    """
    other_torch = torch_index != recorded(INDEX)
    python = make_environment()
    tests = tests or TEST_STAMP.exists()
    RUNNING.write_text("A set-up is running, or was interrupted.\n", encoding="utf-8")
    for path in (STAMP, TEST_STAMP, LOG):
        if path.exists():
            path.unlink()
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input"]
    locked = ["--require-hashes", "-r", str(ROOT / (TEST_LOCK if tests else LOCK))]
    purpose = "the tests" if tests else "grading"
    step(f"Installing the locked packages of {purpose}", [*pip, "install", *locked])
    if other_torch:
        step("Removing the torch of another index", [*pip, "uninstall", "--yes", "torch"])
    index = ["--index-url", torch_index] if torch_index else []
    hint = (
        "This may be an index without torch for this Python: name another version with PYTHON=, or the index of the "
        "build that you want with TORCH_INDEX=; see docs/grading.md."
    )
    step(f"Installing {TORCH}, the largest part", [*pip, "install", *index, *torch_flags, TORCH], hint)
    step(
        "Installing the grader itself", [*pip, "install", "--no-deps", "--no-build-isolation", "--editable", str(ROOT)]
    )
    step("Checking that everything fits together", [*pip, "check"])
    INDEX.write_text(f"{torch_index}\n", encoding="utf-8")
    RUNNING.unlink()
    for stamp in [STAMP, TEST_STAMP] if tests else [STAMP]:
        stamp.write_text(f"{ROOT}\n", encoding="utf-8")


def make_environment():
    """Make `.venv` unless a usable one is there, made in this folder with this version of Python.

    Returns:
        The path of its Python.
    """
    python = FOLDER / "Scripts" / "python.exe" if os.name == "nt" else FOLDER / "bin" / "python"
    moved = recorded(STAMP) not in ("", str(ROOT))
    if not (RUNNING.exists() or moved) and version_of(python) == sys.version_info[:2]:
        return python
    if python.exists() and FOLDER.samefile(sys.prefix):
        raise SetupError("The environment in .venv must be made anew. Run make clean, then the same command again.")
    say(f"Making .venv with Python {sys.version.split()[0]}")
    remove(FOLDER)
    command = [sys.executable, "-m", "venv", str(FOLDER)]
    made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if made.returncode:
        remove(FOLDER)
        if "ensurepip" in made.stdout:
            raise SetupError(
                "This Python comes without ensurepip, which puts pip into an environment. On Debian and Ubuntu install "
                "python{}.{}-venv, then run the same command again.".format(*sys.version_info[:2])
            )
        raise SetupError(f"No environment could be made in .venv:\n{made.stdout.rstrip()}")
    return python


def remove(folder):
    """Delete an environment, or the link to one, if there is one."""
    if folder.is_symlink():
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(str(folder))


def version_of(python):
    """Return the version of an environment's Python as two numbers, or None if it does not run or has no pip."""
    question = "import sys, pip; print(*sys.version_info[:2])"
    command = [str(python), "-c", question]
    try:
        found = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except OSError:
        return None
    return tuple(int(part) for part in found.stdout.split()) if found.returncode == 0 else None


def step(title, command, hint=""):
    """Run one command quietly; what it prints goes to the log, and to the person when it fails."""
    say(title)
    surroundings = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    with LOG.open("a", encoding="utf-8") as log:
        log.write(f"$ {' '.join(command)}\n")
        log.flush()
        begin = log.tell()
        ended = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=surroundings, cwd=str(ROOT)
        )
    if ended.returncode:
        lines = LOG.read_bytes()[begin:].decode("utf-8", "replace").splitlines()[-SHOWN_LINES:]
        told = [f"This step ended with {ended.returncode}: {title}. The log is {LOG}.", *lines, hint]
        raise SetupError("\n".join(told).rstrip())


if __name__ == "__main__":
    sys.exit(main())
