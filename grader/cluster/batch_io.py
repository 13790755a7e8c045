"""Where the batches of a run over a class leave and their results come in."""

from typing import TYPE_CHECKING

import msgspec

from grader.course.layout import Assignment
from grader.errors import UsageError
from grader.grading.options import utc_now
from grader.results.assemble import Outcome
from grader.results.report import Fact
from grader.results.sentences import MACHINES_ENDED, pick
from grader.results.verdict import ManifestCheck
from grader.source_cells import Source
from grader.submissions.submission import Submission

from .cut import Batch, WaitingSubmission
from .messages import Finished, Identity, Item, Request, identity_of

if TYPE_CHECKING:
    from grader.grading.class_run import ClassRun


class BatchIO:
    """Where batches leave and results come in.

    Args:
        left: The submissions by assignment; what is finished is taken off.
    """

    def __init__(self, run: "ClassRun", left: dict[str, list[Submission]]) -> None:
        self._run, self._left = run, left
        self._sources: dict[int, Source] = {}
        self._identities: dict[str, Identity] = {}
        self._seen = False
        self._paths = [str(path.absolute()) for path in (*run.options.paths, run.options.output)]

    def send(self, batch: Batch, processors: int, nonce: str) -> Request:
        """Return the request of a batch; what was read of a submission is kept until its result is there."""
        run = self._run
        for each in batch.items:
            if each.number not in self._sources:
                source = run.read(each.assignment, each.submission)
                plain = dict(source.sha256)  # JSON knows no read-only mapping
                self._sources[each.number] = msgspec.structs.replace(source, sha256=plain)
        return Request(
            nonce=nonce,
            course=str(run.course.root),
            assignment=batch.assignment.id,
            identity=self._identity(batch.assignment),
            device=run.device,
            limits=run.limits,
            tier=run.options.tier,
            jobs=run.options.jobs or (processors if run.device == "cpu" else 1),
            language=run.language,
            shuffle=run.options.shuffle,
            singly=run.options.singly,
            raw=run.raw is not None,
            paths=self._paths,
            items=[Item(each.number, self._sources[each.number]) for each in batch.items],
        )

    def _identity(self, assignment: Assignment) -> Identity:
        if assignment.id not in self._identities:  # once, so that a suite that is changed meanwhile is not mixed in
            run = self._run
            self._identities[assignment.id] = identity_of(run.course, assignment, run.device, run.limits)
        return self._identities[assignment.id]

    def receive(
        self, waiting: WaitingSubmission, manifest: list[ManifestCheck], isolation: dict[str, Fact], result: Finished
    ) -> None:
        """Enter a result."""
        self._run.isolation = shared(self._run.isolation, isolation) if self._seen else isolation
        self._seen = True
        self._enter(waiting, manifest, result, isolation)

    def abandon(self, waiting: WaitingSubmission, manifest: list[ManifestCheck] | None) -> None:
        """Enter that nodes died of a submission; it is tried again in the next run.

        Raises:
            UsageError: No node ever got as far as the checks of its assignment.
        """
        manifest = manifest or self._run.ledger.manifest(waiting.assignment)
        if manifest is None:
            raise UsageError(
                f"Nodes were grading {waiting.assignment.id}, but each of them ended before its first result.",
                hint="Look into the logs of the workers: they may have too little memory. What was finished is kept.",
            )
        problem = pick(MACHINES_ENDED, self._run.language)
        outcome = Outcome(started=utc_now(), duration_s=0.0)
        result = Finished(number=waiting.number, problem=problem, outcome=outcome, lasting=False, raw=None)
        self._enter(waiting, manifest, result, self._run.isolation)

    def _enter(
        self, waiting: WaitingSubmission, manifest: list[ManifestCheck], result: Finished, isolation: dict[str, Fact]
    ) -> None:
        source = msgspec.structs.replace(self._sources.pop(waiting.number), problem=result.problem)
        self._run.enter(
            waiting.assignment, waiting.submission, manifest, source, result.outcome, isolation, result.raw,
            lasting=result.lasting,
        )  # fmt: skip
        self._left[waiting.assignment.id].remove(waiting.submission)


def shared(before: dict[str, Fact], now_too: dict[str, Fact]) -> dict[str, Fact]:
    """Return what holds for the isolation of all nodes; every tier that was used is named."""
    both: dict[str, Fact] = {name: value for name, value in before.items() if now_too.get(name) == value}
    tiers = {*str(before["tier"]).split(", "), *str(now_too["tier"]).split(", ")}
    return {**both, "tier": ", ".join(sorted(tiers))}
