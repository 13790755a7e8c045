"""Where submissions are found, from a whole class to one file, and what is said of what else is there."""

import os
import time
from pathlib import Path

import pytest

from ....support.submission_folders import FOUR, ONE, find, laid, pairs, put

SA, MH, NB = "simple_attention.py", "multi_head_attention.py", "simple_attention.ipynb"
ANN, BOB = f"ann/{ONE}/{SA}", f"bob/{ONE}/{SA}"
LINKS = (".git/config", "__pycache__/a.pyc", "__MACOSX/ann/._simple_attention.py", "ann/Thumbs.db")

PLACES = {
    "a class, in a stable order": laid(["ann 1", "bob 1", "bob 4"], f"bob/{FOUR}/multi_head_attention.ipynb", BOB, ANN),
    "a student without a submission": laid(["ann 1", "bob"], ANN, "bob/"),
    "files and hidden folders of a class": laid(
        ["ann 1"], ANN, "roster.csv", *LINKS, f"ann/.ipynb_checkpoints/{SA}", f"ann/{ONE}/.ipynb_checkpoints/{NB}"
    ),
    "nbgrader's `submitted`": laid(["ann 1"], f"ann/{ONE}/{NB}", f"ann/{ONE}/timestamp.txt"),
    "files directly in students' folders": laid(["ann 1", "bob 1", "bob 4"], f"ann/{SA}", f"bob/{SA}", f"bob/{MH}"),
    "a student's folder": laid(["ann 1", "ann 4"], ANN, f"ann/{FOUR}/{MH}", at="ann"),
    "a student's folder with the name and the assignment given": laid(
        ["zoe 4"], ANN, f"ann/{FOUR}/{MH}", at="ann", student="zoe", assignment="multi_head_attention"
    ),
    "an assignment's folder": laid(["ann 1"], ANN, at=f"ann/{ONE}"),
    "an assignment's folder with a folder for each student": laid(
        ["ann 1", "bob 1"], f"{ONE}/ann/{SA}", f"{ONE}/bob/{SA}", at=ONE
    ),
    "a file in an assignment's folder": laid(["ann 1"], ANN, f"ann/{ONE}/{NB}", at=f"ann/{ONE}/{NB}"),
    "a file in a student's folder": laid(["bob 4"], f"bob/{MH}", at=f"bob/{MH}"),
    "a file of another name, where the assignment is told": laid(
        ["ann 4"], "ann/homework.py", at="ann/homework.py", assignment=FOUR
    ),
    "its folder": laid(["ann 4"], "ann/homework.py", at="ann", assignment=FOUR),
    "one assignment of a class": laid(["ann", "bob 4"], ANN, f"bob/{FOUR}/{MH}", assignment=FOUR),
    "several paths": laid(["ann 1", "bob 1"], f"a/{ANN}", f"b/{BOB}", at=["b", "a/ann"]),
    "a class that is named almost like an assignment": laid(
        ["ann 1", "bob 1"], f"simple_attention/{ANN}", f"simple_attention/{BOB}", at="simple_attention"
    ),
    "a class with a misspelt assignment's name": laid(
        ["ann 1", "bob 1"], f"01_simple_atention/{ANN}", f"01_simple_atention/{BOB}", at="01_simple_atention"
    ),
    "a download and what is in it, named one by one": laid(
        ["ann_1 1", "bob_3 1"], f"ann_1_2_{SA}", f"bob_3_4_{SA}", "bob_3_5_hw.zip", at="*"
    ),
    "a folder of nobody, given by itself": laid(["hw 1"], f"hw/{SA}", f"ann_1_2_{SA}", at="hw"),
}
OTHER_NAMES = {
    "a close name, where there are several assignments": laid(
        ["ann 1", "ann 4", "bob 4"], f"ann/{SA}", f"ann/{MH}", "bob/multi_head_attention(1).py"
    ),
    "a close name beside a right one": laid(
        ["ann 1", "bob 1", "bob 4"], f"ann/{SA}", "bob/multi_head_attention(1).py", f"bob/{SA}"
    ),
    "several other names": laid(
        ["ann 1", "bob 1"], f"ann/{SA}", "bob/first.py", "bob/second.py", problems={"bob": "'first.py', 'second.py'"}
    ),
    "a folder that no name explains, where there are several assignments": laid(
        ["ann 1", "ann 4", "bob"], f"ann/{SA}", f"ann/{MH}", "bob/homework.py", warning="'bob' handed in 'homework.py'"
    ),
    "a class in which nobody used the name, where the assignment is told": laid(
        ["ann 1", "bob 1"], "ann/hw1.py", "bob/answer.ipynb", assignment=ONE
    ),
    "what is beside a submission": laid(
        ["ann 1", "bob 1"], ANN, "ann/utils.py", "ann/notes.txt", f"bob/{SA}", "bob/x.py"
    ),
    "a file of another assignment than the wanted one": laid(
        ["ann 1", "bob", "cem", "dan"], f"ann/{SA}", f"bob/{MH}", f"cem/{FOUR}/{MH}", "dan/multi_head_attention (1).py",
        assignment=ONE,
    ),
    "a notebook of another assignment than the wanted one": laid(
        ["ann 1", "bob"], f"ann/{SA}", "bob/multi_head_attention.ipynb", assignment=ONE
    ),
    "a program beside a student's folders, where the student is told": laid(
        ["zoe 4"], "ann/hw1.py", "bob/hw1.py", "all.py", assignment=FOUR, student="zoe"
    ),
    "a submission beside students' folders, where the student is told": laid(
        ["zoe 1"], SA, ANN, f"bob/{SA}", student="zoe"
    ),
    "an assignment's folder beside students' folders, where the student is told": laid(
        ["zoe 1"], f"{ONE}/{SA}", ANN, f"bob/{SA}", student="zoe"
    ),
    "a file of an assignment's folder's name": laid(
        ["ann 1", "bob 1", "bob 4"], f"ann/{SA}", f"bob/{ONE}.py", f"bob/{FOUR}.ipynb"
    ),
    "one of another's, where an assignment is told": laid(
        ["ann 1", "bob 1", "cem"], f"ann/{SA}", f"bob/{ONE}.py", f"bob/{FOUR}.ipynb", f"cem/{FOUR}.py", assignment=ONE
    ),
    "one student whose files have other names, where the assignment is told": laid(
        ["ann 1"], "ann/simple_attention (1).py", at="ann", assignment=ONE
    ),
    "files of one student with names like Canvas's": laid(["ann 1"], f"ann/run_1_2_{SA}", f"ann/{SA}", at="ann"),
    "a file beside one of the same name in an assignment's folder": laid(
        ["ann 1"], ANN, f"ann/{ONE}/draft.py", "ann/draft.py", told="'draft.py'"
    ),
    "a name that a sentence holds by chance": laid(
        ["ann 1", "bob 1"], f"ann/{SA}", "ann/file.py", "ann/a.py", f"bob/{SA}", told="('a.py', 'file.py')"
    ),
    "a download in which no name explains one": laid(
        ["ann_1 1", "ann_1 4", "ben_4"], f"ann_1_2_{SA}", f"ann_1_3_{MH}", "ben_4_5_work.py",
        warning="'ben_4' handed in 'ben_4_5_work.py', and none of it has an assignment's name",
    ),
    "what is of an assignment that is not wanted": laid(
        ["ann", "bob 4"], f"ann/{SA}", "ann/hw.py", f"bob/{MH}", assignment=FOUR, told="'ann' ('hw.py')"
    ),
}  # fmt: skip
PROBLEMS = {
    "a misspelt folder": laid(
        ["ann 1", "bob 1"], ANN, f"ann/{ONE} (old)/{SA}", f"bob/01_Simple_Attentoin/{SA}",
        problems={"bob": f"Name it {ONE}"},
    ),
    "a student named almost like an assignment": laid(
        ["01_simple_atention 1", "ann 1", "simple-attention 1"], ANN, f"simple-attention/{ONE}/{SA}",
        f"01_simple_atention/{SA}",
        warning=f"'01_simple_atention' was taken for a student's, though its name is close to {ONE}",
    ),
    "a file in the place of the assignment's folder": laid(
        ["ann 1", "bob 1"], ANN, f"bob/{ONE}", problems={"bob": "in its place there is a file"}
    ),
    "a folder with something else": laid(
        ["ann 1", "bob 1"], f"ann/{ONE}/report.pdf", f"bob/{ONE}/{SA}",
        problems={"ann": f"No file {SA} or {NB} was found in the folder. It holds 'report.pdf'."},
    ),
    "a folder with a test": laid(
        ["ann 1", "bob 1"], ANN, f"bob/{ONE}/test_{SA}", problems={"bob": "'test_simple_attention.py'"}
    ),
    "an empty folder": laid(["ann 1", "bob 1"], ANN, f"bob/{ONE}/", problems={"bob": "is empty"}),
    "several other files": laid(
        ["ann 1"], f"ann/{ONE}/a.py", f"ann/{ONE}/b.ipynb", problems={"ann": "more than one other: 'a.py', 'b.ipynb'"}
    ),
    "two files of one other name": laid(
        ["bob 1"], f"bob/{ONE}/a.py", f"bob/{ONE}/a.ipynb", notes={"bob": "'a.ipynb', 'a.py'"}
    ),
    **{
        f"something that is no program: {name}": laid(
            ["ann 1", "bob 1"], ANN, f"bob/{name}", problems={"bob": repr(name.partition("/")[0])}
        )
        for name in ("answer.zip", f"{SA}.txt", "notes.pdf", "inner/notes.pdf")
    },
    **{
        f"an assignment that was packed or renamed: {name}": laid(
            ["ann 1", "bob 4"], f"ann/{SA}", f"bob/{name}", problems={"bob": repr(name)}
        )
        for name in ("multi_head_attention.zip", f"{MH}.txt")
    },
    **{
        f"one other file: {name}": laid(
            ["ann 1"], f"ann/{ONE}/{name}", f"ann/{ONE}/test_{SA}", f"ann/{ONE}/conftest.py",
            notes={"ann": f"'{name}' was taken"},
        )
        for name in ("simple_attention (1).py", "Simple_Attention.py", "submission.ipynb", "MINE.PY")
    },
    **{
        f"beside the students' folders: {name}": laid(
            ["ann 1"], f"ann/{SA}", "roster.csv", name, warning=f"Beside the students' folders there is {name!r}, so"
        )
        for name in ("bob.zip", "carl_simple_attention.py", "simple_attention (1).ipynb")
    },
}  # fmt: skip
CASES = {**PLACES, **OTHER_NAMES, **PROBLEMS}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_was_handed_in_is_found_and_the_rest_is_said(tmp_path, case):
    case.check(tmp_path)


