"""What goes back to each student of a class besides the score: the page, and in a line what to do next.

All of it is made of the student's copy of a report, a type that has no place for what is hidden.
"""

from collections.abc import Iterable, Iterator
from decimal import Decimal

from grader.errors import UsageError
from grader.pages.student import next_step
from grader.pages.words import say as say_of_page
from grader.records.overrides import report_after
from grader.records.report_files import AGAIN, read_file
from grader.results.counted import Entry
from grader.results.redact import student_copy
from grader.results.scoring import plain, points_shown
from grader.results.student_report import StudentReport
from grader.text import name_shown, one_line
from grader.words import say

from .scores import Graded
from .visibility import counts_text

LONGEST = 300  # characters of what to do next, and of a comment
NO_MARKUP = str.maketrans("<>", "\u2039\u203a")


def copies_of(graded: Iterable[Graded], *, due_passed: bool = False) -> Iterator[StudentReport]:
    """Give the student's copy of each report, one by one, since those of a whole class are large.

    Raises:
        UsageError: A report has changed since the folder was read.
    """
    for each in graded:
        report, sha256 = read_file(each.place)
        if sha256 != each.sha256:
            found = f"{name_shown(str(each.place), 200)} has changed meanwhile."
            raise UsageError("The reports of one run were looked for.", found, AGAIN)
        yield student_copy(report_after(report, each.overrides), due_passed=due_passed)


def points_text(copy: StudentReport, entry: Entry | None = None) -> str:
    """Return the points in words: `27 of 30 points`; where others count, those and why."""
    if entry is not None and not entry.is_raw:
        return counts_text(entry, copy.language)
    points = {"score": points_shown(copy.score or Decimal(0)), "max_score": f"{plain(copy.max_score):f}"}
    return say("copy_points", copy.language, **points)


def next_line(copy: StudentReport) -> str:
    """Return on one line what to do next, or why the submission could not be graded."""
    if copy.problem is not None:
        return one_line(say("copy_problem", copy.language, text=copy.problem), LONGEST)
    step = next_step(copy)
    return one_line(say_of_page("all_done", copy.language) if step is None else ": ".join(step), LONGEST)


def short_comment(copy: StudentReport, entry: Entry | None = None) -> str:
    """Return a comment on one line: the assignment, by which it is known again, the points, and what to do next.

    Some platforms take a comment for HTML and some for plain text; it reads the same in both.
    """
    after = next_line(copy)
    if copy.problem is None and next_step(copy) is not None:
        after = f"{say_of_page('next', copy.language)}: {after}"
    given = copy.problem is None or copy.score is not None  # by hand, where it could not be graded
    counts = given if entry is None else entry.counted is not None
    points = f"{points_text(copy, entry).rstrip('.')}. " if counts else ""
    return one_line(f"{copy.assignment}: {points}{after}", LONGEST).translate(NO_MARKUP)
