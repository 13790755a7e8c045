"""What a run keeps is what it says, and a score that goes down is told whatever happened in between."""

import json
import os
import signal

import pytest

from grader.errors import CourseError
from grader.grading.jails import weaker_than_before
from grader.suite.process import grade_submission
from grader.suite.process.child_report import SOLUTION
from grader.system import stopping

from ...support.classes.class_runs import grade_for_real as grade

SUITE = "tests/hidden/01_tiny/test_shares.py"


def test_a_solution_whose_session_is_killed_is_graded_again(klass, course, monkeypatch, tmp_path):
    died, grade_one = tmp_path / "died", grade_submission.grade

    def killed(job, *rest):
        if job.number == SOLUTION and not died.exists():
            died.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return grade_one(job, *rest)

    monkeypatch.setattr(grade_submission, "grade", killed)
    assert grade(klass, course).code == 0
    assert died.exists()


def test_a_solution_whose_session_always_ends_is_the_courses_fault(klass, course, monkeypatch):
    monkeypatch.setattr(grade_submission, "grade", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(CourseError, match="solution of 01_tiny ended early"):
        grade(klass, course)


def test_a_stop_while_a_suite_is_collected_is_a_stop(klass, course, monkeypatch):
    (course / SUITE).write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    with pytest.raises(CourseError):
        grade(klass, course)
    monkeypatch.setattr(stopping._Request, "stop", stopping.Terminated)
    with pytest.raises(stopping.Terminated):
        grade(klass, course)


@pytest.mark.parametrize(("tier", "said"), [("namespaces", True), ("landlock", False), ("not needed", False)])
def test_a_weaker_tier_than_the_last_runs_is_told(klass, course, tmp_path, monkeypatch, tier, said):
    grade(klass, course)
    summary = tmp_path / "out" / "run.json"
    found = json.loads(summary.read_text())
    found["isolation"]["tier"] = tier
    summary.write_text(json.dumps(found))
    monkeypatch.setattr(
        "grader.grading.jails.weaker_than_before", lambda before, _: weaker_than_before(before, "landlock")
    )
    notes = grade(klass, course, fresh=True).summary.notes
    assert any("by the stronger tier namespaces" in note for note in notes) is said
