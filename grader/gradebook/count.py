"""Applies a course's rules to what was graded: the journal's lines in, the gradebook out.

An attempt is a file that was handed in and graded, known by its hash; its points are those of its newest grading. Only
what the journal remembers counts: nothing is made up about attempts that this kit never graded.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import NamedTuple

from grader.errors import UsageError
from grader.records.journal_lines import Line, Place
from grader.records.overrides import Overrides, is_idle, row_after
from grader.results.counted import Entry, Gradebook, PolicySource, Sentence, StudentTotal
from grader.results.report import SCHEMA_VERSION
from grader.results.scoring import plain, total_of
from grader.results.summary import Row
from grader.text import name_shown

from .given import Given, Submitted
from .lateness import days_late, lowest, points_after
from .policy import Policy
from .sentences import why

MINUTE = timedelta(minutes=1)


@dataclass
class Attempts:
    """What a student handed in for an assignment, the first first.

    Attributes:
        rows: What each file came to in its newest grading, by its hash.
        submission: The hash of the newest.
        report: The SHA-256 of its report.
        suites: The hash of the suite by which each file was graded.
        by_hand: Whether points were set by hand, so that attempts which there were besides do not count.
    """

    rows: dict[str, Row] = field(default_factory=dict)
    submission: str = ""
    report: str = ""
    suites: dict[str, str] = field(default_factory=dict)
    by_hand: bool = False

    @property
    def newest(self) -> Row:
        """What the newest came to."""
        return self.rows[self.submission]

    @property
    def graded(self) -> dict[str, int]:
        """The files that could be graded, with their numbers from 1."""
        there = [each for each, row in self.rows.items() if row.problem is None]
        return {each: number for number, each in enumerate(there, 1)}

    def by_another_suite(self, attempt: int | None) -> bool:
        """Return whether the attempt that counts was graded by another suite than the newest file."""
        names = [each for each, number in self.graded.items() if number == attempt]
        return any(self.suites.get(each) != self.suites.get(self.submission) for each in names)


def attempts_of(lines: Iterable[Line], gone: Collection[Place], overrides: Overrides) -> dict[Place, Attempts]:
    """Return what was handed in, without what the class no longer has.

    Args:
        lines: The journal's, the oldest first.
        overrides: The points that were set by hand: they are what was graded of the newest file on which they can
            count, and no other attempt counts.
    """
    found: dict[Place, Attempts] = {}
    for line in lines:
        if line.place not in gone:
            own = found.setdefault(line.place, Attempts())
            own.rows[line.submission], own.suites[line.submission] = line.row(), line.suite
            own.submission, own.report = line.submission, line.report
    for place in overrides.keys() & found.keys():
        own = found[place]
        able = [each for each, row in own.rows.items() if not all(is_idle(row, name) for name in overrides[place])]
        if able:
            chosen, own.by_hand = own.submission if own.submission in able else able[-1], len(own.graded) > 1
            own.rows = {each: row_after(own.rows[each], overrides) for each in dict.fromkeys([chosen, own.submission])}
    return found


class _Counted(NamedTuple):
    """An attempt under the rules: its number, its points that count, its time, the days that it was late, and why."""

    number: int
    counted: Decimal
    submitted: datetime | None
    days: int
    why: list[Sentence]


class Counter:
    """A class under the rules of its course.

    Args:
        points: What each assignment is worth, by its id.
        now: The time by which it is decided whether somebody can still hand in.
        gone: What was graded and is no longer in the class: nobody knows that nothing was handed in.
        unseen: The assignments of which no run was over a whole class: likewise.
    """

    def __init__(
        self, policy: Policy, given: Given, points: Mapping[str, Decimal], now: datetime,
        gone: Collection[Place] = (), unseen: Collection[str] = (),
    ) -> None:  # fmt: skip
        self._policy, self._given, self._points, self._now = policy, given, points, now
        self._gone, self._unseen = gone, unseen
        self._doubtful: Collection[str] = ()
        self._times = given.time_of()

    def gradebook(self, attempts: Mapping[Place, Attempts], students: Collection[str]) -> Gradebook:
        """Return the gradebook of what was handed in, and of students who may have handed nothing in.

        Raises:
            UsageError: A time has no zone, and the rules say none.
        """
        people = {each.student: each for each in self._given.people or []}
        folders = {student for student, _ in attempts} | {*students}
        if self._given.platform and folders - people.keys():  # who of the table could be one of these
            self._doubtful = people.keys() - folders
        everybody = sorted(folders | people.keys())
        assignments = sorted({assignment for _, assignment in attempts})
        entries, totals = [], []
        for student in everybody:
            own = [self._entry(student, assignment, attempts.get((student, assignment))) for assignment in assignments]
            entries += own
            person = people.get(student)
            on_roster = None if self._given.people is None else person is not None
            name, email = ("", "") if person is None else (person.name, person.email)
            totals.append(self._total(student, own, name=name, email=email, on_roster=on_roster))
        policy = self._policy
        source = None if policy.path is None else PolicySource(file=str(policy.path), sha256=policy.sha256)
        return Gradebook(
            schema_version=SCHEMA_VERSION,
            policy=source,
            sources={},
            valid_until=self._valid_until(entries),
            entries=entries,
            students=totals,
        )

    def _valid_until(self, entries: Iterable[Entry]) -> str | None:
        """Return the first due date at which something that was not handed in begins to count as 0 or to be dropped."""
        if not (self._policy.missing_is_zero or self._policy.drop_lowest):
            return None
        dues = [due for each in entries if each.report is None and (due := self._due(each)) and self._is_open(due)]
        return min(dues, key=lambda due: due.astimezone(UTC)).isoformat() if dues else None

    def _entry(self, student: str, assignment: str, own: Attempts | None) -> Entry:
        due, _ = self._policy.due_of(student, assignment)
        counted: Decimal | None = None
        chosen: _Counted | None = None
        if (student, assignment) in self._gone:
            reasons = [why("gone")]
        elif own is None:
            counted, reasons = self._of_nothing(student, assignment, due)
        elif not own.graded or (own.newest.problem is not None and self._newest_can_count(own)):
            reasons = [why("not_graded")]
        else:
            chosen, reasons = self._chosen(own)
            counted = None if chosen is None else chosen.counted
        return Entry(
            student=student,
            assignment=assignment,
            raw=None if own is None or own.newest.problem or own.newest.score is None else plain(own.newest.score),
            counted=counted,
            max_score=self._points[assignment] if own is None else own.newest.max_score,
            submitted=None if chosen is None or chosen.submitted is None else chosen.submitted.isoformat(),
            due=None if due is None else due.isoformat(),
            late_days=0 if chosen is None else chosen.days,
            attempt=None if chosen is None else chosen.number,
            attempts=0 if own is None else len(own.graded),
            report=None if own is None else own.report,
            why=reasons,
        )

    def _newest_can_count(self, own: Attempts) -> bool:
        """Return whether the newest file would count if it could be graded: of the last, not of the first few."""
        most = self._policy.most_attempts
        return not self._policy.best and (most is None or len(own.graded) < most)

    def _of_nothing(self, student: str, assignment: str, due: datetime | None) -> tuple[Decimal | None, list[Sentence]]:
        """Return what counts where nothing was handed in, and why."""
        if self._is_open(due):
            return None, [why("not_due", due=due)]
        if assignment in self._unseen or student in self._doubtful:
            return None, [why("unseen")]
        if self._policy.missing_is_zero and due is not None:
            return Decimal(0), [why("missing_zero")]
        return None, [why("missing")]

    def _is_open(self, due: datetime | None) -> bool:
        return due is not None and self._now.astimezone(UTC) <= due.astimezone(UTC)

    def _chosen(self, own: Attempts) -> tuple[_Counted | None, list[Sentence]]:
        """Return the attempt that counts, and why its points do; None where none is out of today's maximum."""
        policy, newest = self._policy, own.newest
        first = [each for each, number in own.graded.items() if number <= (policy.most_attempts or number)]
        able = [each for each in first if own.rows[each].max_score == newest.max_score]
        others = sorted({own.rows[each].max_score for each in first if each not in able})
        aside = [why("other_maximum", most=f"{plain(each):f}") for each in others]
        if not able:
            return None, [*aside, why("no_attempt", most=f"{plain(newest.max_score):f}")]
        found = [self._counted(own.rows[each], each, own.graded[each]) for each in able]
        last = found[able.index(own.submission)] if own.submission in able else found[-1]
        best = max(found, key=lambda each: each.counted)  # of equal ones the first
        chosen = best if policy.best else last
        reasons = [why("newest_failed")] if newest.problem is not None else []
        reasons += [why("by_hand")] if own.by_hand and policy.chooses else []
        if len(own.graded) > 1:
            every = len(first) == len(own.graded)
            key = ("best" if every else "best_of_most") if policy.best else "last" if own.submission in able else "most"
            number, attempts = chosen.number, len(own.graded)
            reasons.append(why(f"attempt_{key}", attempt=number, attempts=attempts, most=policy.most_attempts))
        return chosen, [*reasons, *aside, *chosen.why]

    def _counted(self, row: Row, submission: str, number: int) -> _Counted:
        """Return an attempt under the rules for lateness."""
        due, extended = self._policy.due_of(row.student, row.assignment)
        said = self._times.get((row.student, row.assignment, submission), Submitted())
        at = said.instant(self._policy.zone)
        penalty, raw = self._policy.penalty, plain(row.score or Decimal(0))
        if due is None:
            return _Counted(number, raw, at, 0, [])
        reasons = [why("extended", due=due)] if extended else []
        if said.late_days is None and said.at is None:
            return _Counted(number, raw, None, 0, [*reasons, why("no_time")])
        if said.late_days is not None:
            days = said.late_days
        elif at is not None:
            days = days_late(at, due, penalty.grace)
        else:
            raise UsageError(
                f"When {name_shown(row.student)} handed in {row.assignment} was looked for.",
                f"{said.at} has no time zone.",
                'Write `timezone = "Asia/Seoul"` (or where the course is) at the top of policy.toml.',
            )
        counted = points_after(raw, row.max_score, penalty, days)
        on = at if said.late_days is None else None
        percent, most = f"{plain(penalty.percent(days)):f}", f"{plain(row.max_score):f}"
        if penalty.ended(days):
            reasons.append(why("late_ended", days=days, due=due, at=on, limit=penalty.zero_after))
        elif days and percent != "0":
            reasons.append(why("late", days=days, due=due, at=on, percent=percent, most=most))
        elif days:
            reasons.append(why("late_free", days=days, due=due, at=on))
        elif on is not None and on.astimezone(UTC) > due.astimezone(UTC):
            reasons.append(why("grace", due=due, at=on, minutes=penalty.grace // MINUTE))
        return _Counted(number, counted, at, days, reasons)

    def _total(self, student: str, own: list[Entry], *, name: str, email: str, on_roster: bool | None) -> StudentTotal:
        known = [each for each in own if each.counted is not None]
        unknown = not known or any(each.not_graded for each in own)
        over = [each for each in own if each.counted is not None or not self._is_open(self._due(each))]
        ranked = [
            (each.assignment, None if each.report is None else each.counted or Decimal(0), each.max_score)
            for each in over
        ]
        dropped = [] if unknown else lowest(ranked, self._policy.drop_lowest)
        kept = [each for each in known if each.assignment not in dropped]
        return StudentTotal(
            student=student,
            name=name,
            email=email,
            on_roster=on_roster,
            counted=None if unknown else total_of([each.counted for each in kept if each.counted is not None]),
            max_score=total_of([each.max_score for each in kept]),
            dropped=dropped,
        )

    def _due(self, entry: Entry) -> datetime | None:
        return self._policy.due_of(entry.student, entry.assignment)[0]
