"""What goes back to each student of a class besides the score: the page, and in a line what to do next.

All of it is made of the student's copy of a report, a type that has no place for what is hidden.
"""

from collections.abc import Iterable, Iterator

from grader.errors import UsageError
from grader.language import translation
from grader.pages.student import next_step
from grader.records.overrides import report_after
from grader.records.report_files import AGAIN, read_file
from grader.results.redact import student_copy
from grader.results.scoring import plain
from grader.results.student_report import StudentReport
from grader.text import name_shown, one_line
from grader.words import say

from .scores import Graded

LONGEST = 300  # characters of what to do next, and of a comment
NO_MARKUP = str.maketrans("<>", "\u2039\u203a")


def copies_of(graded: Iterable[Graded]) -> Iterator[StudentReport]:
    """Give the student's copy of each report, one by one, since those of a whole class are large.

    Raises:
        UsageError: A report has changed since the folder was read.
    """
    for each in graded:
        report, sha256 = read_file(each.place)
        if sha256 != each.sha256:
            found = f"{name_shown(str(each.place), 200)} has changed meanwhile."
            raise UsageError("The reports of one run were looked for.", found, AGAIN)
        yield student_copy(report_after(report, each.overrides))


def points_text(copy: StudentReport) -> str:
    """Return the points in words: `27 of 30 points`."""
    points = {"score": f"{plain(copy.score):f}", "max_score": f"{plain(copy.max_score):f}"}
    return say("copy_points", copy.language, **points)


def next_line(copy: StudentReport) -> str:
    """Return on one line what to do next, or why the submission could not be graded."""
    if copy.problem is not None:
        return one_line(say("copy_problem", copy.language, text=copy.problem), LONGEST)
    step = next_step(copy)
    all_done = translation(copy.language).gettext("Every exercise has passed. There is nothing left to do.")
    return one_line(all_done if step is None else ": ".join(step), LONGEST)


def short_comment(copy: StudentReport) -> str:
    """Return a comment on one line: the assignment, by which it is known again, the points, and what to do next.

    Some platforms take a comment for HTML and some for plain text; it reads the same in both.
    """
    after = next_line(copy)
    if copy.problem is None and next_step(copy) is not None:
        heading = translation(copy.language).gettext("What to do next")
        after = f"{heading}: {after}"
    given = copy.problem is None or copy.score > 0  # by hand, where it could not be graded
    points = f"{points_text(copy).rstrip('.')}. " if given else ""
    return one_line(f"{copy.assignment}: {points}{after}", LONGEST).translate(NO_MARKUP)
