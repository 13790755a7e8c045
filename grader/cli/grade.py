"""`grader grade`: grade a class, a student, an assignment or one file."""

import os
from pathlib import Path
from typing import Any

import click

from .options import PATH, course_option


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
@click.option("--new-class", is_flag=True, help="Set aside what earlier runs wrote into the folder, and begin again.")
@click.option("--pages", is_flag=True, help="Make pages of the reports, as `grader report` does.")
@click.option("--scheduler", default=None, metavar="ADDRESS", help="Grade on the nodes of this scheduler of Dask.")
@click.option("--cluster", type=click.Choice(["slurm"]), default=None, help="Grade on nodes that it is asked for.")
@click.option(
    "--nodes", type=click.IntRange(1, 10_000), default=None, help="How many nodes --cluster asks for.  [default: 1]"
)
def grade(paths: tuple[Path, ...], **options: Any) -> int:
    """Grade submissions and write a report for each.

    PATH is a platform's download of all submissions, a class (<student>/<assignment>/<file>), one student's folder,
    one assignment's folder, a zip file of any of these, or one .py or .ipynb file.

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
    as_given = (
        "output", "assignment", "student", "layout", "jobs", "device",
        "language", "raw", "fresh", "new_class", "scheduler", "cluster",
    )  # fmt: skip
    grade_options = GradeOptions(
        paths=paths,
        course=options["start"],
        tier="none" if options["unsafe_no_isolation"] else options["isolation"],
        nodes=options["nodes"] or 1,
        **{name: options[name] for name in as_given},
    )
    judge: Judge = ClassRun.in_jails
    if grade_options.elsewhere:
        from grader.cluster.engine import grade_on_nodes

        judge = grade_on_nodes
    code = run_and_show(grade_options, judge)
    if options["pages"]:
        from .report import make_pages

        code = max(code, make_pages(grade_options.output))
    return code
