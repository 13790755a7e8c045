"""Reads the reports of a class run that are to go into a gradebook, and leaves out what no score may be taken from."""

import hashlib
import os
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from grader.errors import UsageError
from grader.records.journal import Journal
from grader.results.report import Report, read_report
from grader.results.text import name_shown
from grader.results.write import STUDENT_COPIES
from grader.submissions.names import fault_of_name

SHAPE = "Name the folder that `grader grade` wrote, such as reports."
FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass
class Reports:
    """The reports of a folder.

    Attributes:
        found: By student and assignment, in that order.
        left_out: What no score is taken from and why, a sentence each.
    """

    found: list[Report] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def read_reports(folder: Path) -> Reports:
    """Read all reports of a folder.

    Raises:
        UsageError: It is no reports folder, or holds no report.
    """
    if not folder.is_dir():
        raise UsageError("A folder of reports was looked for.", f"There is no {name_shown(str(folder), 200)}.", SHAPE)
    reports, journal = Reports(), Journal(folder, None)
    for student in sorted(each for each in folder.iterdir() if each.is_dir() and not each.is_symlink()):
        if student.name == STUDENT_COPIES or fault_of_name(student.name) is not None:
            continue
        for place in sorted(student.glob("*.json")):
            _take(place, journal, reports)
    if not reports.found and not reports.left_out:
        found = f"{name_shown(str(folder), 200)} holds none."
        raise UsageError("Reports of a class run were looked for.", found, SHAPE)
    return reports


def _take(place: Path, journal: Journal, reports: Reports) -> None:
    who = f"{name_shown(place.parent.name)}, {name_shown(place.stem)}"
    try:
        with os.fdopen(os.open(place, FLAGS), "rb") as file:
            text = file.read()
        report = read_report(text)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as problem:
        reports.left_out.append(f"{who}: the report cannot be read ({problem}). Grade it again.")
        return
    if (report.student, report.assignment) != (place.parent.name, place.stem):
        other = f"{name_shown(report.student)}, {name_shown(report.assignment)}"
        reports.left_out.append(f"{who}: the report that lies there is of {other}. Grade it again.")
        return
    written = journal.newest(report.student, report.assignment)
    if written is not None and written.report != hashlib.sha256(text).hexdigest():
        reports.left_out.append(f"{who}: the report is not as the grader wrote it. Grade it again.")
    elif report.isolation.get("tier") == "none":
        reports.left_out.append(f"{who}: it was graded without isolation, so its scores prove nothing.")
    else:
        reports.found.append(report)
