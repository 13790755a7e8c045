"""Where submissions are found, from a whole class to one file."""

import os
from pathlib import Path

import pytest

from ...support.submission_folders import FOUR, ONE, find, pairs, put, refused


def test_a_class_is_found_in_a_stable_order(tmp_path: Path) -> None:
    put(
        tmp_path,
        f"bob/{FOUR}/multi_head_attention.ipynb",
        f"bob/{ONE}/simple_attention.py",
        f"ann/{ONE}/simple_attention.py",
    )
    found = find(tmp_path)
    assert pairs(found) == [("ann", ONE), ("bob", ONE), ("bob", FOUR)]
    assert found.students == ["ann", "bob"]
    assert found.warnings == []
    assert found.submissions[2].files == (tmp_path / "bob" / FOUR / "multi_head_attention.ipynb",)


def test_a_student_without_a_submission_is_known(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py")
    (tmp_path / "bob").mkdir()
    found = find(tmp_path)
    assert (found.students, found.warnings) == (["ann", "bob"], [])
    assert pairs(found) == [("ann", ONE)]


def test_files_and_hidden_folders_of_a_class_are_no_students(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py", "roster.csv", ".git/config", "__pycache__/a.pyc")
    put(tmp_path, "__MACOSX/ann/._simple_attention.py", "ann/Thumbs.db")
    put(tmp_path, "ann/.ipynb_checkpoints/simple_attention.py", f"ann/{ONE}/.ipynb_checkpoints/simple_attention.ipynb")
    found = find(tmp_path)
    assert (found.students, len(found.submissions), found.warnings) == (["ann"], 1, [])


def test_nbgraders_submitted_folder_is_a_class(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.ipynb", f"ann/{ONE}/timestamp.txt")
    assert find(tmp_path).submissions[0].problem is None


def test_the_reports_of_an_earlier_run_inside_a_class_are_no_student(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py", "reports/summary.json", f"reports/for-students/ann/{ONE}.json")
    assert find(tmp_path).students == ["ann"]


def test_files_directly_in_students_folders_are_found(tmp_path: Path) -> None:
    put(tmp_path, "ann/simple_attention.py", "bob/simple_attention.py", "bob/multi_head_attention.py")
    assert pairs(find(tmp_path)) == [("ann", ONE), ("bob", ONE), ("bob", FOUR)]


def test_a_students_folder_is_found(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py", f"ann/{FOUR}/multi_head_attention.py")
    assert pairs(find(tmp_path / "ann")) == [("ann", ONE), ("ann", FOUR)]
    assert pairs(find(tmp_path / "ann", student="zoe", assignment="multi_head_attention")) == [("zoe", FOUR)]


def test_an_assignments_folder_is_found(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py")
    assert pairs(find(tmp_path / "ann" / ONE)) == [("ann", ONE)]


def test_an_assignments_folder_with_a_folder_for_each_student_is_a_class(tmp_path: Path) -> None:
    put(tmp_path, f"{ONE}/ann/simple_attention.py", f"{ONE}/bob/simple_attention.py")
    assert pairs(find(tmp_path / ONE)) == [("ann", ONE), ("bob", ONE)]


def test_a_file_is_found_with_its_student_and_assignment(tmp_path: Path) -> None:
    put(
        tmp_path,
        f"ann/{ONE}/simple_attention.py",
        f"ann/{ONE}/simple_attention.ipynb",
        "bob/multi_head_attention.ipynb",
    )
    found = find(tmp_path / "ann" / ONE / "simple_attention.ipynb")
    assert pairs(found) == [("ann", ONE)]
    assert [path.name for path in found.submissions[0].files] == ["simple_attention.ipynb"]
    assert pairs(find(tmp_path / "bob" / "multi_head_attention.ipynb")) == [("bob", FOUR)]


def test_a_relative_path_takes_the_student_from_where_it_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py")
    monkeypatch.chdir(tmp_path / "ann" / ONE)
    assert pairs(find(Path("simple_attention.py"))) == [("ann", ONE)]
    assert pairs(find(Path())) == [("ann", ONE)]


def test_a_file_of_another_name_needs_the_assignment(tmp_path: Path) -> None:
    put(tmp_path, "ann/homework.py")
    assert "--assignment" in refused(tmp_path / "ann" / "homework.py")
    assert pairs(find(tmp_path / "ann" / "homework.py", assignment=FOUR)) == [("ann", FOUR)]
    assert pairs(find(tmp_path / "ann", assignment=FOUR)) == [("ann", FOUR)]


def test_assignment_picks_one_of_a_class(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py", f"bob/{FOUR}/multi_head_attention.py")
    found = find(tmp_path, assignment=FOUR)
    assert pairs(found) == [("bob", FOUR)]
    assert found.students == ["ann", "bob"]


def test_several_paths_are_one_run(tmp_path: Path) -> None:
    put(tmp_path, f"a/ann/{ONE}/simple_attention.py", f"b/bob/{ONE}/simple_attention.py")
    assert pairs(find(tmp_path / "b", tmp_path / "a" / "ann")) == [("ann", ONE), ("bob", ONE)]


def test_a_class_of_a_thousand_is_found_by_looking_at_each_folder_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1000):
        (tmp_path / f"s{number:04}" / ONE).mkdir(parents=True)
        (tmp_path / f"s{number:04}" / ONE / "simple_attention.py").touch()
    looked: list[object] = []
    scan = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: looked.append(path) or scan(path))
    assert len(find(tmp_path).submissions) == 1000
    assert len(looked) <= 2002
