"""Prints what `grader verify` is doing: a line for each stage, on the standard error."""

import click

from grader.course.layout import Assignment


def print_stage(assignment: Assignment, words: str) -> None:
    """Print what is done now for an assignment: `01_simple_attention: grading 143 variants`."""
    click.echo(f"{assignment.id}: {words}", err=True)
