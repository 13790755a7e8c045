"""`grader appeal` and `grader override`: a student asks for another look, and a teacher decides."""

from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import click

from .options import course_option


def points(context: click.Context, option: click.Parameter, text: str | None) -> Decimal | None:
    """Return a number of points, exact; whether an exercise has so many is asked later."""
    from grader.results.report_json import require_points
    from grader.text import name_shown

    if text is None:
        return None
    try:
        number = Decimal(text)
        require_points(number)
    except (InvalidOperation, ValueError):
        raise click.BadParameter(f"{name_shown(text)} is not a number of points such as 8 or 6.5.") from None
    return number


def words(context: click.Context, option: click.Parameter, text: str) -> str:
    """Return a text on one line, which a student may read."""
    from grader.records.overrides import LONGEST_NAME, LONGEST_REASON
    from grader.text import one_line

    most = LONGEST_NAME if option.name == "by" else LONGEST_REASON
    shown = one_line(text, most + 1)
    if not 0 < len(shown) <= most:
        raise click.BadParameter(f"A text of 1 to {most} characters is asked for.")
    return shown


@click.command()
@click.argument("student", metavar="STUDENT")
@click.argument("assignment", metavar="ASSIGNMENT")
@click.option("--points", callback=points, default=None, metavar="POINTS", help="What counts from now on.")
@click.option("--take-back", is_flag=True, help="Let the graded points count again.")
@click.option("--exercise", default="", metavar="NAME", help="Points of this exercise alone.  [default: of the whole]")
@click.option("--reason", callback=words, required=True, metavar="TEXT", help="Why. The student reads it.")
@click.option("--by", callback=words, required=True, metavar="NAME", help="Who decided. The student reads it.")
@click.option("--output", default="reports", show_default=True, help="The folder that `grader grade` wrote.")
@course_option
def override(
    student: str, assignment: str, points: Decimal | None, take_back: bool, output: str, start: Path, **words: Any
) -> int:
    """Set a student's points by hand, or take that back.

    They count in pages, tables, exports and pushes, also after the class is graded again, until they are taken back.
    The report keeps the graded points, and the journal keeps who set what, when and why. Of several the last counts.

    The student's page says which points were set, by whom and why.
    """
    from grader.course.layout import find_course
    from grader.records.journal_lines import Override
    from grader.records.overrides import set_points
    from grader.submissions.overlap import named_path

    if take_back == (points is not None):
        raise click.UsageError("Give either --points POINTS or --take-back.")
    course = find_course(start)
    asked = Override(student=student, assignment=course.assignment(assignment).id, points=points, at="", **words)
    click.echo(set_points(named_path(output, "--output"), course.secret(), asked))
    click.echo("Make pages, exports and pushes again: those from before do not have it.")
    return 0
