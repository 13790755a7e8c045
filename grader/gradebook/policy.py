"""Reads `policy.toml`, the rules by which points count: due dates, extensions, lateness, attempts, what is dropped.

Everything in it decides grades, so an unknown word, a value of the wrong kind or a time without a time zone stops
whoever wanted to apply it, with a sentence.
"""

import datetime as dt
import hashlib
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

import msgspec

from grader.errors import CourseError
from grader.faults import did_you_mean, fault, parse_toml, read_text
from grader.text import composed, name_shown, one_line

from .lateness import Penalty, Step, days_after, instant

NAME = "policy.toml"
RULE = "the rules of a course must be TOML with the documented fields."
YEARS = range(2000, 2101)
KINDS = {
    "Object missing": "A table is missing the",
    "Object contains": "A table has the",
    "`int`": "a whole number",
    "`float`": "a number",
    "`str`": "text",
    "`bool`": "true or false",
    "`array`": "a list",
    "`object`": "a table",
}
"""What msgspec says, and how somebody who writes TOML says it."""
NO_PENALTY = Penalty()
Days = Annotated[int, msgspec.Meta(ge=1, le=1000)]
Percent = Annotated[float, msgspec.Meta(ge=0, le=100)]


class _Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every table of the file has in common: nothing in it is open."""


class _Step(_Table, frozen=True, kw_only=True):
    from_day: Days
    percent: Percent


class _Late(_Table, frozen=True, kw_only=True):
    grace_minutes: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 0
    percent_per_day: Percent | None = None
    most_percent: Percent | None = None
    steps: list[_Step] = []
    zero_after_days: Annotated[int, msgspec.Meta(ge=0, le=1000)] | None = None


class _Attempts(_Table, frozen=True, kw_only=True):
    count: Literal["last", "best"] = "last"
    most: Annotated[int, msgspec.Meta(ge=1)] | None = None


class _Extension(_Table, frozen=True, kw_only=True):
    student: str
    assignment: str | None = None
    days: Days | None = None
    until: Any = None


class _File(_Table, frozen=True, kw_only=True):
    timezone: str | None = None
    missing: Literal["empty", "zero"] = "empty"
    drop_lowest: Annotated[int, msgspec.Meta(ge=0)] = 0
    due: dict[str, Any] = {}
    late: _Late = _Late()
    attempts: _Attempts = _Attempts()
    extension: list[_Extension] = []


@dataclass(frozen=True)
class Extension:
    """More time for a student: in one assignment, or in all where none is named."""

    student: str
    assignment: str | None
    days: int | None
    until: dt.datetime | None


@dataclass(frozen=True)
class Policy:
    """The rules of a course. Without a file, raw points count as they are.

    Attributes:
        zone: The time zone of times that have none; None where it is not said.
        due: The due dates, with their time zones, by assignment.
        best: Whether the best of the attempts counts, and not the last.
        most_attempts: How many attempts count at most, the first ones; None for all.
        missing_is_zero: Whether who handed nothing in has 0 points after the due date.
        path: The file; None without one.
        sha256: Of its bytes.
    """

    zone: dt.tzinfo | None = None
    due: dict[str, dt.datetime] = field(default_factory=dict)
    extensions: list[Extension] = field(default_factory=list)
    penalty: Penalty = NO_PENALTY
    best: bool = False
    most_attempts: int | None = None
    drop_lowest: int = 0
    missing_is_zero: bool = False
    path: Path | None = None
    sha256: str = ""

    @property
    def chooses(self) -> bool:
        """Whether another attempt than the newest can count."""
        return self.best or self.most_attempts is not None

    def due_of(self, student: str, assignment: str) -> tuple[dt.datetime | None, bool]:
        """Return until when a student can hand in on time, None for ever, and whether by an extension."""
        due = self.due.get(assignment)
        if due is None:
            return None, False
        own = [
            each.until if each.until is not None else days_after(due, each.days or 0)
            for each in self.extensions
            if composed(each.student) == composed(student) and each.assignment in (None, assignment)
        ]
        last = max([due, *own], key=lambda moment: moment.astimezone(dt.UTC))
        return last, last.astimezone(dt.UTC) > due.astimezone(dt.UTC)

    def unknown_students(self, known: Iterable[str]) -> list[str]:
        """Return who has an extension and is none of the known students."""
        names = {composed(name) for name in known}
        return sorted({each.student for each in self.extensions if composed(each.student) not in names})


def read_policy(path: Path, assignments: Collection[str]) -> Policy:
    """Read the rules of a course with these assignments.

    Raises:
        CourseError: It cannot be read, a field is unknown or of the wrong kind, an assignment is not one of the course,
            or a time has no time zone.
    """
    text = read_text(path, RULE)
    values = parse_toml(text, path, RULE)
    kinds = (dt.datetime, dt.date, dt.time)
    try:
        found = msgspec.convert(values, _File, builtin_types=kinds)
    except msgspec.ValidationError as problem:
        raise fault(path, None, RULE, f"{one_line(_plain(str(problem)), 300)}.", _advice(str(problem))) from None
    reader = _Reader(path, assignments, found)
    return Policy(
        zone=reader.zone,
        due={name: reader.due(name, value) for name, value in found.due.items()},
        extensions=[reader.extension(each) for each in found.extension],
        penalty=reader.penalty(found.late),
        best=found.attempts.count == "best",
        most_attempts=found.attempts.most,
        drop_lowest=found.drop_lowest,
        missing_is_zero=found.missing == "zero",
        path=path,
        sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
    )


def _plain(problem: str) -> str:
    """Return what msgspec says in the words of the file: `late.percent_per_day`, a number, text."""
    problem = re.sub(r" - at `\$\.?(.*?)`$", r" in `\1`", problem)
    problem = problem.replace(" | null`", "`")
    for said, words in KINDS.items():
        problem = problem.replace(said, words)
    return problem


def _advice(problem: str) -> str:
    """Return what to write instead of a field or a word that is not known; empty for other faults."""
    if field := re.search("unknown field `(.*?)`", problem):
        tables = {"": _File, "late.": _Late, "late.steps[].": _Step, "attempts.": _Attempts, "extension[].": _Extension}
        there = {f"{place}{name}": name for place, each in tables.items() for name in each.__struct_fields__}
        if field[1] in there.values():
            return f"It is written as `{next(where for where, name in there.items() if name == field[1])}`."
        return did_you_mean(field[1], there.values())
    if problem.endswith("`$.extension`"):
        return "Write each under `[[extension]]`, with two brackets."
    return '`missing` is "empty" or "zero", `count` is "last" or "best".' if "enum value" in problem else ""


def _percent(value: float) -> Decimal:
    return Decimal(str(value))


class _Reader:
    """Turns the file's values into rules, and says which of them cannot be."""

    def __init__(self, path: Path, assignments: Collection[str], found: _File) -> None:
        self._path, self._assignments, self._due = path, assignments, found.due
        self.zone = None if found.timezone is None else self._zone(found.timezone)

    def due(self, assignment: str, value: Any) -> dt.datetime:
        self._known(assignment, "`due`")
        return self._moment(value, f"`due.{assignment}`")

    def extension(self, each: _Extension) -> Extension:
        where = f"the extension of {name_shown(each.student)}"
        if each.assignment is not None:
            self._known(each.assignment, where)
            if each.assignment not in self._due:
                raise self._fault(f"In {where}, {each.assignment} has no due date to extend.", "Add it to `due`.")
        if (each.days is None) == (each.until is None):
            found = "neither is given" if each.days is None else "both are given"
            raise self._fault(f"In {where}, exactly one of `days` and `until` was looked for; {found}.")
        if each.until is None:
            return Extension(each.student, each.assignment, each.days, None)
        if each.assignment is None:
            raise self._fault(f"In {where}, `until` needs an `assignment`.", "Add it, or write `days`.")
        until, due = (
            self._moment(each.until, f"`until` of {where}"),
            self.due(each.assignment, self._due[each.assignment]),
        )
        if until.astimezone(dt.UTC) < due.astimezone(dt.UTC):
            raise self._fault(f"In {where}, `until` is before the due date of {each.assignment}.")
        return Extension(each.student, each.assignment, None, until)

    def penalty(self, late: _Late) -> Penalty:
        if late.steps and late.percent_per_day is not None:
            raise self._fault("`late` has both `percent_per_day` and `steps`.", "Keep one of them.")
        if late.most_percent is not None and late.percent_per_day is None:
            raise self._fault("`late` has `most_percent` without `percent_per_day`.", "It limits what days add up to.")
        steps = [Step(from_day=each.from_day, percent=_percent(each.percent)) for each in late.steps]
        rising = all(one.from_day < two.from_day and one.percent <= two.percent for one, two in pairwise(steps))
        if not rising:
            raise self._fault(
                "The `steps` of `late` do not rise.",
                "Write them by `from_day`, no `percent` lower than the one before.",
            )
        return Penalty(
            grace=dt.timedelta(minutes=late.grace_minutes),
            per_day=_percent(late.percent_per_day or 0),
            most=_percent(100 if late.most_percent is None else late.most_percent),
            steps=steps,
            zero_after=late.zero_after_days,
        )

    def _moment(self, value: Any, where: str) -> dt.datetime:
        """Return a time with its zone; a date means the end of that day."""
        if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
            value = dt.datetime.combine(value, dt.time(23, 59, 59))
        if not isinstance(value, dt.datetime):
            shown = str(value) if isinstance(value, dt.time) else repr(value)
            found = f"{where} is {one_line(shown, 60)}, not a date."
            raise self._fault(found, "Write it without quotes, such as 2026-11-05T23:59:59+09:00.")
        if value.year not in YEARS:
            raise self._fault(f"{where} is in the year {value.year}.")
        moment = instant(value, self.zone, later=True)
        if moment is None:
            found = f"{where} is {value.isoformat(sep=' ')}, without a time zone."
            raise self._fault(
                found, 'Add one, as in 2026-11-05T23:59:59+09:00, or begin the file with `timezone = "Asia/Seoul"`.'
            )
        return moment

    def _zone(self, name: str) -> ZoneInfo:
        try:
            return ZoneInfo(name)
        except (KeyError, ValueError, OSError):
            hint = "Write it as in the list of time zones: Asia/Seoul, Europe/Berlin, UTC."
            raise self._fault(f"`timezone` is {name_shown(name)}, which this machine does not know.", hint) from None

    def _known(self, assignment: str, where: str) -> None:
        if assignment not in self._assignments:
            found = (
                f"{where[:1].upper()}{where[1:]} names {name_shown(assignment)}, and the course has no such assignment."
            )
            raise self._fault(found, did_you_mean(assignment, self._assignments))

    def _fault(self, found: str, hint: str = "") -> CourseError:
        return fault(self._path, None, RULE, found, hint)
