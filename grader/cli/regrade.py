"""`grader appeal`: a student asks for another look."""

from pathlib import Path

import click

from .options import PATH, course_option


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
    the teacher, and no student should get it. No report and no score is changed.

    Ends with 0 when the check was run, whatever its verdict; with 1 when the submission cannot be graded; with 2 for
    wrong use; with 3 when student code cannot be shut in on this machine.
    """
    import os

    from grader.grading.appeal import appeal_check
    from grader.grading.options import ONE_THREAD, GradeOptions

    os.environ.update(ONE_THREAD)
    options = GradeOptions([*paths], output, start, layout=layout, jobs=1)
    return appeal_check(options, student, assignment, check)
