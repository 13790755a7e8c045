"""Reads the reports of a class run that are to go into a gradebook, and leaves out what no score may be taken from."""

from dataclasses import dataclass
from pathlib import Path

from grader.errors import UsageError
from grader.records.departed_students import departed_sentences
from grader.records.report_files import (
    SHAPE,
    departed_in,
    places,
    read_file,
    refuse_misplaced,
    refuse_unsafe,
    refuse_unsound,
    summary_in,
    unlike_journal,
)
from grader.results.report import Report
from grader.results.write import student_of
from grader.text import name_shown


@dataclass(frozen=True)
class Reports:
    """The reports of a folder.

    Attributes:
        found: By student and assignment, in that order.
        left_out: What no score is taken from and why, a sentence each.
    """

    found: list[Report]
    left_out: list[str]


def read_reports(folder: Path, *, keep_gone: bool = False) -> Reports:
    """Read all reports of a folder.

    Args:
        folder: What `grader grade --output` wrote.
        keep_gone: Whether reports are taken too whose submission the class no longer has.

    Raises:
        UsageError: It is not a reports folder, or holds no report.
    """
    if not folder.is_dir():
        raise UsageError("A folder of reports was looked for.", f"There is no {name_shown(str(folder), 200)}.", SHAPE)
    gone = set() if keep_gone else departed_in(folder, summary_in(folder))
    left_out = departed_sentences(gone)
    whole: dict[tuple[str, str], tuple[Report, str]] = {}
    for place in places(folder, left_out):
        student, assignment = student_of(place.parent.name), place.stem
        if (student, assignment) in gone:
            continue
        try:
            report, sha256 = read_file(place)
            refuse_misplaced(report, place)
            refuse_unsafe(report, unsafe=False)
            refuse_unsound(report, place)
        except UsageError as fault:
            left_out.append(f"{_who(student, assignment)}: {fault.found} Grade it again.")
        else:
            whole[student, assignment] = report, sha256
    changed = unlike_journal(folder, {key: sha256 for key, (_, sha256) in whole.items()}, gone)
    left_out += [f"{_who(*key)}: {why} Grade it again." for key, why in changed.items()]
    found = [report for key, (report, _) in sorted(whole.items(), key=lambda item: item[0]) if key not in changed]
    if not found and not left_out:
        nothing = f"{name_shown(str(folder), 200)} holds none."
        raise UsageError("Reports of a class run were looked for.", nothing, SHAPE)
    return Reports(found, left_out)


def _who(student: str, assignment: str) -> str:
    return f"{name_shown(student)}, {assignment}"
