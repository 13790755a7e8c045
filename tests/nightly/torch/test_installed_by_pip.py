"""What students get is installed by pip: from the zip alone, and beside a torch that is there already."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import torch

from grader.course.layout import find_course
from grader.release.bundle import NAME, make_release

from ...support.classes.grading_runs import frozen_course
from ...support.release_parts import wheel  # noqa: F401  # a fixture

EXERCISE = "attention_scores_for_query"
NOT_WRITTEN = f'raise NotImplementedError("{EXERCISE} is not written yet")'
ANSWER = "return (inputs * query).sum(dim=-1)"


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """The zip alone in a folder, with an environment in it that has torch and the rest but no kit."""
    file_name, data = make_release(find_course(frozen_course()))
    folder = tmp_path_factory.mktemp("a student's folder")
    (folder / file_name).write_bytes(data)
    with zipfile.ZipFile(folder / file_name) as archive:
        archive.extractall(folder)
    root = folder / NAME
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", root / ".venv"], check=True)
    (packages,) = (root / ".venv").rglob("site-packages")
    (packages / "installed.pth").write_text(f"{Path(torch.__file__).parent.parent}\n")
    return root


def in_terminal(root, text, folder="."):
    """Run lines of a terminal in a folder of the release, its environment switched on; return what they print."""
    surroundings = {"PATH": f"{root / '.venv' / 'bin'}{os.pathsep}{os.defpath}", "HOME": str(root), "NO_COLOR": "1"}
    done = subprocess.run(
        ["sh", "-c", text],
        cwd=root / folder,
        env=surroundings,
        text=True,
        capture_output=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.skipif(os.name != "posix", reason="a shell is needed")
def test_from_the_zip_alone_an_exercise_is_installed_checked_written_and_passed(unpacked):
    install, try_it = (re.search(rf"## {step}\..*?```\n(.*?)```", (unpacked / "README.md").read_text(), re.DOTALL)[1]
                       for step in (1, 3))  # fmt: skip
    released = re.search(r"pip install (\S+\.whl)", install)[1]
    pip = [sys.executable, "-m", "pip", "--isolated", "--python", unpacked / ".venv" / "bin" / "python", "--quiet"]
    offline = ["--no-index", "--no-deps", "--ignore-installed", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", *offline, released], cwd=unpacked, check=True)
    code, printed = in_terminal(unpacked, "python -c 'import grader; print(grader.__file__)'")
    assert (code, printed.startswith(str(unpacked / ".venv"))) == (0, True), printed

    assert f"grader check --exercise {EXERCISE}\n" in try_it
    code, printed = in_terminal(unpacked, try_it)
    assert code == 1
    assert "not yet  (0 of 1)" in printed
    assert f"{EXERCISE} is not written yet: it still raises NotImplementedError." in printed
    file = unpacked / "assignments/01_simple_attention/simple_attention.py"
    text = file.read_text(encoding="utf-8")
    assert text.count(NOT_WRITTEN) == 1
    file.write_text(text.replace(NOT_WRITTEN, ANSWER), encoding="utf-8")
    code, printed = in_terminal(unpacked, try_it)
    assert (code, "1 / 1 visible check passed." in printed) == (0, True), printed
