"""Asks that verdicts hang on the answer alone: not on the drawn inputs and not on the order of the checks."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from grader.course.layout import Assignment, Course
from grader.course.settings import SECRET_VARIABLE
from grader.verify.rules import Findings, Unmet, hidden_suite
from grader.verify.trial import Trial, grade_texts


def steady(
    course: Course, assignment: Assignment, texts: Mapping[str, str], first: Trial, secrets: int, jobs: int | None
) -> Findings:
    """Grade the same texts under other secrets, each time in another order, and ask for the same verdicts.

    Args:
        course: The course.
        assignment: Whose suite is looked at.
        texts: The submissions by name.
        first: What they came to under the course's own secret.
        secrets: How many other secrets are tried.
        jobs: How many submissions at once.
    """
    for number in range(secrets):
        with secret(f"grader verify, secret number {number}"):
            again = grade_texts(course, assignment, texts, jobs, shuffle=number)
        for name in texts:
            before, after = verdicts(first, name), verdicts(again, name)
            for check in sorted(before):
                if before[check] != after[check]:
                    exercise = check.partition(".")[0]
                    rule = f"The verdict of `{check}` must hang on the answer alone."
                    found = f"On {name} it is {before[check]}, and with other inputs in another order {after[check]}."
                    yield Unmet(rule, hidden_suite(assignment, exercise), exercise, found)


def verdicts(trial: Trial, name: str) -> dict[str, str]:
    """Return the status of every check of a submission."""
    return {check["id"]: check["status"] for each in trial.reports[name]["exercises"] for check in each["checks"]}


@contextmanager
def secret(value: str) -> Iterator[None]:
    """Let the course draw its inputs from another secret for a while."""
    before = os.environ.get(SECRET_VARIABLE)
    os.environ[SECRET_VARIABLE] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[SECRET_VARIABLE]
        else:
            os.environ[SECRET_VARIABLE] = before
