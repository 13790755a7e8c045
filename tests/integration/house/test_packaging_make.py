"""The Makefile's verbs explain themselves, pass on what matters, and the set-up survives what goes wrong."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
MAKE = shutil.which("make")
pytestmark = pytest.mark.skipif(MAKE is None or os.name != "posix", reason="make and a shell are needed")
FILES = "Makefile requirements.lock requirements-test.lock pyproject.toml .ci/environment.py"
TOOLS = "awk bash cat cp dirname env git grep mktemp rm sed sh sort tee timeout uname"


def script(path, text):
    """Write an executable shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def checkout(tmp_path):
    """A folder with the packaging files of this repository, and a `tools` folder that is the whole path."""
    folder = tmp_path / "a checkout"
    for name in FILES.split():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in TOOLS.split():
        (tools / name).symlink_to(shutil.which(name))
    (tools / "make").symlink_to(MAKE)
    return folder


def installed(checkout, **commands):
    """Make the checkout look set up, with these shell scripts as the environment's commands."""
    (checkout / ".venv").mkdir()
    for name, text in commands.items():
        script(checkout / ".venv" / "bin" / name, text)
    for name in (".stamp", ".stamp-tests"):
        (checkout / ".venv" / name).write_text(f"{checkout}\n")


def run(checkout, *command, **variables):
    """Run a command in the checkout with nothing on the path but the tools."""
    surroundings = {"PATH": str(checkout.parent / "tools"), "HOME": str(checkout), **variables}
    return subprocess.run(command, cwd=checkout, env=surroundings, text=True, capture_output=True, timeout=60)


def make(checkout, *arguments, **variables):
    return run(checkout, MAKE, *arguments, **variables)


def python_that_says(version):
    """Return a shell script that claims to be a Python of this version, and fits only if the version does."""
    fits = 0 if version in ("3.11", "3.12", "3.13") else 1
    return f'[ "$1" = --version ] && echo "Python {version}.0" && exit; [ "$1" = -c ] && exit {fits}; echo "ran $0 $*"'


def test_set_up_is_run_again_after_a_change_of_its_sources_and_in_a_folder_that_was_moved(checkout):
    installed(checkout, grader="echo graded")
    script(checkout.parent / "tools" / "python3.11", python_that_says("3.11"))
    (checkout / ".venv" / ".stamp-tests").write_text("/somewhere/else\n")
    assert make(checkout, "doctor").stdout == "graded\n"
    assert ".ci/environment.py --torch-index= --torch-flags= --tests\n" in make(checkout, "test").stdout
    for source in ("requirements.lock", "pyproject.toml", ".ci/environment.py"):
        os.utime(checkout / ".venv" / ".stamp")
        os.utime(checkout / source, (2**32, 2**32))
        assert ".ci/environment.py" in make(checkout, "doctor").stdout
        os.utime(checkout / source, (1, 1))


def test_given_python_and_torch_index_are_passed_on(checkout):
    chosen = script(checkout.parent / "my python", python_that_says("3.13"))
    result = make(checkout, "setup", f"PYTHON={chosen}", "TORCH_INDEX=the-index", "TORCH_FLAGS=--pre --no-cache-dir")
    wanted = f"ran {chosen} .ci/environment.py --torch-index=the-index --torch-flags=--pre --no-cache-dir\n"
    assert result.stdout == wanted


@pytest.mark.parametrize("version", ["3.10", "3.14", None])
def test_without_a_python_that_fits_the_error_says_which_and_how(checkout, version):
    if version:
        script(checkout.parent / "tools" / "python3", python_that_says(version))
    result = make(checkout, "test")
    assert result.returncode == 2
    assert "Python 3.11, 3.12 or 3.13 is needed, and none was found" in result.stderr
    assert "make setup PYTHON=/path/to/python3.11" in result.stderr
    assert version is None or f"python3 is Python {version}.0" in result.stderr
    assert not (checkout / ".venv").exists()


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (["grade"], ["grade", "examples/submissions", "--output", "reports-example"]),
        (["grade", "SUBMISSIONS=submitted"], ["grade", "submitted", "--output", "reports"]),
    ],
)
def test_a_verb_passes_on_what_it_is_given(checkout, asked, words):
    installed(checkout, grader='for word in "$@"; do echo "<$word>"; done')
    assert make(checkout, *asked).stdout == "".join(f"<{word}>\n" for word in words)


@pytest.mark.parametrize("of", [[], ["SUBMISSIONS=other"]])
def test_submissions_that_cannot_be_graded_are_a_sentence_and_no_failure(checkout, of):
    installed(checkout, grader="echo table; exit 1")
    result = make(checkout, "grade", *of)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("table\nSome submissions could not be graded")


def test_real_errors_fail(checkout):
    installed(checkout, grader="exit 3")
    result = make(checkout, "grade")
    assert (result.returncode, "Error 3" in result.stderr) == (2, True)


def test_every_nightly_group_and_every_place_that_asks_for_it_is_there():
    rows = [line.split() for line in (ROOT / ".ci/nightly-groups").read_text().splitlines() if line[0] != "#"]
    folders = {path.name for path in (ROOT / "tests/nightly").iterdir() if path.is_dir() and path.name[0] != "_"}
    assert {group for group, *_ in rows} == folders
    assert [place for _, *places in rows for place in places if not (ROOT / place).exists()] == []


def test_clean_leaves_reports_and_the_secret(checkout):
    installed(checkout, grader="")
    (checkout.parent / "tools" / "find").symlink_to(shutil.which("find"))
    for name in ("reports/a.json", ".grader/secret", "grader/__pycache__/x.pyc"):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text("")
    assert make(checkout, "clean").returncode == 0
    assert (checkout / "reports/a.json").exists()
    assert (checkout / ".grader/secret").exists()
    assert not (checkout / ".venv").exists()
    assert not (checkout / "grader/__pycache__").exists()
