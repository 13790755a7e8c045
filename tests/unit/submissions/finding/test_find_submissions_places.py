"""A student's work counts or is named wherever it is, and a stub with something beside it is no 0."""

import os
import unicodedata
from pathlib import Path

import pytest

from grader.limits import DEFAULT_LIMITS
from grader.submissions.finding.find import find_submissions
from grader.submissions.reading.read import Source, StubTexts, read_submission

from ....support.submission_folders import FOUR, ONE, find, pairs, put, refused

STUB = "def f():\n    raise NotImplementedError\n"
ANSWER = "def f():\n    return 1\n"
WORK = [
    "hw.zip", "HW.ZIP", "hw.rar", "hw.tar.gz", "과제.alz", "simple_attention.py.txt", "simple_attention.txt",
    "simple_attention", "simple_attention.py~", "hw.ipynb.bak", "homework.docx", "final/simple_attention.py",
    "a/b/c/hw.ipynb", "final/hw.7z", "simple_attention_final.pyc", "broken.py",
    unicodedata.normalize("NFD", "답안.pdf"),
]  # fmt: skip
COMPANIONS = [
    ".DS_Store", ".ipynb_checkpoints/simple_attention-checkpoint.py", "__pycache__/simple_attention.cpython-311.pyc",
    "README.md", "README.ko.md", "notes.txt", "data.csv", "data/points.npy", "test_simple_attention.py", "conftest.py",
    "plots/a.png", "timestamp.txt", ".git/hooks/x.py", "helper.py", "empty/.keep", "simple_attention_plot.png",
    "hints.json", "hints.toml", ".grader/progress.json", ".grader/simple_attention-before-reset-1.py",
]  # fmt: skip
LAYOUTS = [
    f"bob/{ONE}/",
    "bob/",
    "bob_1_2_",
    "123-4 - Bob - Nov 5, 2026 1102 PM/",
    f"bob+{ONE}+2026-11-05 11:02:33 UTC+x/",
]


def read(folder: Path, **more: object) -> Source:
    """Read the submission of bob."""
    (bob,) = (each for each in find(folder, **more).submissions if "bob" in each.student.lower())
    return read_submission(bob, StubTexts(py=STUB), DEFAULT_LIMITS)


def lay(folder: Path, layout: str, name: str, text: str) -> None:
    """Write a file of a layout; in Canvas's folder another one has a number of its own."""
    put(folder, f"{layout.replace('_2_', '_3_')}{name}", text=text)


@pytest.fixture
def ann(tmp_path, request):
    """A class with another student."""
    layout = request.getfixturevalue("layout")
    put(
        tmp_path, "ann_7_8_simple_attention.py" if layout.startswith("bob_") else "Ann/simple_attention.py", text=ANSWER
    )
    return tmp_path


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", WORK)
@pytest.mark.parametrize("text", [STUB, ANSWER], ids=["stub", "answer"])
def test_beside_a_stub_what_may_be_the_work_is_a_problem_and_beside_an_answer_it_is_named(ann, layout, name, text):
    put(ann, f"{layout}simple_attention.py", text=text)
    lay(ann, layout, name, "# coding: utf-7\n" if text is STUB else "broken = (\n")
    source = read(ann)
    named = f"{layout.replace('_2_', '_3_')}{name}".removeprefix(layout).split("/")[0]
    if text is STUB:
        assert source.cells == []
        assert source.problem is not None and "is as it was handed out" in source.problem and named in source.problem
    else:
        assert source.problem is None
        assert any(note.startswith("Not graded, though") and named in note for note in source.notes)
    assert named in "".join(find(ann).notes)


@pytest.mark.parametrize("layout", [each for each in LAYOUTS if each.endswith("/")])
@pytest.mark.parametrize("name", COMPANIONS)
def test_a_stub_beside_ordinary_companions_is_a_stub(ann, layout, name):
    put(ann, f"{layout}simple_attention.py", text=STUB)
    lay(ann, layout, name, "x = 1\n")
    source = read(ann)
    assert (source.problem, source.file_name) == (None, "simple_attention.py")


