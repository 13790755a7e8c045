"""Runs the rules over the assignments of a course and prints what is not met."""

import time
from collections.abc import Sequence

import click

from grader.course.layout import Assignment, Course
from grader.grading import Judge
from grader.text import counted

from .proof_rules import proven
from .rules import Findings, VerifyOptions, print_stage
from .text_rules import (
    everything_said,
    everything_translated,
    examples_are_true,
    in_step,
    nothing_given_away,
)


def verify_course(course: Course, assignments: Sequence[Assignment], options: VerifyOptions, judge: Judge) -> int:
    unmet = 0
    for finding in findings(course, assignments, options, judge):
        click.echo(finding.message(course.root))
        unmet += 1
        if not options.everything:
            break
    where = " and ".join(assignment.id for assignment in assignments)
    only = f" Only the exercise {options.exercise} of {where} was looked at." if options.exercise else ""
    if unmet and not options.everything:
        click.echo(f"The rest was not looked at; --all goes on.{only}")
    elif unmet:
        click.echo(f"{unmet} rules are not met.{only}" if unmet > 1 else f"1 rule is not met.{only}")
    elif only:
        click.echo(f"Every rule is met by what was looked at.{only}")
    else:
        click.echo(f"Every rule is met by {len(assignments)} of {counted(len(course.assignments), 'assignment')}.")
    return 1 if unmet else 0


def findings(course: Course, assignments: Sequence[Assignment], options: VerifyOptions, judge: Judge) -> Findings:
    """Yield what is not met: first what can be read off the files, then what grading shows.

    For one exercise other ones are left aside, and `assignments/`, which is built when it is done.
    """
    if options.exercise is None:
        yield from in_step(course)
    for assignment in assignments:
        exercises = options.exercises(assignment)
        print_stage(assignment, f"reading what is written for {counted(len(exercises), 'exercise')}")
        yield from nothing_given_away(assignment, exercises)
        yield from everything_said(assignment, exercises)
        yield from everything_translated(course, assignment, exercises)
        yield from examples_are_true(assignment, exercises)
    for assignment in assignments:
        begun = time.monotonic()
        yield from proven(course, assignment, options, judge)
        looked_at = counted(len(options.exercises(assignment)), "exercise")
        click.echo(f"{assignment.id}: {looked_at}, {time.monotonic() - begun:.0f} s.")
