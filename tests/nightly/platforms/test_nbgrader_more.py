"""What takes further runs of the real nbgrader: its exchange, files of other names, and the same without the kit."""

import json
import os
import shutil
import subprocess

import pytest

from ...support.notebooks.nbgrader_courses import (
    ASSIGNMENT,
    NBGRADER,
    NOTEBOOK,
    PROGRAMS,
    autograded,
    gradebook,
)

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def lesson(tmp_path_factory):
    """The course after `nbgrader autograde`."""
    return autograded(tmp_path_factory)


def test_release_fetch_submit_and_collect_work_in_the_course(lesson, tmp_path, monkeypatch):
    lesson = lesson.copied(tmp_path / "copy", "submitted", "autograded", "feedback")
    (tmp_path / "exchange").mkdir(mode=0o777)
    (tmp_path / "exchange").chmod(0o777)
    lesson.nbgrader("release_assignment", ASSIGNMENT)
    student = tmp_path / "student"
    student.mkdir()
    monkeypatch.setenv("HOME", str(student))
    course = ["--course=course", f"--Exchange.root={tmp_path / 'exchange'}"]
    for command in ("fetch_assignment", "submit"):
        subprocess.run(
            [*NBGRADER, command, ASSIGNMENT, *course], cwd=student, capture_output=True, check=True, timeout=300
        )
    lesson.nbgrader("collect", ASSIGNMENT)
    [name] = [path.name for path in (lesson.root / "submitted").iterdir()]
    handed_in = lesson.root / "submitted" / name / ASSIGNMENT
    assert {f"{NOTEBOOK}.ipynb", "timestamp.txt", f"test_{NOTEBOOK}.py"} <= {path.name for path in handed_in.iterdir()}
    released = json.loads((lesson.root / "release" / ASSIGNMENT / f"{NOTEBOOK}.ipynb").read_text(encoding="utf-8"))
    assert json.loads((handed_in / f"{NOTEBOOK}.ipynb").read_text(encoding="utf-8")) == released


def test_plain_nbgrader_gets_nothing_out_of_the_same_notebooks(lesson, tmp_path):
    """What the kit mends is not mended already: without it one notebook has no points and one ends the command."""
    plain = lesson.copied(tmp_path / "plain", "submitted", "autograded", "feedback", "downloaded")
    settings = 'c = get_config()\nc.CourseDirectory.course_id = "course"\n'
    (plain.root / "nbgrader_config.py").write_text(settings, encoding="utf-8")
    for name, student in (("first", "stripped_marks"), ("second", "copied_cells"), ("third", "rosa_notebook")):
        shutil.copytree(lesson.root / "submitted" / student, plain.root / "submitted" / name)
    surroundings = {**os.environ, "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"}
    command = [*NBGRADER, "autograde", ASSIGNMENT]
    done = subprocess.run(command, cwd=plain.root, env=surroundings, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    with gradebook(plain) as book:
        scores = {submission.student.id: submission.score for submission in book.assignment_submissions(ASSIGNMENT)}
    assert scores == {"first": 0.0, "second": 0.0}
