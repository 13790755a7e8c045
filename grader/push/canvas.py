"""Asks Canvas what it has and sends scores to it, by canvasapi.

A bulk update answers before it has done anything: Canvas makes a job of it, and a job that fails may have stored half.
To send a score twice does no harm. The token goes into one header, and no error's own text is shown.
"""

import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from functools import partial

from grader.errors import GraderError, UsageError
from grader.results.grades import Grade
from grader.text import name_shown, one_line

from .plan import Change, Student

ADDRESS = re.compile(
    r"(https://[^/@\s]+|http://(?:localhost|127\.0\.0\.1)(?::\d+)?)/courses/(\d+)/assignments/(\d+)(?:[/?#]\S*)?"
)
TOKEN = re.compile(r"[!-~]+")
TIMEOUT_S = 60.0
POLL_S, MOST_POLLS = 1.0, 600
AGAIN = "Look at the address, the token and its rights, or give the command again later: nothing is sent twice."
UNUSABLE = ("pass_fail", "not_graded", "letter_grade", "gpa_scale")  # a grade of the last two may be called "4"
FIELDS = {"canvas_id": "id", "sis_id": "sis_user_id", "login": "login_id", "email": "email"}


@contextmanager
def _faults() -> Iterator[None]:
    """Turn what Canvas refuses, and answers of another form, into a GraderError."""
    import requests

    try:
        yield
    except (requests.RequestException, AttributeError, KeyError, TypeError) as problem:
        status = getattr(getattr(problem, "response", None), "status_code", 0)
        failed = f"refused a request ({status})" if status else f"gave no usable answer ({type(problem).__name__})"
        raise GraderError(f"Canvas {failed}.", hint=AGAIN) from None


class Canvas:
    """An assignment of a course in Canvas; a GraderError, here and in each method, says that Canvas refused."""

    def __init__(self, address: str) -> None:
        from canvasapi.course import Course
        from canvasapi.requester import Requester

        place, token = ADDRESS.fullmatch(address.strip()), os.environ.get("CANVAS_API_TOKEN", "").strip()
        if place is None:
            hint = "Copy it from your browser: https://canvas.example.edu/courses/12/assignments/4711."
            raise UsageError("--to is not the address of an assignment in Canvas.", hint=hint)
        if TOKEN.fullmatch(token) is None:
            hint = "Make one in Canvas under Account, Settings, New Access Token; there is no option for it."
            raise UsageError("The variable CANVAS_API_TOKEN is not set, or not as it must be.", hint=hint)
        host, course, assignment = place.groups()
        requester = Requester(host, token)
        session = requester._session  # canvasapi has no options for what follows
        session.request = partial(session.request, timeout=TIMEOUT_S)
        session.auth = lambda request: request  # or an entry of ~/.netrc would take the place of the token
        session.hooks["response"].append(lambda response, *_, **__: response.raise_for_status())
        with _faults():
            self._course = Course(requester, requester.request("GET", f"courses/{course}").json())
            self._assignment = self._course.get_assignment(int(assignment))

    @property
    def title(self) -> str:
        """What it is, for a person who compares."""
        name, course = (name_shown(vars(thing).get("name") or "?") for thing in (self._assignment, self._course))
        return f"{name} of {course}"

    def refuse_unfit(self, grades: Sequence[Grade]) -> None:
        """Raise a UsageError where the assignment cannot take these scores."""
        fields, hint = vars(self._assignment), "Change that in Canvas, or take another assignment."
        points, maxima = Decimal(str(fields.get("points_possible") or 0)), {grade.max for grade in grades}
        if (kind := fields.get("grading_type")) in UNUSABLE:
            raise UsageError(f"The assignment in Canvas is graded by {kind} and not by points.", hint=hint)
        if fields.get("published") is False:
            raise UsageError("The assignment in Canvas is not published, and takes no scores before.", hint=hint)
        if fields.get("group_category_id") and not fields.get("grade_group_students_individually"):
            raise UsageError("The assignment in Canvas gives one student's score to the whole group.", hint=hint)
        if fields.get("anonymize_students"):
            raise UsageError("The assignment in Canvas is graded anonymously, so nobody can be matched.", hint=hint)
        if maxima != {points}:
            ours = " and ".join(map(str, sorted(maxima)))
            raise UsageError(f"The assignment is worth {float(points):g} points in Canvas, but {ours} here.", hint=hint)

    @_faults()
    def students(self) -> list[Student]:
        """Return the students of the course, and what Canvas has for them in the assignment."""
        users = list(self._course.get_users(enrollment_type=["student"], include=["email"]))
        submissions = {str(submission.user_id): vars(submission) for submission in self._assignment.get_submissions()}
        students = {}
        for user in map(vars, users):
            ids = {kind: str(user[field]) for kind, field in FIELDS.items() if user.get(field) is not None}
            has = submissions.get(ids["canvas_id"], {})
            entered = has.get("entered_score", has.get("score"))  # before and after what Canvas takes off for lateness
            score = None if entered is None else Decimal(str(entered))
            students[ids["canvas_id"]] = Student(user.get("name") or "?", ids, score, bool(has.get("excused")))
        return list(students.values())

    @_faults()
    def send(self, changes: Sequence[Change]) -> str:
        """Send scores and wait until Canvas has stored them; return what it says of those that it has not."""
        data = {change.student.ids["canvas_id"]: {"posted_grade": f"{change.score:f}"} for change in changes}
        job = self._assignment.submissions_bulk_update(grade_data=data)
        for _ in range(MOST_POLLS):
            if job.workflow_state in ("completed", "failed"):
                return one_line(job.message or "")
            time.sleep(POLL_S)
            job = job.query()
        raise GraderError(f"Canvas has not finished its job after {MOST_POLLS * POLL_S:g} s.", hint=AGAIN)
