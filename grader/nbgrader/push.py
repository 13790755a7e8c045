"""Puts the scores of a class run into nbgrader's gradebook, with comments, and the graded notebooks beside it.

A report that could not be graded gives no points: not a 0 that nobody meant. Its student is in the gradebook as one
whom a person has to grade. The same push a second time changes nothing, neither in the database nor on the disk.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import OutputError, UsageError
from grader.nbgrader.notebooks.graded_notebook import graded_notebook
from grader.records.departed_students import departed_sentences
from grader.records.overrides import BY_EXERCISE, NOT_BY_EXERCISE, WHOLE, overrides_of, report_after
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

if TYPE_CHECKING:  # both import nbgrader
    from .gradebook import OpenGradebook
    from .place import Place


@dataclass
class Pushed:
    """What a push came to.

    Attributes:
        changed: Submissions whose rows are other ones now.
        unchanged: Submissions whose rows were as they must be.
        notebooks: Graded notebooks that were written.
        lowered: Points that went down, a line each.
        by_hand: Submissions that could not be graded, a line each.
        left_out: What was not entered and why, a line each.
        new: Students who were not in the gradebook.
    """

    changed: int = 0
    unchanged: int = 0
    notebooks: int = 0
    lowered: list[str] = field(default_factory=list)
    by_hand: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)

    @property
    def code(self) -> int:
        """The exit code: 0 when everything was entered, 1 when a person has to look at something."""
        return 1 if self.left_out or self.by_hand else 0


def read_reports(folder: Path, *, keep_gone: bool = False) -> tuple[list[Report], list[str]]:
    """Return the reports of a folder, and a sentence for each that no score may be taken from.

    Args:
        keep_gone: Whether reports are taken too whose submission the class no longer has.

    Raises:
        UsageError: It is not a reports folder, or holds no report.
    """
    if not folder.is_dir():
        raise UsageError("A folder of reports was looked for.", f"There is no {name_shown(str(folder), 200)}.", SHAPE)
    gone = set() if keep_gone else departed_in(folder, summary_in(folder))
    overrides = overrides_of(folder)
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
            if WHOLE in overrides.get((student, assignment), {}):
                left_out.append(f"{_who(student, assignment)}: {NOT_BY_EXERCISE} {BY_EXERCISE}")
    changed = unlike_journal(folder, {key: sha256 for key, (_, sha256) in whole.items()}, gone)
    left_out += [f"{_who(*key)}: {why} Grade it again." for key, why in changed.items()]
    found = [
        report_after(report, overrides)
        for key, (report, _) in sorted(whole.items(), key=lambda item: item[0])
        if key not in changed and WHOLE not in overrides.get(key, {})
    ]
    if not found and not left_out:
        nothing = f"{name_shown(str(folder), 200)} holds none."
        raise UsageError("Reports of a class run were looked for.", nothing, SHAPE)
    return found, left_out


def _who(student: str, assignment: str) -> str:
    return f"{name_shown(student)}, {assignment}"


def push(reports: list[Report], book: "OpenGradebook", place: "Place | None", course_id: str | None) -> Pushed:
    """Enter reports into a gradebook.

    Args:
        place: The course of nbgrader around it; None to write no notebooks.
        course_id: The course that the assignments must belong to; None for any.

    Raises:
        OutputError: The gradebook or a file could not be written; who was entered before is entered whole.
    """
    pushed = Pushed()
    for report in reports:
        who = _who(report.student, report.assignment)
        notebook, why = book.notebook_of(report)
        why = why or _why_refused(report, book, place, course_id)
        if why:
            pushed.left_out.append(f"{who}: {why}")
        else:
            _push_one(report, notebook, book, place, who, pushed)
    return pushed


def _why_refused(report: Report, book: "OpenGradebook", place: "Place | None", course_id: str | None) -> str:
    row = book.assignment(report.assignment)
    if course_id is not None and row is not None and row.course_id != course_id:
        return f"the gradebook has this assignment in the course {row.course_id}, not in {course_id}."
    return place.differs(report) if place is not None else ""


def _push_one(
    report: Report, notebook: str, book: "OpenGradebook", place: "Place | None", who: str, pushed: Pushed
) -> None:
    timestamp = None if place is None else place.timestamp(report)
    text = None
    if place is not None:
        text = graded_notebook(report, place.cells(report), book.cells(report.assignment, notebook))
    try:
        entered, new = book.enter(report, notebook, timestamp, None if place is None else place.penalty)
    except OutputError as problem:
        if pushed.changed or pushed.unchanged:
            before = f"{pushed.changed + pushed.unchanged} submissions before this one are entered."
            raise OutputError(f"{who}: {problem}", before) from None
        raise
    if text is not None and place is not None and place.write(report, notebook, text):
        pushed.notebooks += 1
    pushed.changed += entered.changed
    pushed.unchanged += not entered.changed
    pushed.lowered += [f"{who}: {line}" for line in entered.lowered]
    if new:
        pushed.new.append(report.student)
    if report.problem is not None:
        pushed.by_hand.append(f"{who}: {report.problem}")
