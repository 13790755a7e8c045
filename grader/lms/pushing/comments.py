"""The comment that goes to a student with the score: the points, and in a line what to do next.

It is made of the student's copy of a report, a type that has no place for what is hidden.
"""

from grader.pages.student import next_step
from grader.pages.words import say as say_of_page
from grader.results.scoring import plain
from grader.results.student_report import StudentReport
from grader.text import one_line
from grader.words import say

LONGEST = 300  # characters of what to do next, and of a comment
NO_MARKUP = str.maketrans("<>", "\u2039\u203a")


def points_text(copy: StudentReport) -> str:
    """Return the points in words: `27 of 30 points`."""
    points = {"score": f"{plain(copy.score):f}", "max_score": f"{plain(copy.max_score):f}"}
    return say("copy_points", copy.language, **points)


def next_line(copy: StudentReport) -> str:
    """Return on one line what to do next, or why the submission could not be graded."""
    if copy.problem is not None:
        return one_line(say("copy_problem", copy.language, text=copy.problem), LONGEST)
    step = next_step(copy)
    return one_line(say_of_page("all_done", copy.language) if step is None else ": ".join(step), LONGEST)


def short_comment(copy: StudentReport) -> str:
    """Return a comment on one line: the assignment, by which it is known again, the points, and what to do next.

    Some platforms take a comment for HTML and some for plain text; it reads the same in both.
    """
    after = next_line(copy)
    if copy.problem is None and next_step(copy) is not None:
        after = f"{say_of_page('next', copy.language)}: {after}"
    given = copy.problem is None or copy.score > 0  # by hand, where it could not be graded
    points = f"{points_text(copy).rstrip('.')}. " if given else ""
    return one_line(f"{copy.assignment}: {points}{after}", LONGEST).translate(NO_MARKUP)
