"""Pushes scores into Canvas by canvasapi: many in one request, the job that Canvas makes of it watched to its end.

A bulk update of Canvas answers before it has done anything, and a job that fails may have stored half of it. So the
scores are read again afterwards, and what is there is what is reported.
"""

import html
import math
import time
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, Final

from grader.errors import UsageError
from grader.results.scoring import nearest, plain
from grader.text import one_line

from . import web
from .canvas_api import NAME, CanvasApi
from .canvas_people import called, find_people, identity
from .plan import Change, Plan, scores_equal
from .secrets import Redactor, Secret
from .target_scores import TargetScores

BATCH: Final = 100  # scores in one request
POLL_S = 1.0
LONGEST_WAIT_S = 600.0  # for all jobs of a push together
UNUSABLE = ("pass_fail", "not_graded", "letter_grade", "gpa_scale")  # a grade of the last two may be called "4"
PLACES: Final = 2  # decimal places that Canvas keeps and shows
STEP: Final = Decimal(1).scaleb(-PLACES)


class Canvas:
    """One assignment of a course in Canvas, both by their numbers there.

    Args:
        token: The access token of somebody who may grade there.
    """

    def __init__(self, address: str, course: int, assignment: int, token: Secret, redactor: Redactor) -> None:
        self._api = CanvasApi(address, token, redactor)
        self._course = self._api.course(course)
        self._assignment = self._api.ask(lambda: self._course.get_assignment(assignment))
        self._numbers = course, assignment

    def plan(self, wanted: TargetScores, *, scale: bool, comments: bool = False) -> Plan:
        """Return what would change; with `scale` scores are converted where Canvas counts other points.

        Args:
            comments: Whether a student whom Canvas does not show the comment of these scores is to get it.

        Raises:
            PlatformError: Canvas refused or did not answer.
            UsageError: The assignment cannot take these scores, or the roster says two things of one student.
        """
        points = self._points(wanted, scale)
        users = self._api.ask(lambda: list(self._course.get_users(enrollment_type=["student"])))
        there = self._there(comments)
        course, assignment = self._numbers
        place = f'"{_name(self._assignment)}" ({assignment}) of "{_name(self._course)}" ({course})'
        plan = wanted.plan(f"{NAME}: {place}, {points:f} points")
        if points != wanted.max_score:
            plan.notes.append(f"Scores out of {wanted.max_score:f} are converted to {points:f} points.")
        found, nobody = find_people(users, {student: wanted.people[student] for student in wanted.scores})
        plan.left_out += nobody
        for student, score in wanted.scores.items():
            if (user := found.get(student)) is None:
                continue
            number = identity(user, "id")
            submission = there.get(number)
            if getattr(submission, "excused", False):
                plan.left_out.append(
                    (student, "is excused from this assignment in Canvas; take that back there first.")
                )
                continue
            exact = Fraction(score) * Fraction(points) / Fraction(wanted.max_score)
            score = _rounded(exact, points, PLACES)
            comment = wanted.comments[student] if comments else ""
            missing = "" if _has_comment(submission, comment) else comment
            plan.add_score(student, number, _stored(submission), score, called(user), comment=missing)
        return plan

    def send(self, changes: list[Change], tell: Callable[[str], None] = lambda _: None) -> list[tuple[str, str]]:
        """Send scores, wait for Canvas to store them, and return who does not have theirs then, with the reason.

        Args:
            tell: Whom to tell how far it is, where that takes several requests.

        Raises:
            PlatformError: Canvas refused or did not answer; what it stored before is stored.
        """
        said: list[str] = []
        end = time.monotonic() + LONGEST_WAIT_S
        for start in range(0, len(changes), BATCH):
            some = changes[start : start + BATCH]
            if len(changes) > BATCH:
                tell(f"Sending {start + 1} to {start + len(some)} of {len(changes)} ...")
            send = self._api.tell if any(change.comment for change in some) else self._api.ask
            job = send(partial(self._posted, some))
            if (problem := self._end_of(job, end)) is not None:
                said.append(problem)
            if time.monotonic() > end:
                break
        there = self._there(any(change.comment for change in changes))
        reason = "; ".join(dict.fromkeys(said)) or "Canvas reported no error."
        missing = ((change, _missing(change, there.get(change.user))) for change in changes)
        return [(change.student, f"{reason} {what}") for change, what in missing if what]

    def _posted(self, changes: list[Change]) -> Any:
        data: dict[str, dict[str, str]] = {change.user: {} for change in changes}
        for change in changes:
            if change.score_differs:
                data[change.user]["posted_grade"] = f"{plain(change.after):f}"
            if change.comment:
                data[change.user]["text_comment"] = change.comment
        return self._assignment.submissions_bulk_update(grade_data=data)

    def _end_of(self, job: Any, end: float) -> str | None:
        """Wait for a job until `end` by the monotonic clock; return what went wrong as a sentence, None for nothing."""
        while (state := getattr(job, "workflow_state", None)) not in ("completed", "failed"):
            if state is None:
                return "Canvas did not say what became of the scores."
            if time.monotonic() > end:
                return f"Canvas had not finished its job after {LONGEST_WAIT_S:g} s; push again later."
            time.sleep(POLL_S)
            try:
                job = self._api.ask(job.query)
            except web.PlatformError as problem:
                return f"What became of Canvas's job could not be read. {problem.found}"
        if state == "completed":
            return None
        words = one_line(self._api.redactor.redact(str(getattr(job, "message", None) or "")), web.SHOWN)
        return f"Canvas's job failed: {words.rstrip('.')}." if words else "Canvas's job failed and does not say why."

    def _points(self, wanted: TargetScores, scale: bool) -> Decimal:
        """Return the points that the assignment is worth in Canvas."""
        looked_for = f"The assignment {self._numbers[1]} of Canvas was to get the scores of {wanted.assignment}."
        kind = getattr(self._assignment, "grading_type", "points")
        if kind in UNUSABLE:
            raise UsageError(looked_for, f"It is graded as {kind!r} there.", "Let it be graded by points.")
        of_groups = getattr(self._assignment, "group_category_id", None) is not None
        if of_groups and not getattr(self._assignment, "grade_group_students_individually", False):
            raise UsageError(
                looked_for,
                "It is graded by groups there, so one student's score would become that of the whole group.",
                'Switch on "Assign Grades to Each Student Individually" in Canvas.',
            )
        points = _decimal(getattr(self._assignment, "points_possible", None)) or Decimal(0)
        if points <= 0:
            raise UsageError(looked_for, "It is worth no points there.", "Set its points in Canvas.")
        if points != wanted.max_score and not (scale and wanted.max_score):
            found = f"It is worth {points:f} points there, and {wanted.max_score:f} in the reports."
            raise UsageError(looked_for, found, "Is it the right one? Add --scale to convert the scores.")
        return points

    def _there(self, comments: bool) -> dict[str, Any]:
        """Return what Canvas has, by the user's number."""
        more = {"include": ["submission_comments"]} if comments else {}
        return self._api.ask(lambda: {str(each.user_id): each for each in self._assignment.get_submissions(**more)})


