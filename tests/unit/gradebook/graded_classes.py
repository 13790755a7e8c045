"""A course on disk with the reports of a class, for tests of what its rules make of the points; nothing is graded."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from grader.course.layout import find_course
from grader.gradebook.current import NAME
from grader.gradebook.files import Applied
from grader.lms.rules import keep_times, read_rules
from grader.records.journal import Journal
from grader.records.journal_lines import line_of
from grader.results.report import Report
from grader.results.verdict import Status
from grader.results.write import ReportsFolder
from grader.submissions.submission import Submission

from ...support.command_line import Done, run_here
from ...support.courses import write_course, write_files
from ...support.lms_reports import SECRET, report_of, write_class

TINY = "01_tiny"
POLICY = """\
timezone = "Asia/Seoul"

[due]
01_tiny = 2026-03-01T18:00:00

[late]
percent_per_day = 10
"""
TIMES = "student,assignment,submitted\nann,01_tiny,2026-03-02 18:00:00\nben,01_tiny,2026-03-01 17:00:00\n"
LOST: dict[str, Mapping[str, Status]] = {"5.5": {}, "4.8": {"shares.open": "failed"}, "0": dict.fromkeys(
    ("shares.open", "shares.shut", "Shift.open", "Shift.late", "Shift.shut"), "failed"
)}  # fmt: skip
"""Which checks fail where these points are reached of 5.5."""


def course_with(root: Path, reports: Sequence[Report], policy: str | None = POLICY, absent: Sequence[str] = ()) -> Path:
    """Write a course with its rules and a class's reports in its folder `reports`; return that folder."""
    write_course(root)
    if policy is not None:
        write_files(root, {"policy.toml": policy})
    secret = root / ".grader" / "secret"
    secret.parent.mkdir()
    secret.write_bytes(SECRET)
    secret.chmod(0o600)
    return write_class(root / "reports", reports, absent)


def hand_in_again(
    reports: Path, student: str, points: str, submission: str, problem: str | None = None, **known: str
) -> None:
    """Write the report of another file, known by its hash, that a student handed in and that reached these points."""
    folder, report = ReportsFolder(reports), report_of(student, LOST[points], problem=problem)
    whole, copy = folder.write_report(report)
    book = Journal(reports, SECRET)
    known |= {"run": "again", "written": "then", "key": "k", "submission": submission}
    book.append(line_of(report, report=whole, copy=copy, **known))
    book.close()


def apply(course: Path, *more: object) -> Done:
    return run_here("apply", course / "reports", "--course", course, *more)


def applied(course: Path, *more: object) -> dict[tuple[str, str], dict[str, object]]:
    """Apply the rules and return the entries by student and assignment."""
    done = apply(course, *more)
    assert done.returncode == 0, done.stderr
    document = json.loads((course / "reports" / NAME).read_bytes(), parse_float=Decimal)
    return {(each["student"], each["assignment"]): each for each in document["entries"]}


def files(folder: Path) -> dict[str, str]:
    return {str(each): hashlib.sha256(each.read_bytes()).hexdigest() for each in folder.rglob("*") if each.is_file()}


def refused(done: Done) -> str:
    assert done.returncode == 2
    assert done.stderr.startswith("grader: ") and "Traceback" not in done.stderr
    return done.stderr


def platform_times(course: Path, *submissions: Submission) -> Applied:
    """Apply the rules as a run does that found these submissions in a platform's download."""
    keep_times(find_course(course), course / "reports", submissions)
    rules = read_rules(find_course(course), None, None, None)
    assert rules is not None
    return rules.apply(course / "reports", submissions)
