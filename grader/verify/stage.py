"""Tells a person what `grader verify` does while it does it: a line for each stage, on the standard error."""

import click

from grader.course.layout import Assignment


def tell(assignment: Assignment, words: str) -> None:
    """Say what is done now for an assignment: `01_simple_attention: grading 143 variants`."""
    click.echo(f"{assignment.id}: {words}", err=True)


def counted(number: int, thing: str) -> str:
    """Return a number with its thing: `1 mutant`, `61 mutants`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"