@pytest.mark.parametrize(
    ("beside", "named"),
    [
        ("hw2.py", "bob/hw2.py"),
        ("simple_attention (1).py", "bob/simple_attention (1).py"),
        ("new/simple_attention.py", "new"),
        (f"{ONE} (1)/simple_attention.py", f"{ONE} (1)"),
        ("answers.zip", "answers.zip"),
    ],
)
def test_another_file_of_a_student_is_named_in_the_report_and_by_the_run(tmp_path, beside, named):
    put(tmp_path, f"ann/{ONE}/simple_attention.py", f"bob/{ONE}/simple_attention.py", f"bob/{beside}", text=ANSWER)
    (note,) = find(tmp_path).notes
    assert f"'bob' ('{Path(named).name}')" in note and "ann" not in note
    assert read(tmp_path).notes == (f"Not graded, though handed in beside it: '{named}'.",)


def test_what_belongs_to_an_assignment_that_is_not_wanted_needs_no_word(tmp_path):
    put(tmp_path, "ann/simple_attention.py", "ann/multi_head_attention.py", f"bob/{FOUR}/multi_head_attention.py")
    put(tmp_path, "bob/simple_attention.py", "bob/notes.txt", "bob/data/points.csv")
    assert find(tmp_path).notes == find(tmp_path, assignment=ONE).notes == []


@pytest.mark.parametrize("name", ["utils.py", "data.zip"])
def test_what_the_course_gave_out_is_no_work(tmp_path, name):
    put(tmp_path, f"ann/{ONE}/simple_attention.py", f"bob/{ONE}/simple_attention.py", f"bob/{ONE}/{name}", text=STUB)
    stems = {ONE: "simple_attention"}
    found = find_submissions([tmp_path], assignments=stems, given={ONE: [name, "simple_attention.py", "README.md"]})
    assert read_submission(found.submissions[1], StubTexts(py=STUB), DEFAULT_LIMITS).problem is None
    assert found.notes == []


@pytest.mark.parametrize("kind", ["link to a file", "link to a folder", "dead link", "pipe"])
def test_a_link_or_a_pipe_beside_a_stub_may_be_the_work_and_is_not_followed(tmp_path, kind):
    put(tmp_path, "ann/simple_attention.py", f"bob/{ONE}/simple_attention.py", text=STUB)
    put(tmp_path, "ann/other.py", text=ANSWER)
    place = tmp_path / "bob" / ONE / "mine"
    if kind == "pipe":
        os.mkfifo(place)
    else:
        targets = {"link to a file": "ann/other.py", "link to a folder": "ann", "dead link": "nowhere"}
        place.symlink_to(tmp_path / targets[kind])
    assert "'mine'" in str(read(tmp_path).problem)


@pytest.mark.parametrize(
    ("stub", "answer"),
    [
        (f"bob/{ONE}/simple_attention.py", "bob/simple_attention.py"),
        (f"bob/{ONE}/simple_attention.py", "bob/Simple_Attention.PY"),
        (f"bob/{ONE}/simple_attention.py", "bob/simple_attention (1).py"),
        (f"bob/{ONE}/simple_attention.py", "bob/solution.py"),
        (f"bob/{ONE}/simple_attention.py", f"bob/{ONE}/simple_attention_final.py"),
        ("bob/simple_attention.py", f"bob/{ONE}.py"),
        ("bob/simple_attention.py", "bob/hw (김).py"),
    ],
)
def test_a_stub_loses_to_the_only_file_with_answers_wherever_it_lies(tmp_path, stub, answer):
    put(tmp_path, "ann/simple_attention.py", stub, text=STUB)
    put(tmp_path, answer, text=ANSWER)
    source = read(tmp_path)
    assert source.problem is None
    assert source.cells[0].source == ANSWER
    assert source.file_name == Path(answer).name
    assert len(source.sha256) == 2
    assert source.sha256[source.file_name] == source.digest
    assert "was graded" in source.notes[0]


def test_an_answer_in_the_folder_wins_over_one_beside_the_folder_which_is_named(tmp_path):
    put(tmp_path, "ann/simple_attention.py", f"bob/{ONE}/simple_attention.py", "bob/simple_attention.py", text=ANSWER)
    source = read(tmp_path)
    assert source.notes == ("Not graded, though handed in beside it: 'bob/simple_attention.py'.",)