@pytest.mark.parametrize(
    "name",
    ["simple_attention (1).py", "simple_attention-2.ipynb", "Simple_Attention.py", "simple_atention.py", "answer.py"],
)
@pytest.mark.parametrize("asked", [None, ONE])
def test_a_single_file_of_another_name_is_taken_with_a_note(tmp_path, name, asked):
    put(tmp_path, f"ann/{SA}", f"bob/{name}")
    found = find(tmp_path, assignment=asked)
    assert pairs(found) == [("ann", ONE), ("bob", ONE)]
    assert found.submissions[1].files == (tmp_path / "bob" / name,)
    assert name in found.submissions[1].notes[0]


@pytest.mark.parametrize(
    "names",
    [
        (SA, "multi_head_attention (1).py"),
        ("simple_attention (1).py", "multi_head_attention.PY"),
        ("simple_atention.py", "bob_multi_head_attention.py"),
    ],
)
def test_a_file_of_another_name_is_not_hindered_by_the_file_of_another_assignment(tmp_path, names):
    put(tmp_path, f"ann/{SA}", *(f"bob/{name}" for name in names))
    _, one, four = find(tmp_path).submissions
    assert [one.files, four.files] == [(tmp_path / "bob" / name,) for name in names]


def test_one_students_file_of_any_name_is_taken_beside_that_of_another_assignment(tmp_path):
    put(tmp_path, f"ann/{MH}", "ann/hw.py")
    (ann,) = find(tmp_path / "ann", assignment=ONE).submissions
    assert ann.files == (tmp_path / "ann" / "hw.py",)


def test_a_relative_path_takes_the_student_from_where_it_lies(tmp_path, monkeypatch):
    put(tmp_path, ANN)
    monkeypatch.chdir(tmp_path / "ann" / ONE)
    assert pairs(find(Path(SA))) == pairs(find(Path())) == [("ann", ONE)]


def test_a_class_of_a_thousand_is_found_by_looking_at_each_folder_once(tmp_path, monkeypatch):
    put(tmp_path, *(f"s{number:04}/{ONE}/{SA}" for number in range(1000)))
    looked: list[object] = []
    scan = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: looked.append(path) or scan(path))
    assert len(find(tmp_path).submissions) == 1000
    assert len(looked) <= 2003


def test_a_student_with_thousands_of_files_does_not_hold_up_the_others(tmp_path):
    """Each file in the folder was once compared with each one in the assignment's: two thousand took minutes."""
    extra = [f"notes{number}.py" for number in range(1500)]
    put(tmp_path, ANN, BOB, *(f"bob/{name}" for name in extra), *(f"bob/{ONE}/{name}" for name in extra))
    begin = time.thread_time()
    ann, bob = find(tmp_path).submissions
    assert time.thread_time() - begin < 5
    assert (ann.others, len(bob.others)) == ((), 2 * len(extra))
