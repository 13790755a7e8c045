"""The set-up of the environment runs its steps in order and gets over whatever stopped the one before."""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
VERSION = f"{sys.version_info[0]} {sys.version_info[1]}"
TITLES = [
    f"Making .venv with Python {sys.version.split()[0]}",
    "Installing the locked packages of grading",
    "Installing torch==2.13.0, the largest part",
    "Installing the grader itself",
    "Checking that everything fits together",
]
# Stands in for the module venv: the environment's Python notes what it is asked and fails where FAIL_AT says so.
FAKE_VENV = f'''\
import os, sys
folder = sys.argv[1]
os.makedirs(folder + "/bin")
with open(folder + "/bin/python", "w") as file:
    file.write("""#!/bin/sh
[ "$1" = -c ] && echo {VERSION} && exit
echo "$*" >> "{{0}}/calls"
[ -z "$FAIL_AT" ] && exit
case "$*" in *"$FAIL_AT"*) echo "it went wrong here"; exit 1;; esac
""".format(folder))
os.chmod(folder + "/bin/python", 0o755)
'''


@pytest.fixture
def checkout(tmp_path):
    """A folder with what the set-up reads, and a stand-in for the module venv."""
    folder = tmp_path / "a checkout"
    for name in ("requirements.lock", "requirements-test.lock", "pyproject.toml", ".ci/environment.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    (tmp_path / "stand-in").mkdir()
    (tmp_path / "stand-in" / "venv.py").write_text(FAKE_VENV)
    return folder


def command_of(checkout, *arguments, **variables):
    """Return the arguments of subprocess for one set-up."""
    surroundings = {"PATH": os.defpath, "PYTHONPATH": str(checkout.parent / "stand-in"), **variables}
    return {"args": [sys.executable, ".ci/environment.py", *arguments], "cwd": checkout, "env": surroundings}


def set_up(checkout, *arguments, **variables):
    return subprocess.run(**command_of(checkout, *arguments, **variables), text=True, capture_output=True, timeout=60)


def calls(checkout):
    """Return what pip was asked to do, without the options that it always gets."""
    lines = (checkout / ".venv" / "calls").read_text().splitlines()
    return [line.removeprefix("-m pip --disable-pip-version-check --no-input ") for line in lines]


def test_steps_run_in_order_with_one_line_each_and_the_stamp_last(checkout):
    result = set_up(checkout)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.splitlines()[:-1] == TITLES
    assert calls(checkout) == [
        f"install --require-hashes -r {checkout}/requirements.lock",
        "install torch==2.13.0",
        f"install --no-deps --no-build-isolation --editable {checkout}",
        "check",
    ]
    assert (checkout / ".venv" / ".stamp").read_text() == f"{checkout}\n"
    assert not (checkout / ".venv" / ".being-set-up").exists()


@pytest.mark.parametrize("at", range(4))
def test_failed_step_shows_its_output_and_the_next_set_up_begins_anew(checkout, at):
    where = ["requirements.lock", "torch==2.13.0", "--editable", "input check"][at]
    failed = set_up(checkout, FAIL_AT=where)
    assert failed.returncode == 2
    assert failed.stdout.splitlines() == TITLES[: at + 2]
    assert f"Set-up failed. This step ended with 1: {TITLES[at + 1]}." in failed.stderr
    assert "it went wrong here" in failed.stderr
    assert ("TORCH_INDEX=; see docs/grading.md" in failed.stderr) == (at == 1)
    assert not (checkout / ".venv" / ".stamp").exists()
    again = set_up(checkout)
    assert (again.returncode, again.stdout.splitlines()[:-1]) == (0, TITLES)


def test_environment_of_a_moved_folder_is_made_anew(checkout):
    set_up(checkout)
    moved = checkout.rename(checkout.parent / "moved")
    assert set_up(moved).stdout.splitlines()[:-1] == TITLES
    assert (moved / ".venv" / ".stamp").read_text() == f"{moved}\n"


def test_environment_that_somebody_made_by_hand_is_kept(checkout):
    set_up(checkout)
    (checkout / ".venv" / ".stamp").unlink()
    (checkout / ".venv" / "mine").write_text("")
    assert set_up(checkout).stdout.splitlines()[:-1] == TITLES[1:]
    assert (checkout / ".venv" / "mine").exists()


def test_link_in_place_of_the_environment_is_removed_and_its_target_left_alone(checkout):
    (checkout.parent / "shared").mkdir()
    (checkout.parent / "shared" / "precious").write_text("")
    (checkout / ".venv").symlink_to(checkout.parent / "shared")
    assert set_up(checkout).returncode == 0
    assert (checkout.parent / "shared" / "precious").exists()
    assert not (checkout / ".venv").is_symlink()


def test_index_of_torch_is_used_for_torch_alone_and_remembered(checkout):
    set_up(checkout)
    set_up(checkout, "--torch-index=the-index", "--torch-flags=--pre --no-cache-dir")
    assert calls(checkout)[5:7] == [
        "uninstall --yes torch",
        "install --index-url the-index --pre --no-cache-dir torch==2.13.0",
    ]
    os.utime(checkout / ".venv" / ".stamp", (1, 1))
    set_up(checkout)
    assert calls(checkout)[9:11] == [
        f"install --require-hashes -r {checkout}/requirements.lock",
        "install --index-url the-index torch==2.13.0",
    ]


def test_second_set_up_waits_for_the_first(checkout):
    with (checkout / ".venv.lock").open("a") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        waiting = subprocess.Popen(**command_of(checkout), text=True, stdout=subprocess.PIPE)
        with waiting:
            assert waiting.stdout.readline() == "Another set-up is running in this folder; waiting for it.\n"
            assert not (checkout / ".venv").exists()
            fcntl.flock(turn, fcntl.LOCK_UN)
            waiting.communicate(timeout=60)
    assert waiting.returncode == 0
    assert (checkout / ".venv" / ".stamp").exists()


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (
            "Error: ensurepip is not available",
            f"install python{VERSION.replace(' ', '.')}-venv, then run the same command again",
        ),
        ("disk full", "Set-up failed. No environment could be made in .venv:\ndisk full\n"),
    ],
)
def test_environment_that_cannot_be_made_shows_why_and_what_to_do(checkout, reason, words):
    (checkout.parent / "stand-in" / "venv.py").write_text(f"import sys; print('{reason}'); sys.exit(1)")
    result = set_up(checkout)
    assert (result.returncode, words in result.stderr) == (2, True)
    assert not (checkout / ".venv").exists()
