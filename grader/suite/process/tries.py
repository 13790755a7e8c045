"""What counts of the forks of one submission: all exercises on one worker first, then once more what lost something.

An exercise in which something failed is run once more, whole, in a fork and on a worker of its own. The verdicts of
that second run replace the first ones, better or worse. An exercise whose worker the system killed is run once more,
too; killed again, it has no score. Nor has one for which the submission has no time left.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import msgspec

from grader.results.verdict import CheckVerdict
from grader.suite.diagnosis.shown_calls import ShownCall
from grader.workers.process.clock import Allowance

from .child_report import ChildReport, ForkResult, Job

MOST_KILLS = 2
Reason = Literal["killed", "time"]


@dataclass
class Tries:
    """The forks of one submission.

    Args:
        job: The first of them.
        checks: The ids of each exercise's checks.
        once: Whether one run is enough, so that what failed is not run once more.

    Attributes:
        first: The last words of the first fork; None where it died before them.
        verdicts: Those that count, by check.
        ungraded: Why an exercise has no score, by exercise.
        refused: Why the submission could not be graded at all; empty where it could.
        notes: What a person should know of how the file was read and run.
        seconds: How long all of them took.
        shown: What each check asked and what came of it, where that was to be kept.
        forks: All of them that have ended.
    """

    job: Job
    checks: Mapping[str, Sequence[str]]
    once: bool = False
    first: ChildReport | None = None
    verdicts: dict[str, CheckVerdict] = field(default_factory=dict)
    ungraded: dict[str, Reason] = field(default_factory=dict)
    refused: str = ""
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0
    shown: dict[str, list[ShownCall]] = field(default_factory=dict)
    forks: list[ForkResult] = field(default_factory=list)
    _left: Allowance = field(init=False)
    _waiting: list[str] = field(default_factory=list)
    _kills: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._left = self.job.left

    def add(self, ended: ForkResult) -> None:
        """Enter what came of a fork."""
        exercise, child_report = ended.job.exercise, ended.child_report or ChildReport()
        if ended.killed:
            told = {verdict.id for verdict in ended.verdicts}
            asked = self.checks if exercise is None else [exercise]
            child_report.killed = [name for name in asked if not told.issuperset(self.checks[name])]
        self.refused = child_report.refused
        self.notes += child_report.notes
        self.seconds += ended.seconds
        self.forks.append(ended)
        self.shown |= child_report.shown
        self._left = Allowance(self._left.cpu_s - child_report.cpu_s, self._left.wall_s - ended.seconds)
        self._kills.update(child_report.killed)
        if exercise is None:
            self.first = ended.child_report
            self.verdicts = {verdict.id: verdict for verdict in ended.verdicts}
            self._waiting = [name for name in self.checks if self._is_run_again(name, child_report)]
            self._waiting.sort(key=self._has_hung)
            return
        before = {id: self.verdicts.pop(id, None) for id in self.checks[exercise]}
        for verdict in ended.verdicts:
            better = verdict.status == "passed" and getattr(before.get(verdict.id), "status", "") != "passed"
            again = better and len(self.forks) > 1
            self.verdicts[verdict.id] = msgspec.structs.replace(verdict, attempts=2) if again else verdict
        if self._kills[exercise] >= MOST_KILLS:
            self.ungraded[exercise] = "killed"
        elif child_report.killed:
            self._waiting.append(exercise)
        elif child_report.is_over:
            self.ungraded[exercise] = "time"

    def next_job(self) -> Job | None:
        """Return the next way through the checks; None where everything is known that can be."""
        while self._waiting and not self.refused:
            exercise = self._waiting.pop(0)
            if not self._left.is_over:
                first = self.first or ChildReport()
                return replace(
                    self.job, left=replace(self._left), exercise=exercise, text=first.text, stops=first.stops
                )
            self.ungraded[exercise] = "time"
        return None

    def raw_reports(self) -> dict[str, Path]:
        """Return pytest-json-report's reports, by the exercise that was run once more; empty for the first."""
        return {ended.job.exercise or "": ended.raw for ended in self.forks if ended.raw.exists()}

    @property
    def is_lasting(self) -> bool:
        """Whether another run would say the same: not where a limit on time decided, or nothing is known."""
        if self.first is None or self.refused or self.ungraded:
            return False
        stops = [stop.status for group in self.first.stops.values() for stop in group]
        return "timeout" not in {*stops, *(verdict.status for verdict in self.verdicts.values())}

    def _is_run_again(self, exercise: str, child_report: ChildReport) -> bool:
        verdicts = [self.verdicts.get(id) for id in self.checks[exercise]]
        if None in verdicts or self.once:
            return None in verdicts
        lost = any(verdict.status != "passed" and not verdict.excused for verdict in verdicts if verdict is not None)
        return lost and not (child_report.text and child_report.text.is_unwritten(exercise))

    def _has_hung(self, exercise: str) -> bool:
        verdicts = (self.verdicts.get(id) for id in self.checks[exercise])
        return any(verdict is not None and verdict.status == "timeout" for verdict in verdicts)
