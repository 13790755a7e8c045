"""What is beside what is graded is named, so that nobody's work goes without a word."""

from pathlib import Path

import pytest

from grader.limits import DEFAULT_LIMITS
from grader.submissions.reading.read import StubTexts, read_submission

from ...support.submission_folders import FOUR, ONE, find, pairs, put


@pytest.mark.parametrize(
    ("beside", "named"),
    [
        ("hw2.py", "hw2.py"),
        ("simple_attention (1).py", "simple_attention (1).py"),
        ("new/simple_attention.py", "new"),
        (f"{ONE} (1)/simple_attention.py", f"{ONE} (1)"),
        ("answers.zip", "answers.zip"),
    ],
)
def test_another_file_of_a_student_is_named_in_the_report_and_by_the_run(
    tmp_path: Path, beside: str, named: str
) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py", f"bob/{ONE}/simple_attention.py", f"bob/{beside}")
    found = find(tmp_path)
    assert (pairs(found), found.warnings) == ([("ann", ONE), ("bob", ONE)], [])
    source = read_submission(found.submissions[1], StubTexts(), DEFAULT_LIMITS)
    place = f"bob/{named}" if named.endswith(".py") else named
    assert source.notes == (f"Not graded, though handed in beside it: '{place}'.",)
    assert f"'bob' ('{named}')" in found.notes[0]
    assert "ann" not in found.notes[0]


def test_what_belongs_to_an_assignment_that_is_not_wanted_needs_no_word(tmp_path: Path) -> None:
    put(tmp_path, "ann/simple_attention.py", "ann/multi_head_attention.py", f"bob/{FOUR}/multi_head_attention.py")
    put(tmp_path, "bob/simple_attention.py", "bob/notes.txt", "bob/data/points.csv")
    assert find(tmp_path).notes == find(tmp_path, assignment=ONE).notes == []


def test_of_who_has_no_report_the_run_names_what_nobody_looked_at(tmp_path: Path) -> None:
    put(tmp_path, "ann/simple_attention.py", "bob/multi_head_attention.py", "bob/hw.py")
    assert "'bob' ('hw.py')" in find(tmp_path, assignment=ONE).notes[0]


@pytest.mark.parametrize("name", ["multi_head_attention.zip", "multi_head_attention.py.txt"])
def test_an_assignment_that_was_packed_or_renamed_is_a_submission_that_cannot_be_graded(
    tmp_path: Path, name: str
) -> None:
    put(tmp_path, "ann/simple_attention.py", "bob/simple_attention.py", f"bob/{name}")
    four = find(tmp_path).submissions[-1]
    assert (four.student, four.assignment, four.files) == ("bob", FOUR, ())
    assert repr(name) in str(four.problem)


@pytest.mark.parametrize("name", ["bob.zip", "carl_simple_attention.py", "simple_attention (1).ipynb"])
def test_what_lies_beside_the_students_folders_is_left_out_with_a_warning(tmp_path: Path, name: str) -> None:
    put(tmp_path, "ann/simple_attention.py", "roster.csv", name)
    found = find(tmp_path)
    assert pairs(found) == [("ann", ONE)]
    (warning,) = found.warnings
    assert repr(name) in warning
    assert "roster.csv" not in warning


def test_a_copy_beside_a_file_with_answers_is_named_in_the_report(tmp_path: Path) -> None:
    put(tmp_path, "ann/simple_attention.py", "ann/simple_attention (1).py")
    (ann,) = find(tmp_path).submissions
    source = read_submission(ann, StubTexts(py="", ipynb=""), DEFAULT_LIMITS)
    assert source.file_name == "simple_attention.py"
    assert "Not graded, though handed in beside it: 'simple_attention (1).py'." in source.notes


def test_a_text_typed_into_moodle_is_no_other_student(tmp_path: Path) -> None:
    put(tmp_path, "Ann_9001_assignsubmission_file_/simple_attention.py")
    put(tmp_path, "Ann_9001_assignsubmission_onlinetext_/onlinetext.html")
    found = find(tmp_path)
    assert found.students == ["Ann_9001_assignsubmission_file_"]
    assert "'Ann_9001_assignsubmission_onlinetext_'" in found.warnings[0]


def test_a_stub_beside_a_text_typed_into_moodle_is_not_0(tmp_path: Path) -> None:
    stub = "def f():\n    raise NotImplementedError\n"
    put(tmp_path, "Ann_9001_assignsubmission_file_/simple_attention.py", text=stub)
    put(tmp_path, "Ann_9001_assignsubmission_onlinetext_/onlinetext.html")
    (ann,) = find(tmp_path).submissions
    assert "_onlinetext_'" in str(read_submission(ann, StubTexts(py=stub), DEFAULT_LIMITS).problem)
