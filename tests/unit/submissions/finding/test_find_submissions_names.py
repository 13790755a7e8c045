"""Which folders' names can be those of students."""

import os
import unicodedata

import pytest

from ....support.submission_folders import ONE, find, pairs, put, refused


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
def test_a_name_that_can_not_be_a_folder_of_the_output_is_refused(tmp_path, name, reason):
    put(tmp_path, f"ann/{ONE}/simple_attention.py", f"{name}/{ONE}/simple_attention.py")
    found = find(tmp_path)
    assert found.students == ["ann"]
    (warning,) = found.warnings
    assert reason in warning
    assert not set("\x1b\n\u202e\u200b") & set(warning)


@pytest.mark.parametrize("name", ["for-students", "For-Students", "run.json", "grades.csv", "journal.jsonl"])
@pytest.mark.parametrize("file", [f"{ONE}/simple_attention.py", "simple_attention.ipynb"])
def test_a_student_named_like_a_file_of_the_reports_is_found_like_any_other(tmp_path, name, file):
    put(tmp_path, f"ann/{ONE}/simple_attention.py", f"{name}/{file}", f"{name} (student)/simple_attention.py")
    found = find(tmp_path)
    assert sorted(pairs(found)) == sorted([("ann", ONE), (name, ONE), (f"{name} (student)", ONE)])
    assert (found.warnings, found.notes) == ([], [])


INSIDE = ["simple_attention.py", f"{ONE}/simple_attention.py", "hw.zip", "in/x.py", "a.txt"]
REPORTS = [["run.json", "for-students/x.json"], ["run.json"], ["for-students/x.json"]]


@pytest.mark.parametrize(
    "names",
    [
        *([inside, *more] for inside in INSIDE for more in REPORTS),
        *(["run.json", f"for-students/{name}"] for name in ("notes.txt", ".keep")),
    ],
)
def test_a_students_folder_with_names_of_the_reports_in_it_is_a_students(tmp_path, names):
    put(tmp_path, f"ann/{ONE}/simple_attention.py", *(f"bob/{name}" for name in names))
    assert pairs(find(tmp_path)) == [("ann", ONE), ("bob", ONE)]


def test_reports_in_a_class_are_nobodys_and_are_named(tmp_path):
    put(tmp_path, f"ann/{ONE}/simple_attention.py", "old/run.json", f"old/for-students/ann/{ONE}.json")
    put(tmp_path, f"old/ann/{ONE}.json", "old/grades.csv", "old/journal.jsonl")
    found = find(tmp_path)
    assert (found.students, found.warnings) == (["ann"], [])
    assert found.notes == ["The folder 'old' holds the reports of an earlier run, so it was not taken for a student's."]


@pytest.mark.parametrize("inside", ["simple_attention.py", f"{ONE}/simple_attention.py"])
def test_a_student_whose_name_begins_with_a_dot_is_named(tmp_path, inside):
    put(tmp_path, f"ann/{ONE}/simple_attention.py", f".kim/{inside}", ".git/config", ".ipynb_checkpoints/x.ipynb")
    put(tmp_path, ".ipynb_checkpoints/simple_attention.py", ".venv/lib/x.py")
    found = find(tmp_path)
    assert pairs(found) == [("ann", ONE)]
    (warning,) = found.warnings
    assert warning.startswith("The student's name '.kim' begins with a dot, which hides it, so")


@pytest.mark.parametrize("name", ["kim.", "kim...", "Kim", "김 민준", " kim", "kim ", "01_simple_attention.", "a.py"])
def test_every_other_name_of_a_folder_is_a_student(tmp_path, name):
    put(tmp_path, f"ann/{ONE}/simple_attention.py", f"{name}/{ONE}/simple_attention.py")
    assert (name, ONE) in pairs(find(tmp_path))
    assert pairs(find(tmp_path)) == pairs(find(*tmp_path.iterdir()))


@pytest.mark.parametrize("name", ["김민준", "añn", "Zoë Ångström"])
def test_names_that_look_the_same_are_told_apart_in_the_sentence(tmp_path, name):
    twins = [unicodedata.normalize(form, name) for form in ("NFC", "NFD")]
    put(tmp_path, "zoe/simple_attention.py", *(f"{twin}/simple_attention.py" for twin in twins))
    if len(list(tmp_path.iterdir())) < 3:
        pytest.skip("this file system takes the two names for one")
    (warning,) = find(tmp_path).warnings
    for twin in twins:
        assert f"'{twin}' ('{ascii(twin)[1:-1]}')" in warning


def test_a_name_that_is_not_utf8_is_refused(tmp_path):
    put(tmp_path, f"ann/{ONE}/simple_attention.py")
    (tmp_path / os.fsdecode(b"\xff\xfe") / ONE).mkdir(parents=True)
    found = find(tmp_path)
    assert found.students == ["ann"]
    assert "UTF-8" in found.warnings[0]
    found.warnings[0].encode()


def test_ordinary_names_are_used_as_they_are(tmp_path):
    names = ["O'Neil, Jr.", "Łukasz", "김철수", "=1+1", "a b", "-x", "name.json", "for-students", "run.json"]
    for name in names:
        put(tmp_path, f"{name}/{ONE}/simple_attention.py")
    found = find(tmp_path)
    assert found.students == sorted(names)
    assert found.warnings == []


@pytest.mark.parametrize("other", ["ANN", unicodedata.normalize("NFD", "añn")])
def test_names_that_some_file_systems_take_for_one_are_refused(tmp_path, other):
    first = "ann" if other == "ANN" else "añn"
    put(tmp_path, f"{first}/{ONE}/simple_attention.py", f"zoe/{ONE}/simple_attention.py")
    put(tmp_path, f"{other}/{ONE}/simple_attention.py")
    if len(list(tmp_path.iterdir())) < 3:
        pytest.skip("this file system takes the two names for one")
    found = find(tmp_path)
    assert found.students == ["zoe"]
    assert "differ only by case" in found.warnings[0]


def test_a_bad_student_name_on_the_command_line_is_refused(tmp_path):
    put(tmp_path, f"ann/{ONE}/simple_attention.py")
    for name in ("../x", "", "x" * 300):
        assert "name" in refused(tmp_path / "ann", student=name)
