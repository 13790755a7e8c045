"""The last submissions of one assignment go on while the next one begins, and none is lost or counted twice."""

import os
import signal
import time

import pytest

from grader.grading import class_run
from grader.suite.process import child

from ...records.test_regrade import RIGHT, course, grade, klass, reports  # noqa: F401  # the fixtures
from ...support.courses import hand_in

pytestmark = pytest.mark.usefixtures("kept_jails")

AGAIN = "02_tiny_again"
HANGS = "import time\nfrom torch import nn\ndef shares(x):\n    while True:\n        pass\n"


@pytest.fixture
def entered(monkeypatch):
    """The submissions in the order in which their results were entered."""
    order = []
    enter = class_run.ClassRun.enter

    def noted(self, assignment, submission, *rest, **more):
        order.append((submission.student, assignment.id))
        enter(self, assignment, submission, *rest, **more)

    monkeypatch.setattr(class_run.ClassRun, "enter", noted)
    return order


def test_a_hang_at_the_end_of_one_assignment_holds_up_no_other_one(klass, course, entered):  # noqa: F811
    hand_in(klass, "zoe", HANGS)
    limits = {"check_wall_s": 8.0, "check_cpu_s": 8.0, "hangs_per_exercise": 1}
    done = grade(klass, course, jobs=2, limits=limits)
    assert sorted(entered) == sorted((row.student, row.assignment) for row in done.rows)
    assert entered.index(("ann", AGAIN)) < entered.index(("zoe", "01_tiny"))
    assert done.code == 0


def test_a_straggler_that_is_killed_is_graded_once_more(klass, course, entered, monkeypatch, tmp_path):  # noqa: F811
    whole = grade(klass, course, "whole", jobs=2)
    entered.clear()
    graded = child.grade

    def killed(job, *rest):
        mark = tmp_path / "killed"
        if "# cho" in job.source.cells[0].source and not mark.exists():
            mark.touch()
            time.sleep(3.0)
            os.kill(os.getpid(), signal.SIGKILL)
        return graded(job, *rest)

    monkeypatch.setattr(child, "grade", killed)
    again = grade(klass, course, "again", jobs=2, fresh=True)
    assert entered[-1] == ("cho", "01_tiny")
    assert len(entered) == len(again.rows) == len(whole.rows)
    assert reports(tmp_path / "again") == reports(tmp_path / "whole")
