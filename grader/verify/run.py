"""Runs the rules over the assignments of a course and prints what is not met."""

import time
from collections.abc import Sequence

import click

from grader.course.layout import Assignment, Course
from grader.verify.mutants import mutants_are_killed
from grader.verify.proven import proven
from grader.verify.rules import Findings, Wishes
from grader.verify.written import everything_said, in_step, nothing_given_away


def verify_course(course: Course, assignments: Sequence[Assignment], wishes: Wishes) -> int:
    """Ask that every rule is met.

    Args:
        course: The course.
        assignments: Those of its assignments that are looked at.
        wishes: How it is to be done.

    Returns:
        0 when every rule is met, 1 when one is not.
    """
    unmet = 0
    for finding in findings(course, assignments, wishes):
        click.echo(finding.told(course.root))
        unmet += 1
        if not wishes.everything:
            break
    if unmet:
        click.echo(
            "The rest was not looked at; --all goes on."
            if not wishes.everything
            else f"{unmet} rules are not met."
            if unmet > 1
            else "1 rule is not met."
        )
        return 1
    click.echo(f"Every rule is met by {len(assignments)} of {len(course.assignments)} assignments.")
    return 0


def findings(course: Course, assignments: Sequence[Assignment], wishes: Wishes) -> Findings:
    """Yield what is not met: first what can be read off the files, then what grading shows."""
    yield from in_step(course)
    for assignment in assignments:
        yield from nothing_given_away(assignment)
        yield from everything_said(assignment)
    for assignment in assignments:
        begun = time.monotonic()
        yield from proven(course, assignment, wishes)
        middle = time.monotonic()
        yield from mutants_are_killed(course, assignment, wishes.jobs)
        spent = f"{middle - begun:.0f} s for its variants, {time.monotonic() - middle:.0f} s for its mutants"
        count = len(assignment.exercises)
        click.echo(f"{assignment.id}: {count} exercise{'' if count == 1 else 's'}, {spent}.")
