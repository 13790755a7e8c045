"""`grader release` makes one file, the same for the same sources, and a student needs nothing else to begin."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import torch

from grader.errors import UsageError
from grader.release import wheel as wheel_module
from grader.release.archive import FIXED_TIME
from grader.release.bundle import NAME, PAGES, make_release
from grader.release.wheel import build_wheel, torch_that_grades

from ...support.release_parts import files_of

EXERCISE = "attention_scores_for_query"
NOT_WRITTEN = f'raise NotImplementedError("{EXERCISE} is not written yet")'
ANSWER = "return (inputs * query).sum(dim=-1)"

# Runs the cells of a notebook up to the first check in IPython: twice, the second time with the answer.
JUPYTER = f"""\
import json, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
cells = ["".join(cell["source"]) for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]
         if cell["cell_type"] == "code"]
cells = cells[: next(number for number, cell in enumerate(cells) if cell.startswith("check(")) + 1]
for written in ({NOT_WRITTEN!r}, {ANSWER!r}):
    for cell in cells:
        shell.run_cell(cell.replace({NOT_WRITTEN!r}, written), store_history=True)
"""


def test_the_same_sources_give_the_same_bytes(course, release):
    old = os.umask(0o077)
    try:
        again = make_release(course)
    finally:
        os.umask(old)
    assert again.data == release.data


def test_entries_are_sorted_in_one_folder_with_one_time_and_one_mode(release, tmp_path):
    (tmp_path / release.file_name).write_bytes(release.data)
    with zipfile.ZipFile(tmp_path / release.file_name) as archive:
        entries = archive.infolist()
    names = [entry.filename for entry in entries]
    assert names == sorted(names) == release.names
    assert {name.split("/")[0] for name in names} == {release.file_name.removesuffix(".zip")}
    assert {(entry.date_time, entry.external_attr >> 16, entry.create_system) for entry in entries} == {
        (FIXED_TIME, 0o100644, 3)
    }


def test_build_tools_that_fail_are_told_in_their_own_words(monkeypatch):
    monkeypatch.setattr(wheel_module, "PIP_WHEEL", ("-c", "import sys; sys.exit('no such module: pip')"))
    with pytest.raises(UsageError, match="pip says: no such module: pip") as caught:
        build_wheel()
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("name", PAGES)
def test_every_gap_of_the_page_is_filled(course, release, name):
    files, first = files_of(release), next(iter(course.assignments.values()))
    page = files[name].decode()
    assert not re.search(r"[{}]", page)
    (wheel,) = (each for each in files if each.endswith(".whl"))
    wanted = (f"{wheel} torch=={torch_that_grades()}", f"cd assignments/{first.id}\n", f"`{first.name}.py`")
    assert all(value in page for value in (*wanted, f"--exercise {first.exercises[0].id}"))


@pytest.fixture(scope="module")
def unpacked(release, tmp_path_factory):
    """The zip alone in a folder, with an environment in it that has torch and the rest but no kit."""
    folder = tmp_path_factory.mktemp("a student's folder")
    (folder / release.file_name).write_bytes(release.data)
    with zipfile.ZipFile(folder / release.file_name) as archive:
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
    wheel = re.search(r"pip install (\S+\.whl)", install)[1]
    pip = [sys.executable, "-m", "pip", "--isolated", "--python", unpacked / ".venv" / "bin" / "python", "--quiet"]
    offline = ["--no-index", "--no-deps", "--ignore-installed", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", *offline, wheel], cwd=unpacked, check=True)
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

    pytest.importorskip("IPython", reason="IPython is not installed, so no notebook can be run")
    (unpacked / "jupyter.py").write_text(JUPYTER, encoding="utf-8")
    command = "python ../../jupyter.py simple_attention.ipynb"
    code, printed = in_terminal(unpacked, command, "assignments/01_simple_attention")
    assert code == 0, printed
    unwritten, written = printed.split("0 / 1 visible check passed.")
    assert f"{EXERCISE} is not written yet" in unwritten
    assert "1 / 1 visible check passed." in written
