"""Pushes scores into Canvas by canvasapi: many in one request, the job that Canvas makes of it watched to its end.

A bulk update of Canvas answers before it has done anything, and a job that fails may have stored half of it. So the
scores are read again afterwards, and what is there is what is reported.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from importlib import import_module
from typing import Any, Final, TypeVar

from grader.errors import UsageError
from grader.lms.roster import Identity
from grader.lms.tables import rounded
from grader.results.scoring import plain
from grader.results.text import name_shown, one_line

from . import web
from .plan import Change, Plan
from .secrets import Hidden, Secret
from .wanted import Wanted

NAME = "Canvas"
BATCH: Final = 100  # scores in one request
POLL_S = 1.0
LONGEST_JOB_S = 600.0
THROTTLED = "Rate Limit Exceeded"  # said with 403 by older versions of Canvas
UNUSABLE = ("pass_fail", "not_graded")
PLACES: Final = 2  # decimal places that Canvas keeps and shows
IDENTITIES: Final = (("canvas_id", "id"), ("sis_id", "sis_user_id"), ("login", "login_id"))  # in the order of weight

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Where:
    """Where scores go.

    Attributes:
        address: Of the institution's Canvas.
        course: The course's number there.
        assignment: The assignment's number there.
    """

    address: str
    course: int
    assignment: int


class Canvas:
    """One assignment in Canvas.

    Args:
        where: Which one.
        token: The access token of somebody who may grade there.
        hidden: What must not be shown.
    """

    def __init__(self, where: Where, token: Secret, hidden: Hidden) -> None:
        self.where = where
        self._hidden = hidden
        hidden.add(token.reveal())
        self._requester = _requester(where.address.rstrip("/"), token)
        self._course = self._ask(lambda: _course(self._requester, where.course))
        self._assignment = self._ask(lambda: self._course.get_assignment(where.assignment))

    def plan(self, wanted: Wanted, *, scale: bool) -> Plan:
        """Return what would change.

        Args:
            wanted: The scores and who gets them.
            scale: Whether scores are converted where Canvas counts other points.

        Raises:
            PlatformError: Canvas refused or did not answer.
            UsageError: The assignment cannot take these scores.
        """
        points = self._points(wanted, scale)
        users = self._ask(lambda: list(self._course.get_users(enrollment_type=["student"])))
        there = self._there()
        plan = wanted.plan(
            f'{NAME}: "{self._assignment.name}" ({self.where.assignment}) of "{self._course.name}"'
            f" ({self.where.course}), {points:f} points"
        )
        if points != wanted.max_score:
            plan.notes.append(f"Scores out of {wanted.max_score:f} are converted to {points:f} points.")
        found = {student: self._found(wanted.people[student], users, plan) for student in wanted.scores}
        for student, score in wanted.scores.items():
            user = found[student]
            if user is None:
                continue
            same = [other for other in found if other != student and found[other] == user]
            submission = there.get(user)
            if same:
                plan.left_out.append((student, f"is also {name_shown(same[0])}: the same student in Canvas."))
            elif getattr(submission, "excused", False):
                plan.left_out.append(
                    (student, "is excused from this assignment in Canvas; take that back there first.")
                )
            else:
                exact = Fraction(score) * Fraction(points) / Fraction(wanted.max_score)
                plan.weigh(student, str(user), _stored(submission), rounded(exact, points, PLACES))
        return plan

    @staticmethod
    def _found(person: Identity, users: list[Any], plan: Plan) -> int | None:
        """Return the number of a student in Canvas; one who is not found is left out of the plan."""
        try:
            return int(_user(person, users).id)
        except UsageError as problem:
            plan.left_out.append((person.student, str(problem)))
            return None

    def send(self, changes: list[Change]) -> list[tuple[str, str]]:
        """Send scores, wait for Canvas to store them, and look whether it did.

        Returns:
            Who does not have the score, with the reason.

        Raises:
            PlatformError: Canvas refused or did not answer; what it stored before is stored.
        """
        said: list[str] = []
        for start in range(0, len(changes), BATCH):
            job = self._ask(partial(self._posted, changes[start : start + BATCH]))
            if (problem := self._end_of(job)) is not None:
                said.append(problem)
        there = self._there()
        reason = "; ".join(said) or "Canvas reported no error, but has another score."
        return [(change.student, reason) for change in changes if not _is_stored(change, there)]

    def _posted(self, changes: list[Change]) -> Any:
        data = {change.user: {"posted_grade": f"{plain(change.after):f}"} for change in changes}
        return self._assignment.submissions_bulk_update(grade_data=data)

    def _end_of(self, job: Any) -> str | None:
        """Wait for a job; return what went wrong, None when nothing did."""
        end = time.monotonic() + LONGEST_JOB_S
        while job.workflow_state not in ("completed", "failed"):
            if time.monotonic() > end:
                return f"Canvas had not finished its job after {LONGEST_JOB_S:g} s; push again later"
            time.sleep(POLL_S)
            job = self._ask(job.query)
        if job.workflow_state == "completed":
            return None
        words = one_line(self._hidden.taken_out(str(getattr(job, "message", None) or "")), web.SHOWN)
        return f"Canvas's job failed: {words}" if words else "Canvas's job failed and does not say why"

    def _points(self, wanted: Wanted, scale: bool) -> Decimal:
        """Return the points that the assignment is worth in Canvas.

        Raises:
            UsageError: It takes no points, or other points than the reports count and nobody asked to convert.
        """
        looked_for = f"The assignment {self.where.assignment} of Canvas was to get the scores of {wanted.assignment}."
        kind = getattr(self._assignment, "grading_type", "points")
        if kind in UNUSABLE:
            raise UsageError(looked_for, f"It is graded as {kind!r} there.", "Let it be graded by points.")
        points = Decimal(str(getattr(self._assignment, "points_possible", None) or 0))
        if points <= 0:
            raise UsageError(looked_for, "It is worth no points there.", "Set its points in Canvas.")
        if points != wanted.max_score and not scale:
            found = f"It is worth {points:f} points there, and {wanted.max_score:f} in the reports."
            raise UsageError(looked_for, found, "Is it the right one? Add --scale to convert the scores.")
        return points

    def _there(self) -> dict[int, Any]:
        """Return what Canvas has, by the user's number."""
        submissions = self._ask(lambda: list(self._assignment.get_submissions()))
        return {submission.user_id: submission for submission in submissions}

    def _ask(self, question: Callable[[], Answer]) -> Answer:
        """Ask Canvas; every failure becomes a sentence without a secret in it.

        Raises:
            PlatformError: Canvas refused or did not answer.
        """
        import requests

        exceptions: Any = import_module("canvasapi.exceptions")  # canvasapi has no types
        codes = {
            exceptions.InvalidAccessToken: 401,
            exceptions.Unauthorized: 401,
            exceptions.Forbidden: 403,
            exceptions.ResourceDoesNotExist: 404,
            exceptions.BadRequest: 400,
            exceptions.Conflict: 409,
            exceptions.UnprocessableEntity: 422,
            exceptions.RateLimitExceeded: 429,
        }
        for remaining in reversed(range(web.TRIES)):
            try:
                return question()
            except exceptions.CanvasException as problem:
                words = str(problem.message)
                if THROTTLED in words and remaining and not isinstance(problem, exceptions.RateLimitExceeded):
                    time.sleep(min(web.PAUSE_S * 2 ** (web.TRIES - remaining), web.LONGEST_PAUSE_S))
                    continue
                status = codes.get(type(problem), self._requester.last_status)
                raise web.refused(NAME, status, words, self._hidden) from None
            except (requests.exceptions.RequestException, ValueError, AttributeError, KeyError, TypeError) as problem:
                if self._requester.last_status >= 400:
                    raise web.refused(NAME, self._requester.last_status, "", self._hidden) from None
                raise web.no_answer(NAME, problem, self._hidden) from None
        raise AssertionError("the last try either returns or raises")


