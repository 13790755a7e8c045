"""Has the submissions of a run graded by the nodes of a Dask cluster: one task a batch, entered as they come back.

Dask decides which node gets which batch, and has the batch of a lost node done again. A batch that node after node dies
of is sent again one submission at a time, so that the one at fault is found and all others get their reports.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

import msgspec

from grader.course.layout import Assignment
from grader.errors import UsageError
from grader.grading.options import utc_now
from grader.language import translation
from grader.results.assemble import Outcome
from grader.results.sentences import MACHINES_ENDED
from grader.submissions.submission import Submission

from .batches import Answer, Batch, conditions, grade_batch

if TYPE_CHECKING:
    from grader.grading import ClassRun

BATCH = 40  # submissions: some seconds' work, beside the seconds that torch, the jail and the solution take
CONNECT_S = 30.0


@contextmanager
def nodes_of(where: str, nodes: int | None) -> Iterator[Any]:
    """Give a client of a cluster, which is closed at the end.

    Args:
        where: `local` for processes of this machine, the address of a scheduler, or the name of one of dask-jobqueue's
            classes, such as `SLURMCluster`, which is set up by Dask's configuration.
        nodes: How many nodes a cluster is asked for; None for its own default.

    Raises:
        UsageError: There is no such cluster, or no scheduler answers.
    """
    distributed: Any = import_module("distributed")
    with ExitStack() as stack:
        try:
            cluster: Any = where
            if where == "local":
                started = distributed.LocalCluster(n_workers=nodes, threads_per_worker=1, dashboard_address=":0")
                cluster = stack.enter_context(started)
            elif ":" not in where:
                cluster = stack.enter_context(getattr(import_module("dask_jobqueue"), where)())
                cluster.scale(jobs=nodes or 1)
            client = stack.enter_context(distributed.Client(cluster, timeout=CONNECT_S, set_as_default=False))
        except (ImportError, AttributeError, OSError, TimeoutError, ValueError, RuntimeError) as error:
            hint = "Name `local`, the address of a running scheduler (tcp://host:8786) or a class such as SLURMCluster."
            raise UsageError(f"{where!r} is no cluster: {type(error).__name__}: {error}.", hint=hint) from None
        yield client


def grade_on(client: Any, run: "ClassRun", left: dict[str, list[Submission]]) -> None:
    """Be the `judge` of a run: grade on the nodes of a client's cluster.

    Raises:
        UsageError: A node has another suite, kit, secret or library or cannot shut student code in, or the scheduler is
            gone; what came back is kept.
    """
    distributed: Any = import_module("distributed")
    waiting: dict[Any, tuple[Assignment, list[Submission]]] = {}
    resources = {"GPU": 1} if run.device == "cuda" else None
    tasks = distributed.as_completed(loop=client.loop)

    def send(assignment: Assignment, submissions: list[Submission]) -> None:
        request = msgspec.json.encode(batch_of(run, assignment, submissions), enc_hook=dict)
        (future,) = client.map(grade_batch, [request], pure=False, resources=resources)
        waiting[future] = assignment, submissions
        tasks.add(future)

    for name, submissions in left.items():
        for start in range(0, len(submissions), BATCH):
            send(run.course.assignments[name], submissions[start : start + BATCH])
    for future in tasks:
        assignment, submissions = waiting.pop(future)
        problem = future.exception()
        if problem is None:
            enter(run, assignment, submissions, msgspec.json.decode(future.result(), type=Answer))
        elif not isinstance(problem, distributed.scheduler.KilledWorker):
            raise UsageError(f"The cluster could not grade {assignment.id}: {type(problem).__name__}: {problem}.")
        elif len(submissions) > 1:
            for submission in submissions:
                send(assignment, [submission])
        else:
            abandon(run, assignment, submissions[0])


def batch_of(run: "ClassRun", assignment: Assignment, submissions: list[Submission]) -> Batch:
    """Return submissions of an assignment as they travel."""
    return Batch(
        course=str(run.course.root),
        assignment=assignment.id,
        conditions=conditions(run.course, assignment, run.device, run.limits),
        device=run.device,
        limits=run.limits,
        tier=run.options.tier,
        jobs=run.options.jobs,
        language=run.language,
        raw=run.raw is not None,
        sources=[run.read(assignment, submission) for submission in submissions],
    )


def enter(run: "ClassRun", assignment: Assignment, submissions: list[Submission], answer: Answer) -> None:
    """Enter what a node made of a batch."""
    if answer.refused:
        raise UsageError(f"A node cannot grade {assignment.id}: {answer.refused} What was finished is kept.")
    run.isolation = answer.isolation
    for result in answer.graded:
        run.enter(
            assignment, submissions[result.number], answer.manifest, result.source, result.outcome, answer.isolation,
            result.raw, lasting=result.lasting,
        )  # fmt: skip


def abandon(run: "ClassRun", assignment: Assignment, submission: Submission) -> None:
    """Enter that node after node died of a submission; the next run tries it again."""
    problem = translation(run.language).gettext(MACHINES_ENDED)
    source = msgspec.structs.replace(run.read(assignment, submission), problem=problem)
    outcome = Outcome(started=utc_now(), duration_s=0.0)
    manifest = run.ledger.manifest(assignment) or []
    run.enter(assignment, submission, manifest, source, outcome, run.isolation, {}, lasting=False)
