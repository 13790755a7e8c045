"""`grader grade`: grade a class, a student, an assignment or one file."""

import os
from typing import TYPE_CHECKING, Any

import click

from .options import PATH, Common, pass_common

if TYPE_CHECKING:
    from grader.grading import Judge


@click.command()
@click.argument("paths", nargs=-1, required=True, type=PATH, metavar="PATH...")
@click.option("--output", type=PATH, default="reports", show_default=True, help="Where the reports are written.")
@click.option("--assignment", metavar="ID", help="The assignment: of a download, or of <student>/<file>.")
@click.option("--student", metavar="ID", help="Whose PATH is, where it is one student's work.")
@click.option("--from", "layout", metavar="NAME", help="Whose download PATH is: canvas, moodle, ...")
@click.option("--jobs", type=click.IntRange(1, 512), help="Submissions at once.  [default: the cores]")
@click.option(
    "--device",
    type=click.Choice(["cpu", "cuda", "pretended", "auto"]),
    help="Where student code computes.  [default: the course's, else cpu]",
)
@click.option(
    "--isolation",
    "tier",
    type=click.Choice(["auto", "namespaces", "landlock", "no-open", "none"]),
    default="auto",
    show_default=True,
    help="The tier to use; auto takes the strongest that is proven. UNSAFE: none runs student code without a jail, so "
    "that it can read the answers; every report says so.",
)
@click.option("--keep-raw", "raw", type=PATH, metavar="DIR", help="Keep pytest-json-report's raw reports there.")
@click.option("--fresh", is_flag=True, help="Grade everything, also what was graded before and has not changed.")
@click.option("--new-class", is_flag=True, help="Set aside what earlier runs wrote into the folder, and begin again.")
@click.option("--no-pages", is_flag=True, help="Make no pages of the reports; `grader pages` makes them later.")
@pass_common
def grade(common: Common, /, **options: Any) -> int:
    """Grade submissions and write a report for each, and a page of it for students.

    PATH is a class (<student>/<assignment>/<file>, or with --assignment <student>/<file>); with --from the download of
    canvas, moodle, gradescope, brightspace, blackboard, nbgrader or a layout of course.toml, as a folder or a zip file;
    with --student one student's folder or file. The reports are in --language, which stands before the command.

    Ends with 0 when everything was graded, whatever the scores; with 1 when some submission could not be graded; with
    2 for wrong use or a broken course; with 3 when student code cannot be shut in on this machine.
    """
    from grader.grading import ClassRun

    return grade_class(common, options, ClassRun.in_jails)


def grade_class(common: Common, options: dict[str, Any], judge: "Judge", *, on_nodes: bool = False) -> int:
    """Grade as the options of the command line say, with verdicts from a judge, and return the exit code."""
    from grader.grading import GradeOptions, run_and_show
    from grader.grading.options import ONE_THREAD

    os.environ.update(ONE_THREAD)
    no_pages = options.pop("no_pages")
    grade_options = GradeOptions(course=common.course, language=common.language, on_nodes=on_nodes, **options)
    code = run_and_show(grade_options, judge)
    if not no_pages:
        from .pages import make_pages

        code = max(code, make_pages(grade_options.output).code)
    return code
