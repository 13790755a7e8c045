"""`grader grade`: grade a class, a student, an assignment or one file."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.language import LANGUAGES
from grader.limits import KIB, LEAST_MEMORY, MIB, MOST

from .options import PATH, course_option

if TYPE_CHECKING:
    from grader.grading import Judge

LIMITS = {
    "check_seconds": ("check_wall_s", "Seconds by the clock that one check may take."),
    "check_cpu_seconds": ("check_cpu_s", "Seconds of processor time that one check may take."),
    "submission_seconds": ("submission_wall_s", "Seconds by the clock for a whole submission."),
    "memory_mib": ("memory_bytes", "MiB of memory above what an idle worker uses."),
    "output_kib": ("output_bytes", "KiB of printed text that are kept of one check."),
}
UNITS = {"memory_mib": MIB, "output_kib": KIB}


class Seconds(click.FloatRange):
    """A number of seconds; `nan` passes every comparison and is not a number."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return number


def limit_options(command: Any) -> Any:
    """Add an option for each limit that an operator may want to set."""
    for name, (field, text) in reversed(LIMITS.items()):
        unit = UNITS.get(name)
        least = LEAST_MEMORY // MIB if name == "memory_mib" else 1
        kind = click.IntRange(least, int(MOST[field]) // unit) if unit else Seconds(0, MOST[field], min_open=True)
        command = click.option("--" + name.replace("_", "-"), type=kind, default=None, help=text)(command)
    return command


@click.command()
@click.argument("paths", nargs=-1, required=True, type=PATH, metavar="PATH...")
@click.option("--output", type=PATH, default="reports", show_default=True, help="Where the reports are written.")
@click.option("--assignment", default=None, metavar="ID", help="Which assignment it is, where the path does not say.")
@click.option("--student", default=None, metavar="ID", help="Whose file it is, where the path does not say.")
@click.option("--layout", default=None, metavar="NAME", help="Which platform packed PATH, where its names do not say.")
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
@click.option("--pages", is_flag=True, help="Make pages of the reports, as `grader report` does.")
@click.option("--check", "check_id", default=None, metavar="ID", help="Repeat one check and show it; writes nothing.")
@limit_options
def grade(paths: tuple[Path, ...], **options: Any) -> int:
    """Grade submissions and write a report for each.

    PATH is a platform's download of all submissions, a class (<student>/<assignment>/<file>), one student's folder,
    one assignment's folder, a zip file of any of these, or one .py or .ipynb file.

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
    if options["check_id"] is not None and options["pages"]:
        raise click.UsageError("--check repeats one check and writes nothing: leave --pages out.")
    as_given = (
        "output", "assignment", "student", "layout", "jobs", "device",
        "language", "raw", "fresh",
    )  # fmt: skip
    grade_options = GradeOptions(
        paths=paths,
        course=options["start"],
        tier="none" if options["unsafe_no_isolation"] else options["isolation"],
        limits={
            field: options[name] * UNITS.get(name, 1)
            for name, (field, _) in LIMITS.items()
            if options[name] is not None
        },
        on_nodes=options.get("on_nodes", False),
        **{name: options[name] for name in as_given},
    )
    if options["check_id"] is not None:
        from grader.grading.one_check import repeat_check

        return repeat_check(grade_options, options["check_id"])
    code = run_and_show(grade_options, judge)
    if options["pages"]:
        from .report import make_pages

        code = max(code, make_pages(grade_options.output))
    return code
