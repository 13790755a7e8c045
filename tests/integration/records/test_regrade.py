"""Grading a class again for real: what a run keeps is what it says, and a solution proves itself in each run."""

import json
import os
import signal
import subprocess
import sys

import pytest

from grader.errors import CourseError
from grader.grading.jails import weaker_than_before
from grader.suite.runner import forking
from grader.system import stopping

from ...support.classes.class_runs import grade_for_real as grade
from ...support.classes.class_runs import reports
from ...support.courses import hand_in
from ...support.reports.report_parts import validator

SUITE = "tests/hidden/01_tiny/test_shares.py"


def test_grading_twice_gives_the_same_reports_by_the_published_schemas_also_of_what_ends_badly(klass, course, tmp_path):
    hand_in(klass, "eve", "import os\ndef shares(x):\n    os.kill(os.getpid(), 11)\n")
    hand_in(klass, "fay", "def shares(x):\n    return undefined / x\n1 / 0\n")
    hand_in(klass, "gil", "\0")
    grade(klass, course)
    first = reports(tmp_path / "out")
    grade(klass, course, fresh=True)
    assert reports(tmp_path / "out") == first and len(first) == 14
    for name in first:
        schema = "student-report.schema.json" if name.startswith("for-students/") else "report.schema.json"
        validator(schema).validate(json.loads((tmp_path / "out" / name).read_bytes()))


def test_a_solution_whose_session_is_killed_is_graded_again(klass, course, monkeypatch, tmp_path):
    died, grade_one = tmp_path / "died", forking.grade

    def killed(*job):
        if not died.exists():
            died.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return grade_one(*job)

    monkeypatch.setattr(forking, "grade", killed)
    assert grade(klass, course).code == 0
    assert died.exists()


def test_a_solution_whose_session_always_ends_is_the_courses_fault(klass, course, monkeypatch):
    monkeypatch.setattr(forking, "grade", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(CourseError, match="solution of 01_tiny ended early"):
        grade(klass, course)


def test_a_stop_while_a_suite_is_collected_is_a_stop(klass, course, monkeypatch):
    (course / SUITE).write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    with pytest.raises(CourseError):
        grade(klass, course)
    monkeypatch.setattr(stopping._Request, "asked", True)
    with pytest.raises(KeyboardInterrupt):
        grade(klass, course)


@pytest.mark.parametrize(("tier", "noted"), [("namespaces", True), ("landlock", False), ("not needed", False)])
def test_a_weaker_tier_than_the_last_runs_is_told(klass, course, tmp_path, monkeypatch, tier, noted):
    grade(klass, course)
    summary = tmp_path / "out" / "run.json"
    document = json.loads(summary.read_text())
    document["isolation"]["tier"] = tier
    summary.write_text(json.dumps(document))
    monkeypatch.setattr(
        "grader.grading.jails.weaker_than_before", lambda before, _: weaker_than_before(before, "landlock")
    )
    notes = grade(klass, course, fresh=True).summary.notes
    assert any("by the stronger tier namespaces" in note for note in notes) is noted


def test_an_unchanged_class_needs_neither_torch_nor_pytest(klass, course, tmp_path):
    grade(klass, course)
    program = (
        "import sys; from grader.cli import status; code = status(sys.argv[1:]); "
        "print(code, sorted({'torch', 'pytest', 'numpy'} & set(sys.modules)))"
    )
    arguments = ["--course", str(course), "grade", str(klass), "--output", str(tmp_path / "out"), "--no-pages"]
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0 []"
    assert " Graded before, here or into another folder, and unchanged: 4." in done.stdout
