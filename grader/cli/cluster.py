"""`grader cluster grade`: grade a class on the nodes of a Dask cluster."""

from pathlib import Path
from typing import Any

import click

from .grade import grade, grade_class


@click.group()
def cluster() -> None:
    """Grade on many machines by Dask (an extra: attention-grader[cluster])."""


@cluster.command("grade", params=[*grade.params])
@click.option(
    "--on",
    "where",
    default="local",
    show_default=True,
    metavar="CLUSTER",
    help="local, the address of a scheduler, or a class of dask-jobqueue such as SLURMCluster.",
)
@click.option("--nodes", type=click.IntRange(1, 10_000), default=None, help="How many nodes a cluster is asked for.")
def cluster_grade(paths: tuple[Path, ...], where: str, nodes: int | None, **options: Any) -> int:
    """Grade submissions as `grader grade` does, on the nodes of a cluster; the reports are the same."""
    from functools import partial

    from grader.cluster.judge import grade_on, nodes_of

    with nodes_of(where, nodes) as client:
        return grade_class(paths, {**options, "on_nodes": True}, partial(grade_on, client))