@pytest.mark.parametrize("inside", ["", "README.md", "hw.zip"])
def test_a_folder_without_the_file_leaves_the_place_to_the_file_beside_it(tmp_path, inside):
    put(tmp_path, "ann/simple_attention.py", "bob/simple_attention.py", text=ANSWER)
    (tmp_path / "bob" / ONE).mkdir()
    if inside:
        put(tmp_path, f"bob/{ONE}/{inside}")
    source = read(tmp_path)
    assert (source.problem, source.cells[0].source) == (None, ANSWER)
    assert inside in "".join(source.notes)


def test_what_lies_beside_concerns_the_assignment_of_its_name_and_else_all(tmp_path):
    put(tmp_path, f"bob/{ONE}/simple_attention.py", f"bob/{FOUR}/multi_head_attention.py", text=STUB)
    put(tmp_path, "ann/simple_attention.py", "bob/multi_head_attention.zip")
    _, one, four = find(tmp_path).submissions
    assert (one.beside, four.beside) == ((), ("multi_head_attention.zip",))
    put(tmp_path, "bob/all.zip")
    _, one, four = find(tmp_path).submissions
    assert (one.beside, four.beside) == (("all.zip",), ("all.zip", "multi_head_attention.zip"))


@pytest.mark.parametrize("more", ["backup", f"{ONE} (1)", "Backup von Kim", "사본"])
def test_a_class_and_its_folders_named_one_by_one_come_to_the_same(tmp_path, more):
    put(tmp_path, *(f"{name}/{ONE}/simple_attention.py" for name in ("ann", "bob", "cem")), "roster.csv")
    put(tmp_path, f"bob/{more}/{ONE}/simple_attention.py", f"bob/old/{ONE}/simple_attention.py", "dan/homework.py")
    (tmp_path / "eva").mkdir()
    (tmp_path / "fay").symlink_to(tmp_path / "ann")
    put(tmp_path, "run.json/simple_attention.py", "gus.zip")
    whole, each = find(tmp_path), find(*sorted(tmp_path.iterdir(), reverse=True))
    assert pairs(whole) == pairs(each)
    assert (whole.students, whole.warnings, whole.notes) == (each.students, each.warnings, each.notes)
    assert f"'{more}'" in "".join(whole.notes)


@pytest.mark.parametrize("more", ["backup/", f"backup/{ONE}/", "old/hw1/../"])
@pytest.mark.parametrize("own", ["", f"{ONE}/"])
def test_a_class_of_one_with_a_backup_and_its_folder_come_to_the_same(tmp_path, own, more):
    put(tmp_path, f"class/ann/{own}simple_attention.py", f"class/ann/{more}simple_attention.py")
    whole, each = find(tmp_path / "class"), find(*(tmp_path / "class").iterdir())
    assert pairs(whole) == pairs(each) == [("ann", ONE)]
    assert whole.submissions == each.submissions and whole.notes == each.notes
    assert each.submissions[0].others or each.submissions[0].beside


def test_a_student_with_backups_given_alone_is_told_from_a_class_by_what_lies_beside(tmp_path):
    """A class with a submission in it, taken for one student, would lose its students."""
    inside = [f"ann/{name}/{ONE}/simple_attention.py" for name in ("backup", "old")]
    put(tmp_path, f"ann/{ONE}/simple_attention.py", *inside)
    assert "--student" in refused(tmp_path / "ann")
    found = find(tmp_path / "ann", student="ann")
    assert (pairs(found), found.submissions[0].beside) == ([("ann", ONE)], ("backup", "old"))
    put(tmp_path, f"bob/{ONE}/simple_attention.py")
    assert pairs(find(tmp_path / "ann")) == [("ann", ONE)]
    put(tmp_path, "reports/ann/summary.txt")
    assert "--student" in refused(tmp_path / "ann")


@pytest.mark.parametrize("name", ["Simple_Attention.py", "SIMPLE_ATTENTION.IPYNB"])
def test_a_file_in_capitals_is_found_in_a_class_of_any_size_and_alone(tmp_path, name):
    put(tmp_path, f"class/bo/{name}")
    one, alone, each = find(tmp_path / "class"), find(tmp_path / "class" / "bo"), find(*(tmp_path / "class").iterdir())
    assert one.submissions == alone.submissions == each.submissions
    assert [path.name for path in one.submissions[0].files] == [name]
    put(tmp_path, f"class/ann/{ONE}/simple_attention.py")
    assert find(tmp_path / "class").submissions[1] == one.submissions[0]
