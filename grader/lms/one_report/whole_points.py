"""Platforms that count in whole points: Classroom 50, and the graders of GitHub Actions.

Points of the kit have hundredths, so all are multiplied by the same power of ten. It depends on the assignment alone,
never on a student's answers: every student of an assignment has the same maximum, and whole numbers add up exactly.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from grader.errors import UsageError
from grader.lms.formats import ExportOptions
from grader.lms.visibility import LONGEST, PlatformExercise, PlatformView
from grader.text import sanitise

from .json_text import json_bytes, longest_that_fits

VARIABLES = {
    "classroom": ("CLASSROOM",),
    "assignment": ("ASSIGNMENT",),
    "assignment_type": ("ASSIGNMENT_TYPE",),
    "owner": ("OWNER", "USERNAME"),
    "submission": ("SUBMISSION_TAG",),
    "commit": ("COMMIT_URL",),
    "release": ("RELEASE_URL",),
    "review": ("REVIEW_URL", "COMMIT_URL"),
}
SUBMITTED = "SUBMISSION_TIME"
TYPES = ("individual", "group")
MOST = 9 << 20  # bytes; Classroom 50 takes 10 MiB
SHORT = 200
GITHUB_VERSION = 3  # of the autograding plugins' JSON
GITHUB_OUTPUT = 500  # characters that GitHub shows of a test's output


def classroom50(view: PlatformView, options: ExportOptions) -> bytes:
    """Return Classroom 50's `result.json`; where it all belongs, the platform's runner says in the environment.

    A submission that could not be graded has 0 of 0 points and no tests, as the platform's own errors have; with
    `--failed-as-zero` it has 0 of all points.

    What is graded again later must not look late; so `datetime` is the time of the commit, where the environment says
    it.

    Raises:
        UsageError: The environment does not say whose result it is, or gives a wrong time.
    """
    given = _environment(options.environ)
    commit_time = options.environ.get(SUBMITTED)
    submitted = utc(commit_time) if commit_time else view.now.started
    graded = not view.problem or options.failed_as_zero

    def made(limit: int) -> bytes:
        tests = _tests(view, limit) if graded else []
        document = {
            "schema": "classroom50/result/v1",
            **given,
            "datetime": submitted,
            "graded_at": view.now.started,
            "score": sum(test["score"] for test in tests),
            "max-score": sum(test["max-score"] for test in tests),
            "tests": tests,
        }
        return json_bytes(document)

    return longest_that_fits(made, (LONGEST, SHORT), MOST)


def factor_of(exercises: list[PlatformExercise]) -> int:
    """Return what points are multiplied by so that all of this assignment's are whole numbers: a power of ten.

    An exercise's points are rounded to hundredths, or finer when it is worth less than a tenth (`scoring.points_for`).
    """
    places = 2
    for exercise in exercises:
        places = max(places, _decimal_places(exercise.max_score))
        if exercise.max_score:
            places = max(places, 1 - exercise.max_score.adjusted())
    return int(10**places)


def _decimal_places(points: Decimal) -> int:
    exponent = points.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def utc(text: str) -> str:
    """Return a time of git's as Classroom 50 writes it: in UTC by ISO 8601, with a Z.

    Raises:
        UsageError: It is not a time, or has no zone.
    """
    try:
        time = datetime.fromisoformat(text)
        if time.tzinfo is None:
            raise ValueError("no zone")
        return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        hint = "Take it from `git log -1 --format=%cI`, as in 2026-11-20T19:00:00+09:00."
        raise UsageError("The time of the commit was looked for.", f"{SUBMITTED} is {text!r}.", hint) from None


def _tests(view: PlatformView, limit: int) -> list[dict[str, Any]]:
    factor = factor_of(view.exercises)
    return [
        {
            "test-name": f"{exercise.number} {exercise.title}",
            "passed": exercise.passed,
            "score": _whole(exercise.score, factor),
            "max-score": _whole(exercise.max_score, factor),
            "output": sanitise(exercise.text(view.now.language, limit), 10 * limit),
        }
        for exercise in view.exercises
    ]


def _whole(points: Decimal, factor: int) -> int:
    number = points * factor
    if number != int(number):
        raise UsageError("Whole points were looked for.", f"{points:f} times {factor} is not whole.")
    return int(number)


def _environment(environ: Mapping[str, str]) -> dict[str, str]:
    found = {name: next((environ[key] for key in keys if environ.get(key)), "") for name, keys in VARIABLES.items()}
    kind = found["assignment_type"] = found["assignment_type"] or TYPES[0]
    missing = [VARIABLES[name][0] for name, value in found.items() if not value]
    if missing:
        raise UsageError(
            "Whose result it is was looked for in the environment.",
            f"Not set: {', '.join(missing)}.",
            "Run this in Classroom 50's runner, which sets them.",
        )
    if not found["submission"].startswith("submit/"):
        raise UsageError("A tag of a submission was looked for.", "SUBMISSION_TAG does not begin with submit/.")
    if kind not in TYPES:
        raise UsageError("The kind of assignment was looked for.", f"ASSIGNMENT_TYPE is {kind!r}.", "individual, group")
    return found


def github(view: PlatformView, options: ExportOptions) -> bytes:
    """Return the result that a grader in GitHub Actions hands to its reporter, which reads it in base64.

    The reporter adds up the scores itself, so every test has a number. A submission that could not be graded has the
    status `error`, and 0 on every test: there is no way to say that there is none.
    """
    now = view.now
    factor = 10 ** _decimal_places(now.max_score)
    everything = all(exercise.passed for exercise in view.exercises)
    tests = [
        {
            "name": f"{exercise.number} {exercise.title}",
            "status": "error" if view.problem else "pass" if exercise.passed else "fail",
            "score": exercise.score * factor,
            "message": view.problem or sanitise(exercise.text(now.language), LONGEST),
            "output": sanitise(exercise.text(now.language, 0), GITHUB_OUTPUT),
            "test_code": "",
            "task_id": int(exercise.number),
            "filename": now.submission.graded or "",
            "line_no": 0,
            "duration": round(sum(check.seconds or 0 for check in exercise.checks), 3),
        }
        for exercise in view.exercises
    ]
    return json_bytes(
        {
            "version": GITHUB_VERSION,
            "status": "error" if view.problem else "pass" if everything else "fail",
            "max_score": int(now.max_score * factor),
            **({"message": view.problem} if view.problem else {}),
            "tests": tests,
        }
    )
