"""`grader cluster grade`: grade a class on the nodes of a Dask cluster."""

import click

from .grade import grade, grade_class
from .options import Common


@click.group()
def cluster() -> None:
    """Grade on many machines by Dask (an extra: attention-grader[cluster])."""


@cluster.command("grade", context_settings={"ignore_unknown_options": True})
@click.argument(
    "arguments", nargs=-1, required=True, type=click.UNPROCESSED, metavar="PATH... [OPTIONS OF grader grade]"
)
@click.option(
    "--on",
    "where",
    default="local",
    show_default=True,
    metavar="CLUSTER",
    help="local, the address of a scheduler, or a class of dask-jobqueue such as SLURMCluster.",
)
@click.option("--nodes", type=click.IntRange(1, 10_000), help="How many nodes a cluster is asked for.")
@click.pass_context
def cluster_grade(context: click.Context, arguments: tuple[str, ...], where: str, nodes: int | None) -> int:
    """Grade submissions as `grader grade` does, on the nodes of a cluster; the reports are the same.

    Paths and options are those of `grader grade`.
    """
    from functools import partial

    from grader.cluster.judge import grade_on, nodes_of

    options = grade.make_context("grade", [*arguments], parent=context).params
    with nodes_of(where, nodes) as client:
        return grade_class(context.ensure_object(Common), options, partial(grade_on, client), on_nodes=True)
