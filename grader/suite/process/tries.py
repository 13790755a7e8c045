"""The ways of one submission through the checks: what each is given, what it leaves, and what counts of all of them.

First all exercises are run on one worker. An exercise in which something failed is run once more, whole, in a fork and
on a worker of its own; the verdicts of that second way replace the first ones, better or worse. An exercise that a kill
by the system left without all of its verdicts is run once more, too; where that happens again, it has no score. Nor has
one for which no time is left. All of this follows from what the ways left; nothing else is kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import msgspec

from grader.inside.protocol.messages import Stop
from grader.results.verdict import CheckVerdict, read_verdict
from grader.source_cells import Source
from grader.suite.diagnosis.shown_calls import ShownCall
from grader.workers.process.clock import Allowance
from grader.workers.source_loading import TextReading

VERDICTS, LAST_WORDS, RAW_REPORT = "verdicts.jsonl", "last_words.json", "raw.json"
"""The files of a fork: a line for each verdict as soon as it is reached, and the others in the end."""
MOST_KILLS = 2


class Ended(msgspec.Struct, kw_only=True):
    """A way that has ended.

    Attributes:
        text: What was read of the text; None where that came to no end, or the fork died before its last words.
        notes: What a person should know of how the file was read and run.
        stops: The statements that hung or killed a worker.
        shown: What each check asked and what came of it, where the session keeps that, by check.
        cpu_s: Seconds of processor time that its workers used.
        early: Why checks were not run: the system ended a worker or the fork, or no time was left. Empty where all were
            run, and where the fork died by itself.
        refused: A sentence when the submission could not be graded through no fault of anybody's code.
        verdicts: Those that were reached.
        raw: pytest-json-report's report; None when the fork died before that.
        seconds: How long it took.
    """

    text: TextReading | None = None
    notes: list[str] = []
    stops: dict[int, list[Stop]] = {}
    shown: dict[str, list[ShownCall]] = {}
    cpu_s: float = 0.0
    early: Literal["", "killed", "time"] = ""
    refused: str = ""
    verdicts: list[CheckVerdict] = []
    raw: bytes | None = None
    seconds: float = 0.0

    @classmethod
    def read(cls, folder: Path, seconds: float, *, killed: bool = False) -> "Ended":
        """Read what a fork wrote in so many seconds; a last line that its death cut off is no verdict.

        Args:
            killed: Whether the system ended it.
        """
        lines, last, raw = (
            (folder / name).read_bytes() if (folder / name).exists() else None
            for name in (VERDICTS, LAST_WORDS, RAW_REPORT)
        )
        way = cls() if last is None else msgspec.json.decode(last, type=cls)
        way.verdicts = [read_verdict(line) for line in (lines or b"").splitlines(keepends=True) if line.endswith(b"\n")]
        way.raw, way.seconds, way.early = raw, seconds, "killed" if killed else way.early
        return way


@dataclass(frozen=True)
class Job:
    """A way that is to be gone.

    Attributes:
        left: The time that the submission may still use.
        language: Of the notes on how the file was run.
        exercise: The exercise that is run alone; None for all of them.
        once: Whether what failed is not run once more.
        first_loss: Whether the checks of an exercise end at the first one that costs points.
        seeds: What the inputs of single checks are drawn from instead of the source, by check.
        keeps_calls: Whether each check keeps what it asked, to be shown to the teacher.
        first: What the first way left, whose reading of the text is used, and whose stops are left out.
    """

    source: Source
    left: Allowance = field(default_factory=Allowance)
    language: str = "en"
    exercise: str | None = None
    once: bool = False
    first_loss: bool = False
    seeds: Mapping[str, int] = field(default_factory=dict)
    keeps_calls: bool = False
    first: Ended = field(default_factory=Ended)


@dataclass
class Tries:
    """The ways of one submission.

    Args:
        job: The first of them.
        checks: The ids of each exercise's checks.
        number: The submission's place among those of the assignment.
        started: When it was begun, in UTC.

    Attributes:
        ways: What those that have ended left, each with the exercise that it ran alone; None for all of them.
    """

    job: Job
    checks: Mapping[str, Sequence[str]]
    number: int = 0
    started: str = ""
    ways: list[tuple[str | None, Ended]] = field(default_factory=list)

    def next_job(self) -> Job | None:
        """Return the way that is to be gone now, those that hung last; None where all is known that can be."""
        if not self.ways:
            return self.job
        open_ = [name for name in self.checks if not self._is_settled(name) and self._kills(name) < MOST_KILLS]
        cpu_s = self.job.left.cpu_s - sum(way.cpu_s for _, way in self.ways)
        left = Allowance(cpu_s, self.job.left.wall_s - self.seconds)
        if not open_ or self.refused or left.is_over or any(way.early == "time" for _, way in self.ways):
            return None
        return replace(self.job, left=left, exercise=min(open_, key=self._has_hung), first=self.first)

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
        """The verdicts that count, by check: those of the last way of each exercise."""
        counting = {}
        for name in self.checks:
            *before, last = ({verdict.id: verdict for verdict in way.verdicts} for way in self._ways_of(name))
            for id in [id for id in self.checks[name] if id in last]:
                better = before and id in before[0] and last[id].status == "passed" != before[0][id].status
                counting[id] = msgspec.structs.replace(last[id], attempts=2) if better else last[id]
        return counting

    @property
    def ungraded(self) -> dict[str, Literal["killed", "time"]]:
        """Why an exercise has no score, by exercise."""
        unsettled = [name for name in self.checks if not self._is_settled(name)]
        return {name: "killed" if self._kills(name) == MOST_KILLS else "time" for name in unsettled}

    @property
    def is_lasting(self) -> bool:
        """Whether another run would say the same: not where a limit on time decided, or nothing is known."""
        if self.first.text is None or self.refused or self.ungraded:
            return False
        stops = [stop.status for group in self.first.stops.values() for stop in group]
        return "timeout" not in {*stops, *(verdict.status for verdict in self.verdicts.values())}

    def _ways_of(self, exercise: str) -> list[Ended]:
        return [way for name, way in self.ways if name in (None, exercise)]

    def _is_whole(self, exercise: str, way: Ended) -> bool:
        return {verdict.id for verdict in way.verdicts}.issuperset(self.checks[exercise])

    def _kills(self, exercise: str) -> int:
        return sum(way.early == "killed" and not self._is_whole(exercise, way) for way in self._ways_of(exercise))

    def _is_settled(self, exercise: str) -> bool:
        """Return whether no other way could say more of an exercise."""
        *before, last = self._ways_of(exercise)
        if not self._is_whole(exercise, last):
            return bool(before) and not last.early  # a fork that dies twice is a crash of the exercise
        if before or self.job.once or (last.text and last.text.is_unwritten(exercise)):
            return True
        mine = [verdict for verdict in last.verdicts if verdict.id in self.checks[exercise]]
        return all(verdict.status == "passed" or verdict.excused for verdict in mine)

    def _has_hung(self, exercise: str) -> bool:
        last = self._ways_of(exercise)[-1]
        return any(verdict.status == "timeout" for verdict in last.verdicts if verdict.id in self.checks[exercise])