def _requester(address: str, token: Secret) -> Any:
    """Return canvasapi's requester with a patient session in it, which also remembers the last status."""
    base: Any = import_module("canvasapi.requester").Requester

    class Patient(base):  # type: ignore[misc]
        last_status = 0

        def __init__(self) -> None:
            super().__init__(address, token.reveal())
            self._session = web.session()
            self._session.hooks["response"].append(self._remember)

        def _remember(self, response: Any, *_: Any, **__: Any) -> None:
            self.last_status = response.status_code

        def request(self, *args: Any, **kwargs: Any) -> Any:
            self.last_status = 0
            return super().request(*args, **kwargs)

    return Patient()


def _course(requester: Any, number: int) -> Any:
    return import_module("canvasapi.course").Course(requester, requester.request("GET", f"courses/{number}").json())


def _user(person: Identity, users: list[Any]) -> Any:
    """Return the student of the course that the roster names: by Canvas's number, the SIS id, or the login.

    The first identity that the roster gives decides, and no other one that it gives may say somebody else.

    Raises:
        UsageError: There is none, or two, or the roster's identities are not one student's.
    """
    given = [(called, field, getattr(person, called)) for called, field in IDENTITIES if getattr(person, called)]
    if not given:
        raise UsageError("the roster gives neither canvas_id nor sis_id nor login.")
    called, field, value = given[0]
    found = {user.id: user for user in users if _identity(user, field) == value}
    if not found:
        raise UsageError(f"no student of the course in Canvas has the {called} {name_shown(value)}.")
    if len(found) > 1:
        raise UsageError(f"two students of the course have the {called} {name_shown(value)}.")
    (user,) = found.values()
    for other, field, ours in given[1:]:
        theirs = _identity(user, field)
        if theirs and theirs.casefold() != ours.casefold():
            raise UsageError(
                f"the roster's {called} {name_shown(value)} has the {other} {name_shown(theirs)} in Canvas, and"
                f" {name_shown(ours)} in the roster: whose it is, is not clear."
            )
    return user


def _identity(user: Any, field: str) -> str:
    return str(getattr(user, field, None) or "")


def _is_stored(change: Change, there: dict[int, Any]) -> bool:
    stored = _stored(there.get(int(change.user)))
    return stored is not None and abs(stored - change.after) < Decimal(1).scaleb(-PLACES)


def _stored(submission: Any) -> Decimal | None:
    """Return the score that was entered, before Canvas took anything off for lateness."""
    for field in ("entered_score", "score"):
        value = getattr(submission, field, None)
        if value is not None:
            return Decimal(str(value))
    return None
