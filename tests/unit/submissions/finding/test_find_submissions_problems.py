"""What is said of paths that lead to no submission, and of what else is where one should be."""

import os
import socket
from pathlib import Path

import pytest

from ....support.submission_folders import FOUR, ONE, find, pairs, put, refused

SA = "simple_attention.py"
ANN = f"ann/{ONE}/{SA}"
DOWNLOAD = (f"ann_1_2_{SA}", f"bob_3_4_{SA}")
REFUSED = {
    "the same submission twice": ([f"a/{ANN}", f"b/{ANN}"], ["a", "b"], {}, "both are 'ann''s "),
    "one path twice": ([ANN], ["ann", "ann"], {}, "both are"),
    "a missing path": ([], ["nowhere"], {}, "There is no"),
    "a path below a file": (["file.py"], ["file.py/x"], {}, "There is no"),
    "an empty folder": ([], ["."], {}, "is empty"),
    "a class of empty folders": (["ann/"], ["."], {}, "holds none of this course's"),
    "a class without the assignment": ([ANN], ["."], {"assignment": FOUR}, FOUR),
    "a student without the assignment": ([ANN], ["ann"], {"assignment": FOUR}, FOUR),
    "another assignment's folder": ([ANN], [f"ann/{ONE}"], {"assignment": FOUR}, FOUR),
    "an assignment's misspelt name": ([ANN], ["."], {"assignment": "simple_atention"}, f"Did you mean {ONE}?"),
    "a misspelt id": ([ANN], ["."], {"assignment": "04_multihead_attention"}, f"Did you mean {FOUR}?"),
    "a name that is close to none": ([ANN], ["."], {"assignment": "zz"}, f"The assignments are: {ONE}, {FOUR}."),
    "no submission": (["notes.txt", "pictures/a.png"], ["."], {}, "'notes.txt'"),
    "no submission, and what could be given": (["notes.txt"], ["."], {}, "student/assignment/file"),
    "a misspelt folder": ([f"ann/01_simple_atention/{SA}"], ["ann/01_simple_atention"], {}, f"Did you mean {ONE}?"),
    "a student with a misspelt folder": ([f"ann/01_simple_atention/{SA}"], ["ann"], {}, f"Did you mean {ONE}?"),
    "another kind of file": (["answers.docx"], ["answers.docx"], {}, ".py or .ipynb"),
    "an archive": (["class.tar.gz"], ["class.tar.gz"], {}, "Unpack it"),
    "something else called a zip file": (["class.zip"], ["class.zip"], {}, "not a whole zip file"),
    "a file of another name": (["ann/homework.py"], ["ann/homework.py"], {}, "--assignment"),
    "one student's file of another name": (["ann/simple_attention (1).py"], ["ann"], {}, "say with --assignment which"),
    "a class of other names": (["ann/hw1.py", "bob/a.ipynb"], ["."], {}, "holds none of this course's"),
    "a submission in a class": ([SA, ANN, f"bob/{SA}"], ["."], {}, "students' folders: 'ann', 'bob'"),
    "an assignment in a class": ([f"{ONE}/{SA}", ANN, f"bob/{SA}"], ["."], {}, "students' folders: 'ann', 'bob'"),
    "a program in a class": (
        ["ann/hw1.py", "bob/hw1.py", "all.py"], ["."], {"assignment": ONE}, "students' folders: 'ann', 'bob'",
    ),
    "a program of nobody in a download": ([*DOWNLOAD, SA], ["."], {}, f"no name says whose '{SA}' is"),
    "a folder of nobody in a download": ([*DOWNLOAD, f"hw/{SA}"], ["."], {}, "no name says whose 'hw' is"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_path_that_leads_to_no_submission_is_refused_with_a_sentence(tmp_path, case):
    files, paths, options, words = REFUSED[case]
    put(tmp_path, *files)
    assert words in refused(*(tmp_path / path for path in paths), **options)


def test_a_class_with_a_student_is_refused_with_the_students_folder(tmp_path):
    put(tmp_path, ANN, ANN.replace("ann", "bob", 1))
    assert f"'{tmp_path / 'ann'}'" in refused(tmp_path, student="ann")


def test_a_link_or_a_pipe_given_by_hand_is_refused(tmp_path):
    put(tmp_path, ANN)
    (tmp_path / "link").symlink_to(tmp_path / "ann")
    assert "symbolic link" in refused(tmp_path / "link")
    os.mkfifo(tmp_path / SA)
    assert "a named pipe" in refused(tmp_path / SA)


def test_what_lies_in_the_files_place_is_named(tmp_path):
    put(tmp_path, ANN, "secret.txt", f"dir/{ONE}/{SA}/", f"fifo/{ONE}/", f"link/{ONE}/", f"sock/{ONE}/")
    os.mkfifo(tmp_path / "fifo" / ONE / SA)
    (tmp_path / "link" / ONE / SA).symlink_to(tmp_path / "secret.txt")
    with socket.socket(socket.AF_UNIX) as listener:
        here = Path.cwd()
        os.chdir(tmp_path / "sock" / ONE)  # the name of a socket may have no more than 107 bytes
        try:
            listener.bind(SA)
        finally:
            os.chdir(here)
        found = {each.student: each for each in find(tmp_path).submissions}
    wanted = {"dir": "a folder", "fifo": "a named pipe", "link": "a symbolic link", "sock": "a socket"}
    for student, kind in wanted.items():
        assert kind in (found[student].problem or "")
        assert found[student].files == ()
    assert found["ann"].problem is None


def test_a_linked_file_beside_a_real_one_is_left_out_with_a_note(tmp_path):
    put(tmp_path, f"ann/{ONE}/simple_attention.ipynb", "secret.py")
    (tmp_path / "ann" / ONE / SA).symlink_to(tmp_path / "secret.py")
    (submission,) = find(tmp_path).submissions
    assert [path.name for path in submission.files] == ["simple_attention.ipynb"]
    assert "symbolic link" in submission.notes[0]


@pytest.mark.parametrize(
    ("link", "target"), [("bob", "ann"), (f"bob/{ONE}", f"ann/{ONE}"), ("bob/simple_attention (1).py", ANN)]
)
def test_a_link_is_not_followed_and_its_student_gets_a_report(tmp_path, link, target):
    put(tmp_path, ANN)
    if "/" in link:
        put(tmp_path, "bob/notes.txt")
    (tmp_path / link).symlink_to(tmp_path / target)
    found = find(tmp_path)
    assert pairs(found) == [("ann", ONE), ("bob", ONE)]
    assert "a symbolic link" in (found.submissions[1].problem or "")
    assert found.submissions[1].files == ()


def test_an_unreadable_folder_is_a_problem(tmp_path, monkeypatch):
    """The refusal is played, since root may read everything."""
    put(tmp_path, *(f"{student}/{ONE}/{SA}" for student in ("ann", "bob", "zoe")))
    scan = os.scandir

    def refusing(path: Path) -> object:
        if path in (tmp_path / "bob" / ONE, tmp_path / "zoe"):
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", refusing)
    ann, bob, zoe = find(tmp_path).submissions
    assert ann.problem is None
    assert "may not be read" in (bob.problem or "")
    assert "could not be read: Permission denied" in (zoe.problem or "")