def _name(thing: Any) -> str:
    return str(getattr(thing, "name", None) or "?")


def _stored(submission: Any) -> Decimal | None:
    """Return the score that was entered, before Canvas took anything off for lateness."""
    for field in ("entered_score", "score"):
        value = _decimal(getattr(submission, field, None))
        if value is not None:
            return value
    return None


def _missing(change: Change, submission: Any) -> str:
    """Return a sentence about what a student does not have of what was sent; empty where nothing is missing."""
    if not scores_equal(stored := _stored(submission), change.after, STEP):
        return f"It has {'no score' if stored is None else f'{plain(stored):f}'}."
    return "" if _has_comment(submission, change.comment) else "It does not have the comment."


def _has_comment(submission: Any, comment: str) -> bool:
    """Return whether the newest comment on a submission that begins as this one does is this one.

    It begins with the assignment. What the student wrote does not count, nor how Canvas writes blanks and signs.
    """
    start = comment.partition(":")[0] + ":"
    found = getattr(submission, "submission_comments", None)
    others = [
        _words(each.get("comment"))
        for each in (found if isinstance(found, list) else ())
        if isinstance(each, dict) and each.get("author_id") != submission.user_id
    ]
    ours = [text for text in others if text.startswith(start)]
    return not comment or ours[-1:] == [_words(comment)]


def _words(text: Any) -> str:
    return " ".join(html.unescape(str(text)).split())


def _decimal(value: Any) -> Decimal | None:
    """Return a number that Canvas says, also as a text; None for anything else."""
    try:
        said = Decimal(str(value))
    except ArithmeticError:
        return None
    return said if said.is_finite() else None


def _rounded(score: Decimal | Fraction, maximum: Decimal | Fraction, places: int) -> Decimal:
    """Return a score with so many decimal places, half up, never above the maximum and never full or 0 by rounding.

    The nearest number that the platform keeps; below full points it stays below them, and above 0 above 0, as long as
    there is a step between.
    """
    step = Decimal(1).scaleb(-places)
    steps = Fraction(maximum) / Fraction(step)
    if score >= maximum:
        return step * math.floor(steps)
    if score <= 0:
        return Decimal(0)
    most = math.ceil(steps) - 1  # the last step below all points
    return step * min(max(nearest(Fraction(score) / Fraction(step)), 1), most)
