"""The last submissions of one assignment go on while the next one begins, and none is lost or counted twice."""

import os
import signal
import time

import pytest

from grader.grading import class_run
from grader.suite.process import child

from ....support.classes.class_runs import RIGHT, course, klass, reports  # noqa: F401  # the fixtures
from ....support.classes.class_runs import grade_for_real as grade
from ....support.courses import hand_in

pytestmark = pytest.mark.usefixtures("kept_jails")

AGAIN = "02_tiny_again"
PATIENCE_S = 120.0
"""How long a submission waits at most for what the test wants to see before it."""


@pytest.fixture
def entered(monkeypatch, tmp_path):
    """The submissions in the order in which their results were entered; a file for each says it to other processes."""
    order = []
    enter = class_run.ClassRun.enter

    def noted(self, assignment, submission, *rest, **more):
        order.append((submission.student, assignment.id))
        enter(self, assignment, submission, *rest, **more)
        file_of(tmp_path, submission.student, assignment.id).touch()

    monkeypatch.setattr(class_run.ClassRun, "enter", noted)
    return order


def file_of(folder, student, assignment):
    return folder / f"entered-{student}-{assignment}"


def wait_for(*files):
    """Return when all files are there, or when it has taken so long that the test is to fail."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end and not all(file.exists() for file in files):
        time.sleep(0.02)


def test_a_straggler_of_one_assignment_holds_up_no_other_one(klass, course, entered, monkeypatch, tmp_path):  # noqa: F811
    hand_in(klass, "zoe", RIGHT + "# zoe\n")
    graded = child.grade

    def slow(job, *rest):
        if "# zoe" in job.source.cells[0].source:
            wait_for(file_of(tmp_path, "ann", AGAIN))
        return graded(job, *rest)

    monkeypatch.setattr(child, "grade", slow)
    done = grade(klass, course, jobs=2)
    assert sorted(entered) == sorted((row.student, row.assignment) for row in done.rows)
    assert entered.index(("ann", AGAIN)) < entered.index(("zoe", "01_tiny"))
    assert done.code == 0


def test_a_straggler_that_is_killed_is_graded_once_more(klass, course, entered, monkeypatch, tmp_path):  # noqa: F811
    whole = grade(klass, course, "whole", jobs=2)
    others = [file for file in tmp_path.glob("entered-*") if file != file_of(tmp_path, "cho", "01_tiny")]
    for file in tmp_path.glob("entered-*"):
        file.unlink()
    entered.clear()
    graded = child.grade

    def killed(job, *rest):
        mark = tmp_path / "killed"
        if "# cho" in job.source.cells[0].source and not mark.exists():
            mark.touch()
            wait_for(*others)
            os.kill(os.getpid(), signal.SIGKILL)
        return graded(job, *rest)

    monkeypatch.setattr(child, "grade", killed)
    again = grade(klass, course, "again", jobs=2, fresh=True)
    assert entered[-1] == ("cho", "01_tiny")
    assert len(entered) == len(again.rows) == len(whole.rows)
    assert reports(tmp_path / "again") == reports(tmp_path / "whole")
