"""The tries of one submission: what each is given, what it leaves, and what counts of all of them.

First all exercises are run on one worker, and the checks of each end at the first one that costs points. Such an
exercise is run once more, whole, in a fork and on a worker of its own, where nothing is left of other exercises; the
verdicts of that second try count, better or worse. An exercise that is not written is not run again. One that a kill by
the system left without all of its verdicts is run once more, too; where that happens again, it has no score. Nor has
one for which no time is left. An exercise whose own fork ends by itself is a crash. All of this follows from what the
tries left; nothing else is kept.
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from typing import Literal

import msgspec

from grader.inside.protocol.messages import Stop
from grader.results.verdict import CheckVerdict
from grader.source_cells import Source
from grader.workers.process.clock import Allowance
from grader.workers.source_loading import TextReading

MOST_KILLS = 2


class Ended(msgspec.Struct, kw_only=True):
    """A try that has ended.

    Attributes:
        exercise: The exercise that it ran alone; None for all of them.
        text: What was read of the text; None if the reading did not finish, or the fork died before its last words.
        notes: What a person should know of how the file was read and run.
        stops: The statements that hung or killed a worker.
        cpu_s: Seconds of processor time that its workers used.
        early: Why it ended before all checks were run: the system killed a worker or the fork, or no time was left.
            Empty if all were run, and if the fork died by itself.
        refused: A sentence when the submission could not be graded through no fault of anybody's code.
        verdicts: Those that were reached.
        raw: pytest-json-report's report; None if the fork died before that.
        seconds: How long it took.
    """

    exercise: str | None = None
    text: TextReading | None = None
    notes: list[str] = []
    stops: dict[int, list[Stop]] = {}
    cpu_s: float = 0.0
    early: Literal["", "killed", "time"] = ""
    refused: str = ""
    verdicts: list[CheckVerdict] = []
    raw: bytes | None = None
    seconds: float = 0.0


@dataclass(frozen=True)
class Job:
    """A try that is to be made.

    Attributes:
        left: The time that the submission may still use.
        exercise: The exercise that is run alone and whole; None for all of them, each to its first loss.
        seeds: What the inputs of single checks are drawn from instead of the source, by check, where a teacher is shown
            what each check asks; else None.
        first: What the first try left, whose reading of the text is used, and whose stops are left out; None in it.
    """

    source: Source
    left: Allowance = field(default_factory=Allowance)
    exercise: str | None = None
    seeds: Mapping[str, int] | None = None
    first: Ended | None = None


@dataclass
class Tries:
    """The tries of one submission.

    Args:
        job: The first of them.
        checks: The ids of each exercise's checks.
        number: The submission's place among those of the assignment.
        started: When it was begun, in UTC.

    Attributes:
        ended: What those that have ended left.
    """

    job: Job
    checks: Mapping[str, Set[str]]
    number: int = 0
    started: str = ""
    ended: list[Ended] = field(default_factory=list)

    def next_job(self) -> Job | None:
        """Return the next try (exercises that hung come last), or None where another would change nothing."""
        if not self.ended:
            return self.job
        open_ = [name for name in self.checks if not self._is_settled(name) and self._kills(name) < MOST_KILLS]
        left = replace(self.job.left)
        for ended in self.ended:
            left.take(ended.cpu_s, ended.seconds)
        if not open_ or self.refused or left.is_over:
            return None
        return replace(self.job, left=left, exercise=min(open_, key=self._has_hung), first=self.ended[0])

    @property
    def refused(self) -> str:
        """Why the submission could not be graded at all; empty where it could."""
        return self.ended[-1].refused

    @property
    def verdicts(self) -> dict[str, CheckVerdict]:
        """The verdicts that count, by check: those of the last try of each exercise."""
        last = {name: self._tries_of(name)[-1] for name in self.checks}
        return {verdict.id: verdict for name in last for verdict in self._verdicts_of(name, last[name])}

    @property
    def ungraded(self) -> dict[str, Literal["killed", "time"]]:
        """Why an exercise has no score, by exercise."""
        unsettled = [name for name in self.checks if not self._is_settled(name)]
        return {name: "killed" if self._kills(name) == MOST_KILLS else "time" for name in unsettled}

    @property
    def is_lasting(self) -> bool:
        """Whether another run would say the same: not where a limit on time decided, or nothing is known."""
        if self.ended[0].text is None or self.refused or self.ungraded:
            return False
        stops = [stop.status for group in self.ended[0].stops.values() for stop in group]
        return "timeout" not in {*stops, *(verdict.status for verdict in self.verdicts.values())}

    def _tries_of(self, exercise: str) -> list[Ended]:
        return [ended for ended in self.ended if ended.exercise in (None, exercise)]

    def _verdicts_of(self, exercise: str, ended: Ended) -> list[CheckVerdict]:
        return [verdict for verdict in ended.verdicts if verdict.id in self.checks[exercise]]

    def _is_whole(self, exercise: str, ended: Ended) -> bool:
        return len(self._verdicts_of(exercise, ended)) == len(self.checks[exercise])

    def _kills(self, exercise: str) -> int:
        killed = [ended for ended in self._tries_of(exercise) if ended.early == "killed"]
        return sum(not self._is_whole(exercise, ended) for ended in killed)

    def _is_settled(self, exercise: str) -> bool:
        """Return whether another try could say no more of an exercise."""
        *before, last = self._tries_of(exercise)
        if not self._is_whole(exercise, last):
            return bool(before) and not last.early  # an exercise whose own fork dies is a crash
        if last.exercise is not None or (last.text and last.text.is_unwritten(exercise)):
            return True
        return all(verdict.status == "passed" or verdict.excused for verdict in self._verdicts_of(exercise, last))

    def _has_hung(self, exercise: str) -> bool:
        return any(verdict.status == "timeout" for verdict in self._verdicts_of(exercise, self._tries_of(exercise)[-1]))
