"""What counts of the forks of one submission: all exercises on one worker first, then once more what lost something.

An exercise in which something failed is run once more, whole, in a fork and on a worker of its own. The verdicts of
that second run replace the first ones, better or worse. An exercise whose worker the system killed is run once more,
too; killed again, it has no score. Nor has one for which the submission has no time left.
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import msgspec

from grader.results.verdict import CheckVerdict
from grader.suite.runner.submission_run import RunReport
from grader.workers.process.clock import Allowance

from .child_report import ForkResult, Job

Ways = Generator[Job, ForkResult, None]
"""Gives the jobs of a submission one by one, each after it was sent what came of the one before."""
MOST_KILLS = 2


@dataclass
class Tries:
    """The forks of one submission.

    Args:
        job: The first of them.
        checks: The ids of each exercise's checks.
        once: Whether one run is enough, so that what failed is not run once more.

    Attributes:
        forks: Those that have ended, each with the exercise that it ran once more; None for the first.
        verdicts: Those that count, by check.
        ungraded: Why an exercise has no score, by exercise.
    """

    job: Job
    checks: Mapping[str, Sequence[str]]
    once: bool = False
    forks: list[tuple[str | None, ForkResult]] = field(default_factory=list)
    verdicts: dict[str, CheckVerdict] = field(default_factory=dict)
    ungraded: dict[str, Literal["killed", "time"]] = field(default_factory=dict)

    def ways(self) -> Ways:
        """Go through the checks until everything is known that can be."""
        ended = yield self.job
        first = self._enter(ended, None)
        self.verdicts = {verdict.id: verdict for verdict in ended.verdicts}
        again = [exercise for exercise in self.checks if self._is_run_again(exercise, first)]
        for exercise in sorted(again, key=self._has_hung):
            yield from self._once_more(exercise, first)

    def _once_more(self, exercise: str, first: RunReport) -> Ways:
        before = {verdict.id for verdict in self._known(exercise) if verdict.status == "passed"}
        for _ in range(MOST_KILLS - (exercise in first.killed)):
            if self.refused:
                return
            cpu_s = self.job.left.cpu_s - sum(ended.report.cpu_s for _, ended in self.forks)
            left = Allowance(cpu_s, self.job.left.wall_s - self.seconds)
            if left.is_over:
                self.ungraded[exercise] = "time"
                return
            ended = yield replace(self.job, left=left, exercise=exercise, text=first.text, stops=first.stops)
            report = self._enter(ended, exercise)
            for id in self.checks[exercise]:
                self.verdicts.pop(id, None)
            for verdict in ended.verdicts:
                better = verdict.status == "passed" and verdict.id not in before
                self.verdicts[verdict.id] = msgspec.structs.replace(verdict, attempts=2) if better else verdict
            if exercise not in report.killed:
                if report.is_over:
                    self.ungraded[exercise] = "time"
                return
        self.ungraded[exercise] = "killed"

    def _enter(self, ended: ForkResult, exercise: str | None) -> RunReport:
        """Enter what came of a fork that was to run an exercise, or all of them; return its last words."""
        self.forks.append((exercise, ended))
        if ended.killed:
            told = {verdict.id for verdict in ended.verdicts}
            asked = self.checks if exercise is None else [exercise]
            ended.report.killed = [name for name in asked if not told.issuperset(self.checks[name])]
        return ended.report

    @property
    def seconds(self) -> float:
        """How long all of them took."""
        return sum(ended.seconds for _, ended in self.forks)

    @property
    def refused(self) -> str:
        """Why the submission could not be graded at all; empty where it could."""
        return self.forks[-1][1].report.refused

    @property
    def is_lasting(self) -> bool:
        """Whether another run would say the same: not where a limit on time decided, or nothing is known."""
        first = self.forks[0][1].report
        if not first.is_whole or self.refused or self.ungraded:
            return False
        stops = [stop.status for group in first.stops.values() for stop in group]
        return "timeout" not in {*stops, *(verdict.status for verdict in self.verdicts.values())}

    def _known(self, exercise: str) -> list[CheckVerdict]:
        return [self.verdicts[id] for id in self.checks[exercise] if id in self.verdicts]

    def _is_run_again(self, exercise: str, first: RunReport) -> bool:
        known = self._known(exercise)
        if len(known) < len(self.checks[exercise]):
            return True
        lost = any(verdict.status != "passed" and not verdict.excused for verdict in known)
        return lost and not self.once and not (first.text and first.text.is_unwritten(exercise))

    def _has_hung(self, exercise: str) -> bool:
        return any(verdict.status == "timeout" for verdict in self._known(exercise))
