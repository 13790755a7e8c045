"""`grader grade`: grade a class, a student, an assignment or one file."""

import os
import re
from pathlib import Path
from typing import Any

import click

from grader.limits import KIB, LEAST_MEMORY, MIB, MOST

from .options import PATH, RULES, course_option, rules_options

LIMITS = {
    "check_seconds": ("check_wall_s", "Seconds by the clock that one check may take."),
    "check_cpu_seconds": ("check_cpu_s", "Seconds of processor time that one check may take."),
    "submission_seconds": ("submission_wall_s", "Seconds by the clock for a whole submission."),
    "memory_mib": ("memory_bytes", "MiB of memory above what an idle worker uses."),
    "output_kib": ("output_bytes", "KiB of printed text that are kept of one check."),
}
UNITS = {"memory_mib": MIB, "output_kib": KIB}
SHARD = re.compile(r"([1-9][0-9]{0,8})/([1-9][0-9]{0,8})")


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


def shard_of(text: str) -> tuple[int, int]:
    """Return the part of a class that `--shard` names, such as `2/5`."""
    found = SHARD.fullmatch(text)
    if found is None or int(found[1]) > int(found[2]):
        from grader.errors import UsageError
        from grader.text import name_shown

        hint = "Write --shard I/N with I from 1 to N: --shard 2/5 is the second of five parts."
        raise UsageError("The part of a class was looked for.", f"--shard is {name_shown(text)}.", hint)
    return int(found[1]), int(found[2])


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
@click.option("--language", type=click.Choice(["en", "ko"]), default=None, help="Of what students read.")
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
@rules_options
@click.option("--shard", default=None, metavar="I/N", help="Only part I of N of the class; `grader merge` joins them.")
@click.option("--check", "check_id", default=None, metavar="ID", help="Repeat one check and show it; writes nothing.")
@click.option("--scheduler", default=None, metavar="ADDRESS", help="Grade on the nodes of this scheduler of Dask.")
@click.option("--cluster", type=click.Choice(["slurm"]), default=None, help="Grade on nodes that it is asked for.")
@click.option(
    "--nodes", type=click.IntRange(1, 10_000), default=None, help="How many nodes --cluster asks for.  [default: 1]"
)
@limit_options
def grade(paths: tuple[Path, ...], **options: Any) -> int:
    """Grade submissions and write a report for each.

    PATH is a class (<student>/<assignment>/<file>, or with --assignment <student>/<file>); with --from the download of
    canvas, moodle, gradescope, brightspace, blackboard, nbgrader or a layout of course.toml, as a folder or a zip file;
    with --student one student's folder or file.

    Ends with 0 when everything was graded, whatever the scores; with 1 when some submission could not be graded; with
    2 for wrong use or a broken course; with 3 when student code cannot be shut in on this machine.
    """
    from grader.grading import ClassRun, GradeOptions, Judge, run_and_show
    from grader.grading.options import ONE_THREAD

    os.environ.update(ONE_THREAD)
    if options["scheduler"] is not None and options["cluster"] is not None:
        raise click.UsageError("--scheduler names nodes that are there, --cluster asks for new ones: give one of them.")
    if options["unsafe_no_isolation"] and options["isolation"] != "auto":
        raise click.UsageError(
            f"--unsafe-no-isolation runs student code without a jail, --isolation {options['isolation']} asks for one: "
            "give one of them."
        )
    if options["nodes"] is not None and options["cluster"] is None:
        raise click.UsageError("--nodes says how many nodes --cluster asks for, but --cluster is not given.")
    if options["check_id"] is not None and (options["scheduler"] or options["cluster"] or options["shard"]):
        raise click.UsageError(
            "--check repeats one check on this machine: leave --scheduler, --cluster and --shard out."
        )
    for name in ("pages", *RULES):
        if options["check_id"] is not None and options[name]:
            raise click.UsageError(f"--check repeats one check and writes nothing: leave --{name} out.")
        if options["shard"] is not None and options[name] and name in RULES:
            raise click.UsageError(f"--{name} is about a whole class: give it to `grader apply` after `grader merge`.")
    as_given = (
        "output", "assignment", "student", "layout", "jobs", "device",
        "language", "raw", "fresh", "scheduler", "cluster",
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
        shard=None if options["shard"] is None else shard_of(options["shard"]),
        nodes=options["nodes"] or 1,
        **{name: options[name] for name in (*as_given, *RULES)},
    )
    if options["check_id"] is not None:
        from grader.grading.one_check import repeat_check

        return repeat_check(grade_options, options["check_id"])
    judge: Judge = ClassRun.in_jails
    if grade_options.elsewhere:
        from grader.cluster.engine import grade_on_nodes

        judge = grade_on_nodes
    code = run_and_show(grade_options, judge)
    if options["pages"]:
        from .report import make_pages

        code = max(code, make_pages(grade_options.output))
    return code
