"""Compares two output folders, or one folder at two times: who went up or down, in which exercise and check."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import msgspec

from grader.errors import UsageError
from grader.results.report import Report, read_report
from grader.results.write import STUDENT_COPIES
from grader.text import counted, name_shown

from .journal import NAME, ExerciseLine, Journal, Line
from .plain_files import open_plain

MOMENT = re.compile(r"\d{4}-\d\d-\d\d(T\d\d(:\d\d(:\d\dZ?)?)?)?")
SHAPES = "Name a reports folder as it is (reports), as it was (reports@2026-11-21) or before its last run (reports@-1)."
Place = tuple[str, str]


@dataclass(frozen=True)
class CheckChange:
    """A check whose status differs; empty where there was no such check."""

    id: str
    before: str
    after: str


@dataclass(frozen=True)
class ExerciseChange:
    """An exercise whose score, maximum or checks differ."""

    id: str
    before: Decimal | None
    after: Decimal | None
    max_before: Decimal | None
    max_after: Decimal | None
    checks: list[CheckChange]


@dataclass(frozen=True)
class Change:
    """A submission whose score, maximum, problem or checks differ; a score is None where there was none.

    Attributes:
        student: The student's name.
        assignment: The assignment's id.
        before: The score before.
        after: The score after.
        max_before: Points that could be reached before; None where there was no score.
        max_after: Points that can be reached after, likewise.
        resubmitted: Whether something else was handed in.
        exercises: What differs in which exercise.
    """

    student: str
    assignment: str
    before: Decimal | None
    after: Decimal | None
    max_before: Decimal | None
    max_after: Decimal | None
    resubmitted: bool
    exercises: list[ExerciseChange]


def reports_at(named: str) -> dict[Place, Line]:
    """Return the newest report of each submission in a folder, by student and assignment.

    Args:
        named: The folder, with `@` and a time or `@-N` for what was there N runs ago.

    Raises:
        UsageError: There is no such folder, no report in it, or no such time.
    """
    folder, moment = _folder_and_moment(named)
    if not folder.is_dir():
        raise UsageError("A folder of reports was looked for.", f"There is no {name_shown(str(folder))}.", SHAPES)
    if (folder / NAME).is_file():
        lines = list(Journal(folder, None).lines())
        lines = _until(lines, moment) if moment else lines
        found = {(line.student, line.assignment): line for line in lines}
    elif moment:
        raise UsageError(f"What was in {name_shown(str(folder))} earlier was looked for.", f"It has no {NAME}.")
    else:
        found = {(line.student, line.assignment): line for line in map(_line_of, _reports(folder))}
    if not found:
        when = f" of {moment} or before" if moment else ""
        raise UsageError("Reports were looked for.", f"{name_shown(str(folder))} holds none{when}.", SHAPES)
    return found


def compare(old: Mapping[Place, Line], new: Mapping[Place, Line]) -> list[Change]:
    """Return every submission that differs, sorted by assignment and student."""
    changes = [_change(old.get(place), new.get(place)) for place in old.keys() | new.keys()]
    return sorted(
        (change for change in changes if change is not None), key=lambda each: (each.assignment, each.student)
    )


def _change(old: Line | None, new: Line | None) -> Change | None:
    either = new or old
    assert either is not None
    before, most_before = _score(old)
    after, most_after = _score(new)
    parts = [_exercise_change(*pair) for pair in _pairs(old, new)] if old is not None and new is not None else []
    exercises = [part for part in parts if part is not None]
    same = (before, most_before) == (after, most_after)
    if same and not exercises and (old is None) == (new is None):
        return None
    resubmitted = old is not None and new is not None and old.submission != new.submission
    return Change(either.student, either.assignment, before, after, most_before, most_after, resubmitted, exercises)


def _score(line: Line | None) -> tuple[Decimal | None, Decimal | None]:
    return (None, None) if line is None or line.problem is not None else (line.score, line.max_score)


def _pairs(old: Line, new: Line) -> list[tuple[ExerciseLine | None, ExerciseLine | None]]:
    before = {each.id: each for each in old.exercises}
    after = {each.id: each for each in new.exercises}
    return [(before.get(name), after.get(name)) for name in dict.fromkeys([*before, *after])]


def _exercise_change(old: ExerciseLine | None, new: ExerciseLine | None) -> ExerciseChange | None:
    either = new or old
    assert either is not None
    before, after = (old.checks if old else {}), (new.checks if new else {})
    checks = [
        CheckChange(name, before.get(name, ""), after.get(name, ""))
        for name in dict.fromkeys([*before, *after])
        if before.get(name) != after.get(name)
    ]
    score_before, most_before = (old.score, old.max_score) if old else (None, None)
    score_after, most_after = (new.score, new.max_score) if new else (None, None)
    if not checks and (score_before, most_before) == (score_after, most_after):
        return None
    return ExerciseChange(either.id, score_before, score_after, most_before, most_after, checks)


def _folder_and_moment(named: str) -> tuple[Path, str]:
    folder, sign, moment = named.rpartition("@")
    if not sign or Path(named).is_dir():
        return Path(named), ""
    if not (_is_a_time(moment) or re.fullmatch(r"-[1-9]\d{0,3}", moment)):
        raise UsageError("A time was looked for behind the @.", f"It is {moment!r}.", SHAPES)
    return Path(folder), moment


def _is_a_time(moment: str) -> bool:
    """Return whether a text is a day of the calendar, with a time of that day or without."""
    if not MOMENT.fullmatch(moment):
        return False
    try:
        return datetime.fromisoformat(moment).year > 0
    except ValueError:
        return False


def _until(lines: list[Line], moment: str) -> list[Line]:
    """Return the lines that were there at a time, or before the last so many runs that wrote something.

    The order is the journal's: what is before the last line of a time was there by then, whatever the clock said.
    """
    if not moment.startswith("-"):
        last = moment.rstrip("Z") + "~"  # behind every time that begins so: a day counts as a whole
        return lines[: max((n for n, line in enumerate(lines, 1) if line.written <= last), default=0)]
    runs = list(dict.fromkeys(line.run for line in lines))
    if len(runs) <= -int(moment):
        raise UsageError(
            f"The reports of {counted(-int(moment), 'run')} ago were looked for.",
            f"The journal has {counted(len(runs), 'run')}.",
            SHAPES,
        )
    earlier = set(runs[: int(moment)])
    return [line for line in lines if line.run in earlier]


def _reports(folder: Path) -> list[Report]:
    found = []
    for path in sorted(folder.glob("*/*.json")):
        if path.parent.name != STUDENT_COPIES:
            try:
                with open_plain(path) as file:
                    found.append(read_report(file.read()))
            except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                raise UsageError(
                    "A report was looked for.", f"{name_shown(str(path))} is not one of this version.", SHAPES
                ) from None
    return found


def _line_of(report: Report) -> Line:
    """Return a report without a journal in the journal's form; what only a journal knows is left empty."""
    graded = report.submission.graded
    return Line(
        run="", student=report.student, assignment=report.assignment, at=report.started, written=report.started,
        kit_version=report.kit_version, kit="", suite="", submission=report.submission.sha256.get(graded or "", ""),
        result="", key="", report="", copy="", score=report.score, max_score=report.max_score, problem=report.problem,
        exercises=[
            ExerciseLine(id=each.id, title=each.title, score=each.score, max_score=each.max_score, status=each.status,
                         checks={check.id: check.status for check in each.checks})
            for each in report.exercises
        ],
    )  # fmt: skip
