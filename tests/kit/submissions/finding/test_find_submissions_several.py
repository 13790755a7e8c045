"""Where files of several assignments lie side by side, each is its own assignment's and no other's."""

from pathlib import Path

import pytest

from ...support.submission_folders import FOUR, ONE, find, pairs, put, refused


@pytest.mark.parametrize(
    "names",
    [
        ("simple_attention.py", "multi_head_attention (1).py"),
        ("simple_attention (1).py", "multi_head_attention.PY"),
        ("simple_atention.py", "bob_multi_head_attention.py"),
    ],
)
def test_a_file_of_another_name_is_not_hindered_by_the_file_of_another_assignment(
    tmp_path: Path, names: tuple[str, str]
) -> None:
    put(tmp_path, "ann/simple_attention.py", *(f"bob/{name}" for name in names))
    _, one, four = find(tmp_path).submissions
    assert [one.files, four.files] == [(tmp_path / "bob" / name,) for name in names]


@pytest.mark.parametrize("name", ["multi_head_attention (1).py", "multi_head_attention.ipynb"])
def test_the_wanted_assignment_does_not_get_a_file_that_is_named_after_another(tmp_path: Path, name: str) -> None:
    put(tmp_path, "ann/simple_attention.py", f"bob/{name}")
    found = find(tmp_path, assignment=ONE)
    assert (pairs(found), found.students, found.warnings) == ([("ann", ONE)], ["ann", "bob"], [])


def test_one_students_file_of_any_name_is_taken_beside_that_of_another_assignment(tmp_path: Path) -> None:
    put(tmp_path, "ann/multi_head_attention.py", "ann/hw.py")
    (ann,) = find(tmp_path / "ann", assignment=ONE).submissions
    assert ann.files == (tmp_path / "ann" / "hw.py",)


def test_a_program_beside_the_students_does_not_hide_them_where_the_assignment_is_told(tmp_path: Path) -> None:
    put(tmp_path, "ann/hw1.py", "bob/hw1.py", "all.py")
    assert "students' folders: 'ann', 'bob'" in refused(tmp_path, assignment=ONE)
    assert pairs(find(tmp_path, assignment=FOUR, student="zoe")) == [("zoe", FOUR)]


def test_a_link_with_a_name_that_is_close_is_called_a_link(tmp_path: Path) -> None:
    put(tmp_path, "ann/simple_attention.py", "bob/notes.txt")
    (tmp_path / "bob" / "simple_attention (1).py").symlink_to(tmp_path / "ann" / "simple_attention.py")
    assert "is a symbolic link" in str(find(tmp_path).submissions[1].problem)


def test_a_file_that_is_called_as_the_assignments_folder_is_that_assignments(tmp_path: Path) -> None:
    put(tmp_path, "ann/simple_attention.py", f"bob/{ONE}.py", f"bob/{FOUR}.ipynb")
    assert pairs(find(tmp_path)) == [("ann", ONE), ("bob", ONE), ("bob", FOUR)]
    put(tmp_path, f"cem/{FOUR}.py")
    assert pairs(find(tmp_path, assignment=ONE)) == [("ann", ONE), ("bob", ONE)]


def test_one_student_whose_files_have_other_names_can_be_graded_by_telling_the_assignment(tmp_path: Path) -> None:
    put(tmp_path, "ann/simple_attention (1).py")
    assert "say with --assignment which one it is" in refused(tmp_path / "ann")
    assert pairs(find(tmp_path / "ann", assignment=ONE)) == [("ann", ONE)]
