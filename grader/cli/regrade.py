"""`grader appeal` and `grader override`: a student asks for another look, and a teacher decides."""

from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import click

from .options import PATH, course_option


def points(context: click.Context, option: click.Parameter, text: str | None) -> Decimal | None:
    """Return a number of points, exact; whether the exercise has that many is checked later."""
    from grader.results.report_json import require_points
    from grader.results.scoring import plain
    from grader.text import name_shown

    if text is None:
        return None
    try:
        number = Decimal(text)
        require_points(number)
        return plain(number)
    except (InvalidOperation, ValueError):
        raise click.BadParameter(f"{name_shown(text)} is not a number of points such as 8 or 6.5.") from None


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
@click.argument("paths", nargs=-1, required=True, type=PATH, metavar="PATH...")
@click.option("--check", required=True, metavar="ID", help="The check that is asked about, as the report calls it.")
@click.option("--output", type=PATH, default="reports", show_default=True, help="The folder that `grader grade` wrote.")
@click.option("--from", "layout", default=None, metavar="NAME", help="As it was given to `grader grade`.")
@course_option
def appeal(
    student: str, assignment: str, paths: tuple[Path, ...], check: str, output: Path, layout: str | None, start: Path
) -> int:
    """Run one check of a student's report again and show everything of it on a page for the teacher.

    PATH is what was given to `grader grade`. The inputs are those of the report; submission and suite are today's. The
    page shows each call with its inputs, the student's answer and the expected one, also of a hidden check: it is for
    the teacher, and no student should get it. No report and no score is changed; `grader override` does that.

    Ends with 0 when the check was run, whatever its verdict; with 1 when the submission cannot be graded; with 2 for
    wrong use; with 3 when student code cannot be shut in on this machine.
    """
    import os

    from grader.grading.appeal import appeal_check
    from grader.grading.options import ONE_THREAD, GradeOptions

    os.environ.update(ONE_THREAD)
    options = GradeOptions([*paths], output, start, layout=layout, jobs=1)
    return appeal_check(options, student, assignment, check)


@click.command()
@click.argument("student", metavar="STUDENT")
@click.argument("assignment", metavar="ASSIGNMENT")
@click.option("--points", callback=points, default=None, metavar="POINTS", help="What counts from now on.")
@click.option("--take-back", is_flag=True, help="Let the graded points count again.")
@click.option("--exercise", default="", metavar="NAME", help="Points of this exercise alone.  [default: of the whole]")
@click.option("--reason", callback=words, required=True, metavar="TEXT", help="Why. The student reads it.")
@click.option("--by", callback=words, required=True, metavar="NAME", help="Who decided. The student reads it.")
@click.option("--output", type=PATH, default="reports", show_default=True, help="The folder that `grader grade` wrote.")
@course_option
def override(
    student: str, assignment: str, points: Decimal | None, take_back: bool, output: Path, start: Path, **words: Any
) -> int:
    """Set a student's points by hand, or take that back.

    They count in pages, tables, exports and pushes, also after the class is graded again, until they are taken back;
    where the course's rules were applied, after the next `grader apply`.
    The report keeps the graded points, and the journal keeps who set what, when and why. Of several the last counts.

    The student's page says which points were set, by whom and why.
    """
    from grader.course.layout import find_course
    from grader.gradebook.current import NAME
    from grader.records.journal_lines import Override
    from grader.records.overrides import set_points

    if take_back == (points is not None):
        raise click.UsageError("Give either --points POINTS or --take-back.")
    course = find_course(start)
    asked = Override(student=student, assignment=course.assignment(assignment).id, points=points, at="", **words)
    click.echo(set_points(output, course.secret(), asked))
    if (output / NAME).exists():
        click.echo("Give `grader apply`, which works out what counts, before you make pages, exports and pushes.")
    else:
        click.echo("Make pages, exports and pushes again: those from before do not have it.")
    return 0
