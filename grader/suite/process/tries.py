"""What counts of the ways of one submission: all exercises on one worker first, then once more what lost something.

An exercise in which something failed is run once more, whole, in a fork and on a worker of its own. The verdicts of
that second way replace the first ones, better or worse. An exercise that a kill by the system left without all of its
verdicts is run once more, too; where that happens again, it has no score. Nor has one for which no time is left.

Nothing is kept but what the ways left, from which everything follows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import msgspec

from grader.results.verdict import CheckVerdict
from grader.workers.process.clock import Allowance

from .way import Ended, Job

MOST_KILLS = 2


@dataclass
class Tries:
    """The ways of one submission.

    Args:
        job: The first of them.
        checks: The ids of each exercise's checks.
        once: Whether one run is enough, so that what failed is not run once more.
        number: The submission's place among those of the assignment.
        started: When it was begun, in UTC.

    Attributes:
        ways: What those that have ended left, each with the exercise that it ran once more; None for the first.
    """

    job: Job
    checks: Mapping[str, Sequence[str]]
    once: bool = False
    number: int = 0
    started: str = ""
    ways: list[tuple[str | None, Ended]] = field(default_factory=list)

    def next_job(self) -> Job | None:
        """Return the way that is to be gone now; None where everything is known that can be."""
        if not self.ways:
            return self.job
        left = [exercise for exercise in self.checks if not self._is_settled(exercise)]
        left = [exercise for exercise in left if self._kills(exercise) < MOST_KILLS]
        if not left or self.refused or self._left.is_over:
            return None
        exercise = min(left, key=self._has_hung)
        return replace(self.job, left=self._left, exercise=exercise, first=self.first)

    @property
    def first(self) -> Ended:
        """What the first way left."""
        return self.ways[0][1]

    @property
    def refused(self) -> str:
        """Why the submission could not be graded at all; empty where it could."""
        return self.ways[-1][1].refused

    @property
    def seconds(self) -> float:
        """How long all of them took."""
        return sum(way.seconds for _, way in self.ways)

    @property
    def verdicts(self) -> dict[str, CheckVerdict]:
        """The verdicts that count, by check."""
        return {verdict.id: verdict for exercise in self.checks for verdict in self._verdicts(exercise)}

    @property
    def ungraded(self) -> dict[str, Literal["killed", "time"]]:
        """Why an exercise has no score, by exercise."""
        return {
            exercise: "killed" if self._kills(exercise) == MOST_KILLS else "time"
            for exercise in self.checks
            if not self._is_settled(exercise)
        }

    @property
    def is_lasting(self) -> bool:
        """Whether another run would say the same: not where a limit on time decided, or nothing is known."""
        if self.first.text is None or self.refused or self.ungraded:
            return False
        stops = [stop.status for group in self.first.stops.values() for stop in group]
        return "timeout" not in {*stops, *(verdict.status for verdict in self.verdicts.values())}

    @property
    def _left(self) -> Allowance:
        whole, used = self.job.left, sum(way.cpu_s for _, way in self.ways)
        over = any(way.early == "time" for _, way in self.ways)
        return Allowance(0.0, 0.0) if over else Allowance(whole.cpu_s - used, whole.wall_s - self.seconds)

    def _ways_of(self, exercise: str) -> list[Ended]:
        return [self.first, *(way for name, way in self.ways[1:] if name == exercise)]

    def _is_whole(self, exercise: str, way: Ended) -> bool:
        return {verdict.id for verdict in way.verdicts}.issuperset(self.checks[exercise])

    def _kills(self, exercise: str) -> int:
        return sum(way.early == "killed" and not self._is_whole(exercise, way) for way in self._ways_of(exercise))

    def _is_settled(self, exercise: str) -> bool:
        """Return whether no other way could say more of an exercise."""
        *before, way = self._ways_of(exercise)
        if not self._is_whole(exercise, way):
            return bool(before) and not way.early  # a fork that dies twice is a crash of the exercise
        lost = any(verdict.status != "passed" and not verdict.excused for verdict in self._verdicts(exercise))
        written = way.text is None or not way.text.is_unwritten(exercise)
        return bool(before) or self.once or not (lost and written)

    def _verdicts(self, exercise: str) -> list[CheckVerdict]:
        """Return the verdicts of the last way of an exercise."""
        *before, way = (
            {v.id: v for v in way.verdicts if v.id in self.checks[exercise]} for way in self._ways_of(exercise)
        )
        first = before[0] if before else {}
        return [
            msgspec.structs.replace(verdict, attempts=2)
            if verdict.status == "passed" and id in first and first[id].status != "passed"
            else verdict
            for id, verdict in way.items()
        ]

    def _has_hung(self, exercise: str) -> bool:
        return any(verdict.status == "timeout" for verdict in self._verdicts(exercise))
