"""Cuts the submissions that wait into batches, and what is left of a batch whose node died into smaller ones.

A batch costs a node some seconds before its first submission: torch, the jail, the suite, the solution. So it must not
be small; and since it is lost with its node, it must not be large. A batch that more than one node died of is halved,
so that one submission at fault is found, and the others get their reports.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from grader.course.layout import Assignment
from grader.submissions.submission import Submission

ROUNDS = 3  # batches that a node gets of an assignment, so that a slow node holds nobody up
LEAST, MOST = 20, 60  # submissions for each processor: a few seconds' work
MOST_AT_ONCE = 500  # so that a request fits into memory, however many processors a node has
MOST_DEATHS = 3


@dataclass(frozen=True)
class WaitingSubmission:
    """A submission that waits, by its number in the run."""

    number: int
    assignment: Assignment
    submission: Submission


@dataclass(frozen=True)
class Batch:
    """Submissions of one assignment, and how many nodes died of them."""

    items: Sequence[WaitingSubmission]
    deaths: int = 0

    @property
    def assignment(self) -> Assignment:
        """What was answered."""
        return self.items[0].assignment


def cut_batches(waiting: Sequence[WaitingSubmission], nodes: int, processors: int) -> list[Batch]:
    """Return batches, each of one assignment, for some nodes with so many processors each."""
    batches = []
    for _, group in groupby(waiting, key=lambda each: each.assignment.id):
        items = list(group)
        size = size_of(len(items), nodes, processors)
        batches += [Batch(items[at : at + size]) for at in range(0, len(items), size)]
    return batches


def size_of(submissions: int, nodes: int, processors: int) -> int:
    """Return how many submissions a batch holds."""
    fair = -(-submissions // nodes)
    wanted = -(-submissions // (nodes * ROUNDS))
    return max(1, min(max(wanted, LEAST * processors), fair, MOST * processors, MOST_AT_ONCE))


def after_death(batch: Batch, left: Sequence[WaitingSubmission]) -> list[Batch]:
    """Return what is to be tried again of a batch that a node died of, by its submissions that have no result.

    That is nothing when it was one submission too often.
    """
    deaths = batch.deaths + 1
    if deaths == 1 or (len(left) == 1 and deaths < MOST_DEATHS):
        return [Batch(left, deaths)]
    middle = len(left) // 2
    return [Batch(part, 1) for part in (left[:middle], left[middle:])] if middle else []
