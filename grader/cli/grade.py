"""`grader grade`: grade a class, a student, an assignment or one file."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.language import LANGUAGES

from .options import PATH, course_option

if TYPE_CHECKING:
    from grader.grading import Judge


@click.command()
@click.argument("paths", nargs=-1, required=True, type=PATH, metavar="PATH...")
@click.option("--output", type=PATH, default="reports", show_default=True, help="Where the reports are written.")
@click.option("--assignment", default=None, metavar="ID", help="The assignment: of a download, or of <student>/<file>.")
@click.option("--student", default=None, metavar="ID", help="Whose PATH is, where it is one student's work.")
@click.option("--from", "layout", default=None, metavar="NAME", help="Whose download PATH is: canvas, moodle, ...")
@click.option("--jobs", type=click.IntRange(1, 512), default=None, help="Submissions at once.  [default: the cores]")
@click.option(
    "--device",
    type=click.Choice(["cpu", "cuda", "pretended", "mps", "auto"]),
    default=None,
    help="Where student code computes.  [default: the course's, else cpu]",
)
@course_option
@click.option("--language", type=click.Choice(LANGUAGES), help="Of the reports' sentences.  [default: the course's]")
@click.option(
    "--isolation",
    type=click.Choice(["auto", "namespaces", "landlock", "no-open"]),
    default="auto",
    show_default=True,
    help="The tier to use; auto takes the strongest that is proven.",
)
@click.option(
    "--unsafe-no-isolation",
    is_flag=True,
    help="Run student code WITHOUT a jail: it can read the answers. Every report says so.",
)
@click.option("--keep-raw", "raw", type=PATH, metavar="DIR", help="Keep pytest-json-report's raw reports there.")
@click.option("--fresh", is_flag=True, help="Grade everything, also what was graded before and has not changed.")
@click.option("--new-class", is_flag=True, help="Set aside what earlier runs wrote into the folder, and begin again.")
@click.option("--pages", is_flag=True, help="Make pages of the reports, as `grader report` does.")
def grade(paths: tuple[Path, ...], **options: Any) -> int:
    """Grade submissions and write a report for each.

    PATH is a class (<student>/<assignment>/<file>, or with --assignment <student>/<file>); with --from the download of
    canvas, moodle, gradescope, brightspace, blackboard, nbgrader or a layout of course.toml, as a folder or a zip file;
    with --student one student's folder or file.

    Ends with 0 when everything was graded, whatever the scores; with 1 when some submission could not be graded; with
    2 for wrong use or a broken course; with 3 when student code cannot be shut in on this machine.
    """
    from grader.grading import ClassRun

    return grade_class(paths, options, ClassRun.in_jails)


def grade_class(paths: tuple[Path, ...], options: dict[str, Any], judge: "Judge") -> int:
    """Grade as the options of the command line say, with verdicts from a judge, and return the exit code."""
    from grader.grading import GradeOptions, run_and_show
    from grader.grading.options import ONE_THREAD

    os.environ.update(ONE_THREAD)
    if options["unsafe_no_isolation"] and options["isolation"] != "auto":
        raise click.UsageError(
            f"--unsafe-no-isolation runs student code without a jail, --isolation {options['isolation']} asks for one: "
            "give one of them."
        )
    as_given = (
        "output", "assignment", "student", "layout", "jobs", "device",
        "language", "raw", "fresh", "new_class",
    )  # fmt: skip
    grade_options = GradeOptions(
        paths=paths,
        course=options["start"],
        tier="none" if options["unsafe_no_isolation"] else options["isolation"],
        on_nodes=options.get("on_nodes", False),
        **{name: options[name] for name in as_given},
    )
    code = run_and_show(grade_options, judge)
    if options["pages"]:
        from .report import make_pages

        code = max(code, make_pages(grade_options.output))
    return code
