"""Hands batches to nodes and takes their results, until every submission has one.

A node has one batch at a time, and asks for the next by ending it; so a fast node does more, and one that comes later
is used at once. Dask carries the batches and says which nodes there are. That a batch is done again elsewhere is
decided here, since only here is known which nodes may grade, and how many of them died of it.
"""

import contextlib
import queue
import secrets
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from grader.errors import CourseError, IsolationError, UsageError
from grader.results.verdict import ManifestCheck
from grader.submissions.submission import Submission
from grader.system.stopping import raise_if_asked
from grader.text import sanitise

from .batch_io import BatchIO
from .connect import GPU, connected
from .cut import Batch, WaitingSubmission, after_death, cut_batches
from .messages import Opening, Seals
from .node import Ending
from .task import NodeAnswer, grade_batch

if TYPE_CHECKING:
    from grader.grading.class_run import ClassRun

LOOK_S = 1.0
GATHER_S = 10.0
PATIENCE_S = 60.0  # for the first node of a running scheduler, or another when the last one died
RESTART_S = 3.0  # for a worker that its nanny starts again, where those that are there may not grade
TELL_S = 30.0
LONGEST_WORDS = 600


def grade_on_nodes(run: "ClassRun", left: dict[str, list[Submission]]) -> None:
    """Grade on the nodes of the scheduler that the options name, or cluster.

    Args:
        left: The submissions by assignment; what is finished is taken off.

    Raises:
        GraderError: Nothing more could be graded; what was written is whole.
    """
    waiting = [
        WaitingSubmission(number, run.course.assignments[name], submission)
        for number, (name, submission) in enumerate((name, each) for name, mine in left.items() for each in mine)
    ]
    options = run.options
    with connected(options.scheduler, options.cluster, options.nodes, run.device) as client:
        asked_for = 0 if options.scheduler else options.nodes
        engine = Engine(client, run.device, BatchIO(run, left), Seals(run.course.secret()), asked_for=asked_for)
        try:
            engine.run(waiting)
        finally:
            run.notes += [f"Node {address} took no work: {said}" for address, said in engine.left_out.items()]


