"""`grader verify`: prove the suites of a course before it is released."""

import os
from typing import Any

import click

from .options import Common, pass_common

SECRET = "grader verify draws the same inputs for the same sources"
"""What inputs are drawn from, unless GRADER_SECRET is set; nobody else's grade depends on it."""


@click.command(name="verify")
@click.option("--assignment", metavar="ID", help="Verify this assignment only.")
@click.option("--exercise", metavar="NAME", help="Look at this exercise only, with or without --assignment.")
@click.option("--jobs", type=click.IntRange(1, 512), help="Submissions at once.  [default: the cores]")
@click.option("--all", "everything", is_flag=True, help="Print every unmet rule, not only the first.")
@click.option(
    "--secrets",
    type=click.IntRange(0),
    default=0,
    help="Grade again with this many other secrets and orders of the checks.",
)
@pass_common
def verify(common: Common, /, assignment: str | None, exercise: str | None, **options: Any) -> int:
    """Prove the suites of a course: by the solution, the stub, right variants, mistakes and mutants.

    Ends with 0 when every rule is met and with 1 after printing the first that is not, with its file and exercise. The
    same sources give the same result. It prints each stage on the standard error.
    """
    from grader.grading.options import ONE_THREAD

    os.environ.update(ONE_THREAD)
    from grader.course.content.settings import SECRET_VARIABLE, drawn_from
    from grader.course.layout import find_course
    from grader.verify.rules import VerifyOptions, chosen
    from grader.verify.trial import one_jail

    course = find_course(common.course)
    verify_options = VerifyOptions(exercise=exercise, **options)
    assignments = chosen(course, assignment, exercise)
    with drawn_from(os.environ.get(SECRET_VARIABLE) or SECRET), one_jail(course, verify_options.jobs) as judge:
        from grader.verify.verify_course import verify_course

        return verify_course(course, assignments, verify_options, judge)
