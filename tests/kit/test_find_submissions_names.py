"""Which folders' names can be those of students."""

import os
import unicodedata
from pathlib import Path

import pytest

from .submission_folders import ONE, find, put, refused


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("evil\x1b[2J", "control"),
        ("two\nlines", "control"),
        ("\u202egnp", "control"),
        ("zero\u200bwidth", "control"),
        ("back\\slash", "not the name of one folder"),
        (" ", "is empty"),
    ],
)
def test_a_name_that_can_not_be_a_folder_of_the_output_is_refused(tmp_path: Path, name: str, reason: str) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py", f"{name}/{ONE}/simple_attention.py")
    found = find(tmp_path)
    assert found.students == ["ann"]
    (warning,) = found.warnings
    assert reason in warning
    assert not set("\x1b\n\u202e\u200b") & set(warning)


def test_a_name_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py")
    (tmp_path / os.fsdecode(b"\xff\xfe") / ONE).mkdir(parents=True)
    found = find(tmp_path)
    assert found.students == ["ann"]
    assert "UTF-8" in found.warnings[0]
    found.warnings[0].encode()


def test_ordinary_names_are_used_as_they_are(tmp_path: Path) -> None:
    names = ["O'Neil, Jr.", "Łukasz", "김철수", "=1+1", "a b", "-x", "name.json", "for-students", "summary.json"]
    for name in names:
        put(tmp_path, f"{name}/{ONE}/simple_attention.py")
    found = find(tmp_path)
    assert found.students == sorted(names)
    assert found.warnings == []


@pytest.mark.parametrize("other", ["ANN", unicodedata.normalize("NFD", "añn")])
def test_names_that_some_file_systems_take_for_one_are_refused(tmp_path: Path, other: str) -> None:
    first = "ann" if other == "ANN" else "añn"
    put(tmp_path, f"{first}/{ONE}/simple_attention.py", f"zoe/{ONE}/simple_attention.py")
    put(tmp_path, f"{other}/{ONE}/simple_attention.py")
    if len(list(tmp_path.iterdir())) < 3:
        pytest.skip("this file system takes the two names for one")
    found = find(tmp_path)
    assert found.students == ["zoe"]
    assert "differ only by case" in found.warnings[0]


def test_a_bad_student_name_on_the_command_line_is_refused(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py")
    for name in ("../x", "", "x" * 300):
        assert "name" in refused(tmp_path / "ann", student=name)