class Engine:
    """The batches of a run on their way.

    Args:
        asked_for: How many nodes wait in a cluster's queue; 0 where nobody asked for any.

    Attributes:
        left_out: The nodes that may not grade, with the reason.
    """

    def __init__(self, client: Any, device: str, batches: BatchIO, seals: Seals, *, asked_for: int) -> None:
        self.left_out: dict[str, str] = {}
        self._client, self._device, self._io, self._seals, self._asked_for = client, device, batches, seals, asked_for
        self._nodes: dict[str, int] = {}
        self._running: dict[str, tuple[Any, Batch, str]] = {}
        self._ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._manifests: dict[str, list[ManifestCheck]] = {}
        self._unproven = False
        self._lonely = self._told = time.monotonic()

    def run(self, waiting: Sequence[WaitingSubmission]) -> None:
        """Grade what waits, assignment by assignment.

        Raises:
            IsolationError: No node can shut student code in.
            UsageError: No node is left that may grade, or the scheduler is gone.
            CourseError: A suite is broken.
        """
        try:
            while not self._usable():
                self._look()
                self._wait(LOOK_S if not self._usable() else 0.0)
            usable = self._usable()
            self._batches = cut_batches(waiting, len(usable), max(1, min(usable.values())))
            while self._batches or self._running:
                self._look()
                self._feed()
                self._wait(LOOK_S)
        finally:
            with contextlib.suppress(Exception):
                self._client.cancel([future for future, _, _ in self._running.values()], force=True)

    def _usable(self) -> dict[str, int]:
        return {address: cores for address, cores in self._nodes.items() if address not in self.left_out}

    # -- which nodes there are --------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Learn which nodes there are, and take the batches of the dead ones back."""
        raise_if_asked()
        try:
            workers = self._client.scheduler_info()["workers"] if self._client.status == "running" else None
        except (OSError, TimeoutError):
            workers = None
        if workers is None:
            raise UsageError(
                "The scheduler of Dask went away in the middle of the run, so the rest is not graded.",
                hint="What was finished is kept. Start it again and run the same command.",
            )
        able = {
            address: int(each["nthreads"])
            for address, each in workers.items()
            if self._device == "cpu" or each.get("resources", {}).get(GPU, 0) >= 1
        }
        if workers and not able and not self._nodes:
            raise UsageError(
                f"The device {self._device} was asked for, but no node has a GPU to give:",
                f"of {len(workers)} workers none was started with the resource {GPU}.",
                f"Start a worker for each GPU: CUDA_VISIBLE_DEVICES=0 dask worker ADDRESS --resources {GPU}=1",
            )
        self._nodes = able
        for address in [each for each in self._running if each not in workers]:
            future, batch, _ = self._running.pop(address)
            future.cancel()
            self._died(batch, batch.items)
        self._wait_for_nodes()

    def _wait_for_nodes(self) -> None:
        """Wait for nodes with patience, but not where there is nothing to wait for."""
        moment = time.monotonic()
        if self._usable() or self._running:
            self._lonely = moment
            return
        refused = len(self.left_out.keys() & self._nodes)
        if refused and refused >= self._asked_for and moment - self._lonely > RESTART_S:
            reasons = " ".join(f"{address}: {said}" for address, said in self.left_out.items())
            if self._unproven:
                unproven = "No node could prove that student code is shut in, so none of them grades."
                raise IsolationError(unproven, reasons)
            raise UsageError("No node may grade for this machine, so nothing more is graded.", reasons)
        if not self._asked_for and moment - self._lonely > PATIENCE_S:
            raise UsageError(
                "A node that grades was waited for, but the scheduler has none:",
                f"none came within {PATIENCE_S:.0f} s.",
                "Start one with `dask worker ADDRESS --nworkers 1`; what was finished is kept.",
            )
        if moment - self._told > TELL_S:
            self._told = moment
            print(f"Waiting for a node since {moment - self._lonely:.0f} s.", file=sys.stderr, flush=True)

    # -- batches ----------------------------------------------------------------------------------------------------

    def _feed(self) -> None:
        """Give every idle node a batch."""
        for address, cores in self._usable().items():
            if address in self._running or not self._batches:
                continue
            batch = self._batches.pop(0)
            nonce = secrets.token_hex(16)
            request = self._seals.request(self._io.send(batch, cores, nonce))
            future = self._client.submit(
                grade_batch,
                request,
                key=f"grade-{nonce}",
                pure=False,
                workers=[address],
                allow_other_workers=False,
                resources={GPU: 1} if self._device == "cuda" else None,
            )
            self._running[address] = future, batch, nonce
            future.add_done_callback(lambda _, address=address, nonce=nonce: self._ended.put((address, nonce)))

    def _wait(self, seconds: float) -> None:
        """Take the answers that are there; wait so long for the first."""
        with contextlib.suppress(queue.Empty):
            while True:
                address, nonce = self._ended.get(timeout=seconds)
                seconds = 0.0
                if address in self._running and self._running[address][2] == nonce:
                    self._collect(address)

    def _collect(self, address: str) -> None:
        future, batch, nonce = self._running[address]
        try:
            answer = msgspec.msgpack.decode(future.result(timeout=GATHER_S), type=NodeAnswer)
        except TimeoutError:  # the node that held the answer is gone, which `_look` will find
            self._ended.put((address, nonce))
            return
        except Exception as error:  # Dask raises what the task raised, or an error of its own
            del self._running[address]
            if future.status != "error" or type(error).__name__ == "KilledWorker":
                self._died(batch, batch.items)
            else:
                said = f"the kit can't run there: {type(error).__name__}: {error}"
                self._leave_out(address, batch, said, batch.items)
            return
        del self._running[address]
        left = self._take_results(batch, nonce, answer.sent)
        said = " ".join(sanitise(answer.said, LONGEST_WORDS).split())
        if answer.code in (Ending.NO_ISOLATION, Ending.REFUSED):
            self._unproven = self._unproven or answer.code == Ending.NO_ISOLATION
            self._leave_out(address, batch, said, batch.items)
        elif answer.code == Ending.BROKEN:
            raise CourseError(said)
        elif answer.code not in (Ending.DONE, Ending.EARLY, Ending.STOPPED) and answer.code > 0:
            self._leave_out(address, batch, f"the kit failed there with {answer.code}: {said[-300:]}", left)
        elif left:
            self._died(batch, left)

    def _take_results(self, batch: Batch, nonce: str, sent: bytes) -> list[WaitingSubmission]:
        """Take what carries the seal, and return the submissions without a result."""
        left = {each.number: each for each in batch.items}
        opening: Opening | None = None
        for line in self._seals.lines(nonce, sent):
            if isinstance(line, Opening):
                opening = line
                self._manifests[batch.assignment.id] = line.manifest
            elif opening is not None and line.number in left:
                self._io.receive(left.pop(line.number), opening.manifest, opening.isolation, line)
        return list(left.values())

    def _leave_out(self, address: str, batch: Batch, said: str, left: Sequence[WaitingSubmission]) -> None:
        self.left_out[address] = said
        if left:
            self._batches.insert(0, Batch(left, batch.deaths))

    def _died(self, batch: Batch, left: Sequence[WaitingSubmission]) -> None:
        again = after_death(batch, left)
        self._batches[:0] = again
        if not again:
            for each in left:
                self._io.abandon(each, self._manifests.get(each.assignment.id))
