"""What is in a student's folder under another name than the course's is graded, or it is said why not."""

from pathlib import Path

import pytest

from ...support.submission_folders import FOUR, ONE, find, pairs, put, refused


@pytest.mark.parametrize(
    "name",
    ["simple_attention (1).py", "simple_attention-2.ipynb", "Simple_Attention.py", "simple_atention.py", "answer.py"],
)
@pytest.mark.parametrize("asked", [None, ONE])
def test_a_single_file_of_another_name_is_taken_with_a_note(tmp_path: Path, name: str, asked: str | None) -> None:
    put(tmp_path, "ann/simple_attention.py", f"bob/{name}")
    found = find(tmp_path, assignment=asked)
    assert pairs(found) == [("ann", ONE), ("bob", ONE)]
    assert found.submissions[1].files == (tmp_path / "bob" / name,)
    assert name in found.submissions[1].notes[0]


def test_a_name_that_is_close_tells_the_assignment_where_there_are_several(tmp_path: Path) -> None:
    put(tmp_path, "ann/simple_attention.py", "ann/multi_head_attention.py", "bob/multi_head_attention(1).py")
    assert pairs(find(tmp_path)) == [("ann", ONE), ("ann", FOUR), ("bob", FOUR)]
    put(tmp_path, "bob/simple_attention.py")
    assert pairs(find(tmp_path)) == [("ann", ONE), ("ann", FOUR), ("bob", ONE), ("bob", FOUR)]


def test_of_several_files_of_other_names_none_is_guessed(tmp_path: Path) -> None:
    put(tmp_path, "ann/simple_attention.py", "bob/first.py", "bob/second.py")
    _, bob = find(tmp_path).submissions
    assert bob.problem is not None
    assert "'first.py', 'second.py'" in bob.problem


@pytest.mark.parametrize("name", ["answer.zip", "simple_attention.py.txt", "notes.pdf", "inner/simple_attention.py"])
def test_something_that_is_no_program_is_not_taken_for_nothing(tmp_path: Path, name: str) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py", f"bob/{name}")
    _, bob = find(tmp_path).submissions
    assert bob.problem is not None
    assert repr(name.partition("/")[0]) in bob.problem


def test_a_folder_that_no_name_explains_is_told_where_there_are_several_assignments(tmp_path: Path) -> None:
    put(tmp_path, "ann/simple_attention.py", "ann/multi_head_attention.py", "bob/homework.py")
    found = find(tmp_path)
    assert pairs(found) == [("ann", ONE), ("ann", FOUR)]
    (warning,) = found.warnings
    assert "'bob'" in warning
    assert "'homework.py'" in warning


def test_a_class_in_which_nobody_used_the_name_is_a_class_where_the_assignment_is_told(tmp_path: Path) -> None:
    put(tmp_path, "ann/hw1.py", "bob/answer.ipynb")
    assert pairs(find(tmp_path, assignment=ONE)) == [("ann", ONE), ("bob", ONE)]
    assert "holds none of this course's" in refused(tmp_path)


def test_what_lies_beside_a_submission_is_no_other_one(tmp_path: Path) -> None:
    put(
        tmp_path,
        f"ann/{ONE}/simple_attention.py",
        "ann/utils.py",
        "ann/notes.txt",
        "bob/simple_attention.py",
        "bob/x.py",
    )
    found = find(tmp_path)
    assert (pairs(found), found.warnings) == ([("ann", ONE), ("bob", ONE)], [])


def test_a_file_of_another_assignment_is_not_taken_for_the_wanted_one(tmp_path: Path) -> None:
    put(tmp_path, "ann/simple_attention.py", "bob/multi_head_attention.py", f"cem/{FOUR}/multi_head_attention.py")
    found = find(tmp_path, assignment=ONE)
    assert (pairs(found), found.warnings) == ([("ann", ONE)], [])
    assert found.students == ["ann", "bob", "cem"]


@pytest.mark.parametrize("mine", ["simple_attention.py", f"{ONE}/simple_attention.py"])
def test_a_class_with_a_submission_beside_the_students_is_refused_and_not_taken_for_one_student(
    tmp_path: Path, mine: str
) -> None:
    put(tmp_path, mine, f"ann/{ONE}/simple_attention.py", "bob/simple_attention.py")
    sentence = refused(tmp_path)
    assert "students' folders: 'ann', 'bob'" in sentence
    assert pairs(find(tmp_path, student="zoe")) == [("zoe", ONE)]


def test_an_archive_is_to_be_unpacked(tmp_path: Path) -> None:
    put(tmp_path, "class.zip")
    assert "Unpack it" in refused(tmp_path / "class.zip")


def test_a_file_in_a_students_folder_is_told_apart_from_one_of_the_same_name_in_an_assignments_folder(
    tmp_path: Path,
) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py", f"ann/{ONE}/draft.py", "ann/draft.py")
    found = find(tmp_path)
    assert [path.parent.name for path in found.submissions[0].files] == [ONE]
    assert "'draft.py'" in found.notes[0]


def test_a_name_that_a_sentence_holds_by_chance_is_not_taken_for_told(tmp_path: Path) -> None:
    put(tmp_path, "ann/simple_attention.py", "ann/file.py", "ann/a.py", "bob/simple_attention.py")
    (note,) = find(tmp_path).notes
    assert "'file.py'" in note
    assert "'a.py'" in note


def test_the_warning_fits_where_there_is_no_folder(tmp_path: Path) -> None:
    put(tmp_path, "ann_1_2_simple_attention.py", "ann_1_3_multi_head_attention.py", "ben_4_5_work.py")
    (warning,) = find(tmp_path).warnings
    assert warning.startswith("'ben_4' handed in 'ben_4_5_work.py', and none of it has an assignment's name")
