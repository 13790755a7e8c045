"""What is said of paths and options that lead to no submission."""

import os
from pathlib import Path

import pytest

from ...support.submission_folders import FOUR, ONE, put, refused


def test_the_same_submission_twice_is_refused(tmp_path: Path) -> None:
    put(tmp_path, f"a/ann/{ONE}/simple_attention.py", f"b/ann/{ONE}/simple_attention.py")
    sentence = refused(tmp_path / "a", tmp_path / "b")
    assert "'ann'" in sentence and "both" in sentence


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    assert "There is no" in refused(tmp_path / "nowhere")
    put(tmp_path, "file.py")
    assert "There is no" in refused(tmp_path / "file.py" / "x")


def test_an_empty_class_is_refused(tmp_path: Path) -> None:
    assert "is empty" in refused(tmp_path)
    (tmp_path / "ann").mkdir()
    assert "holds none of this course's" in refused(tmp_path)


def test_a_class_without_the_assignment_is_refused(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py")
    assert FOUR in refused(tmp_path, assignment=FOUR)
    assert FOUR in refused(tmp_path / "ann", assignment=FOUR)
    assert FOUR in refused(tmp_path / "ann" / ONE, assignment=FOUR)


@pytest.mark.parametrize(
    ("asked", "meant"),
    [("simple_atention", f"Did you mean {ONE}?"), ("04_multihead_attention", f"Did you mean {FOUR}?"), ("zz", ONE)],
)
def test_an_unknown_assignment_is_answered_with_the_nearest(tmp_path: Path, asked: str, meant: str) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py")
    assert meant in refused(tmp_path, assignment=asked)


def test_a_folder_that_is_no_submission_is_refused_with_what_it_holds(tmp_path: Path) -> None:
    put(tmp_path, "notes.txt", "pictures/a.png")
    sentence = refused(tmp_path)
    assert "'notes.txt'" in sentence and "student/assignment/file" in sentence


def test_a_misspelt_assignment_folder_given_by_hand_is_named(tmp_path: Path) -> None:
    put(tmp_path, "ann/01_simple_atention/simple_attention.py")
    assert f"Did you mean {ONE}?" in refused(tmp_path / "ann" / "01_simple_atention")
    assert f"Did you mean {ONE}?" in refused(tmp_path / "ann")


def test_a_class_with_a_student_is_refused(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py")
    assert "'" + str(tmp_path / "ann") + "'" in refused(tmp_path, student="ann")


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "answers.docx")
    assert ".py or .ipynb" in refused(tmp_path / "answers.docx")


def test_a_link_given_by_hand_is_refused(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py")
    (tmp_path / "link").symlink_to(tmp_path / "ann")
    assert "symbolic link" in refused(tmp_path / "link")


def test_a_pipe_given_by_hand_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "simple_attention.py")
    assert "a named pipe" in refused(tmp_path / "simple_attention.py")
