"""Compares two output folders, or one folder at two times: who went up or down, in which exercise and check."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import msgspec

from grader.errors import UsageError
from grader.results.report import read_report
from grader.results.write import STUDENT_COPIES
from grader.system.folder_listing import open_plain
from grader.text import counted, name_shown

from .journal import NAME, Journal
from .journal_lines import ExerciseLine, Line, Place, line_of

MOMENT = re.compile(r"\d{4}-\d\d-\d\d(T\d\d(:\d\d(:\d\dZ?)?)?)?")
SHAPES = "Name a reports folder as it is (reports), as it was (reports@2026-11-21) or before its last run (reports@-1)."
Points = tuple[Decimal, Decimal]
"""A score and the maximum."""


@dataclass(frozen=True)
class ExerciseChange:
    """An exercise whose score, maximum or checks differ.

    Attributes:
        before: Its points before; None where there was no such exercise.
        after: Its points after, likewise.
        checks: The checks that differ, each with its status before and after; empty where there was no such check.
    """

    id: str
    before: Points | None
    after: Points | None
    checks: dict[str, tuple[str, str]]


@dataclass(frozen=True)
class Change:
    """A submission whose score, maximum, problem or checks differ.

    Attributes:
        before: Its points before; None where there was no submission or it could not be graded.
        after: Its points after, likewise.
        resubmitted: Whether something else was handed in.
        exercises: What differs in which exercise.
    """

    student: str
    assignment: str
    before: Points | None
    after: Points | None
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
        raise UsageError(f"There is no folder {name_shown(str(folder))}.", SHAPES)
    if (folder / NAME).is_file():
        lines = list(Journal(folder, None).lines())
        lines = _until(lines, moment) if moment else lines
        reports = {line.place: line for line in lines}
    elif moment:
        raise UsageError(f"{name_shown(str(folder))} has no {NAME}, so what was in it earlier is not known.", SHAPES)
    else:
        reports = {line.place: line for line in _lines_of_reports(folder)}
    if not reports:
        when = f" of {moment} or before" if moment else ""
        raise UsageError(f"{name_shown(str(folder))} has no report{when}.", SHAPES)
    return reports


def compare(old: Mapping[Place, Line], new: Mapping[Place, Line]) -> list[Change]:
    """Return every submission that differs, sorted by assignment and student."""
    places = sorted(old.keys() | new.keys(), key=lambda place: (place[1], place[0]))
    return [change for place in places if (change := _change(place, old.get(place), new.get(place))) is not None]


def _change(place: Place, old: Line | None, new: Line | None) -> Change | None:
    before, after = (
        (line.score, line.max_score) if line is not None and line.score is not None else None for line in (old, new)
    )
    exercises, resubmitted = [], False
    if old is not None and new is not None:
        resubmitted = old.submission != new.submission
        had, has = ({exercise.id: exercise for exercise in line.exercises} for line in (old, new))
        changes = (_exercise_change(id, had.get(id), has.get(id)) for id in dict.fromkeys([*had, *has]))
        exercises = [change for change in changes if change is not None]
    if before == after and not exercises and (old is None) == (new is None):
        return None
    return Change(*place, before, after, resubmitted, exercises)


def _exercise_change(id: str, old: ExerciseLine | None, new: ExerciseLine | None) -> ExerciseChange | None:
    before, after = (
        (line.score, line.max_score) if line is not None and line.score is not None else None for line in (old, new)
    )
    had, has = (line.checks if line else {} for line in (old, new))
    checks = {
        name: (had.get(name, ""), has.get(name, ""))
        for name in dict.fromkeys([*had, *has])
        if had.get(name) != has.get(name)
    }
    return ExerciseChange(id, before, after, checks) if checks or before != after else None


def _folder_and_moment(named: str) -> tuple[Path, str]:
    folder, sign, moment = named.rpartition("@")
    if not sign or Path(named).is_dir():
        return Path(named), ""
    if not (_is_a_time(moment) or re.fullmatch(r"-[1-9]\d{0,3}", moment)):
        raise UsageError(f"{moment!r} after the @ is not a time.", SHAPES)
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
        ago = counted(-int(moment), "run")
        raise UsageError(f"The journal has only {counted(len(runs), 'run')}, so nothing is from {ago} ago.", SHAPES)
    earlier = set(runs[: int(moment)])
    return [line for line in lines if line.run in earlier]


def _lines_of_reports(folder: Path) -> Iterator[Line]:
    """Give the reports of a folder without a journal in the journal's form."""
    for path in sorted(folder.glob("[!.]*/*.json")):
        if path.parent.name != STUDENT_COPIES:
            try:
                with open_plain(path) as file:
                    report = read_report(file.read())
            except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                raise UsageError(f"{name_shown(str(path))} is not a report of this version.", SHAPES) from None
            handed_in = report.submission.sha256.get(report.submission.graded or "", "")
            yield line_of(report, written=report.started, submission=handed_in)
