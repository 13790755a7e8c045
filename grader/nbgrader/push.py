"""Puts the scores of a class run into nbgrader's gradebook, with comments, and the graded notebooks beside it.

A report that could not be graded gives no points: not a 0 that nobody meant. Its student is in the gradebook as one
whom a person has to grade. The same push a second time changes nothing, neither in the database nor on the disk.
"""

from dataclasses import dataclass, field

from grader.errors import OutputError
from grader.nbgrader.notebooks.graded_notebook import graded_notebook
from grader.results.report import Report
from grader.text import name_shown

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


def push(reports: list[Report], book: OpenGradebook, place: Place | None, course_id: str | None) -> Pushed:
    """Enter reports into a gradebook.

    Args:
        reports: They.
        book: The gradebook.
        place: The course of nbgrader around it; None to write no notebooks.
        course_id: The course that the assignments must belong to; None for any.

    Raises:
        OutputError: The gradebook or a file could not be written; who was entered before is entered whole.
    """
    pushed = Pushed()
    for report in reports:
        who = f"{name_shown(report.student)}, {report.assignment}"
        why = _refused(report, book, place, course_id)
        if why:
            pushed.left_out.append(f"{who}: {why}")
            continue
        _push_one(report, book, place, who, pushed)
    return pushed


def _refused(report: Report, book: OpenGradebook, place: Place | None, course_id: str | None) -> str:
    _, why = book.notebook_of(report)
    if why:
        return why
    row = book.assignment(report.assignment)
    if course_id is not None and row is not None and row.course_id != course_id:
        return f"the gradebook has this assignment in the course {row.course_id}, not in {course_id}."
    return place.differs(report) if place is not None else ""


def _push_one(report: Report, book: OpenGradebook, place: Place | None, who: str, pushed: Pushed) -> None:
    notebook, _ = book.notebook_of(report)
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
