"""What takes a further run of the real nbgrader: its exchange."""

import json
import subprocess

import pytest

from ...support.notebooks.nbgrader_courses import (
    ASSIGNMENT,
    NBGRADER,
    NOTEBOOK,
    autograded,
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
