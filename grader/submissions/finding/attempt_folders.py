"""Reads the names of folders that platforms give to attempts, which hold a student and the time of handing in.

Brightspace's download has a folder for each attempt, `123-456 - Ann Lee - Nov 5, 2026 1102 PM`; the student is called
`123-456 - Ann Lee` here. nbgrader's exchange has `ann+01_simple_attention+2026-11-05 11:02:33 UTC+hash`, of `ann`. Of
several attempts the newest counts. Where everything in Canvas's download was unpacked, all folders have its names, such
as `leeann_123_456_hw`, of `leeann_123`; no time is in them.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from .downloads import canvas_name

BRIGHTSPACE = re.compile(r"(?P<student>\d+-\d+ - .+) - (?P<when>.*\d{4}.*)")
STAMP = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)[ _T](?P<hour>\d\d)[:_.-](?P<minute>\d\d)[:_.-](?P<second>\d\d(?:\.\d+)?)"
    r"[ _]?(?P<zone>[+-]\d\d:?\d\d|[A-Za-z_/]*)(?:\+.*)?"
)
"""A time as nbgrader writes it, also where a system that allows no colon in a name has put something in its place."""
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
CLOCK = r",? +(?:(?P<before>AM|PM|오전|오후) *)?(?P<hour>\d{1,2})[:.]?(?P<minute>\d\d)(?: *(?P<after>[AP]M))?"
DATES = [
    re.compile(date + CLOCK, re.IGNORECASE)
    for date in (
        r"(?P<month>[A-Z]{3})[a-z.]* +(?P<day>\d{1,2}),? +(?P<year>\d{4})",
        r"(?P<day>\d{1,2}) +(?P<month>[A-Z]{3})[a-z.]*,? +(?P<year>\d{4})",
        r"(?P<year>\d{4})[-년.] *(?P<month>\d{1,2})[-월.] *(?P<day>\d{1,2})[일.]?",
    )
]


@dataclass(frozen=True)
class StudentAttempts:
    """One student's attempts at one thing.

    Attributes:
        assignment: The assignment's id; None where the name does not say it.
        folder: The name of the newest one's folder.
        unsure: Whether no name tells which is the newest.
    """

    student: str
    assignment: str | None
    folder: str
    older: tuple[str, ...] = ()
    unsure: bool = False


def attempts_in(names: Iterable[str], assignments: Collection[str]) -> list[StudentAttempts]:
    """Return the attempts among the names of a class's folders."""
    grouped: dict[tuple[str, str], list[tuple[datetime | None, str]]] = {}
    folders = list(names)
    of_canvas = {name: part for name in folders if (part := canvas_name(name))}
    for name in folders:
        if len(of_canvas) == len(folders):
            part = of_canvas[name]
            grouped.setdefault((f"{part['who']}_{part['user']}", ""), []).append((None, name))
        elif inbound := _inbound(name, assignments):
            student, assignment, when = inbound
            grouped.setdefault((student, assignment), []).append((_stamped(when), name))
        elif found := BRIGHTSPACE.fullmatch(name):
            grouped.setdefault((found["student"], ""), []).append((_time(found["when"]), name))
    made = []
    for (student, assignment), some in grouped.items():
        times = sorted((when for when, _ in some if when is not None), reverse=True)
        unsure = len(some) > 1 and (len(times) < len(some) or times[0] == times[1])
        newest = next(name for when, name in some if not times or when == times[0])
        older = tuple(name for _, name in some if name != newest)
        made.append(StudentAttempts(student, assignment if assignment in assignments else None, newest, older, unsure))
    return made


def _inbound(name: str, assignments: Collection[str]) -> tuple[str, str, str] | None:
    """Return student, assignment and time of a name of nbgrader's exchange, None for any other; each may hold a `+`."""
    parts = name.split("+")
    for at in range(1, len(parts) - 1):
        when = "+".join(parts[at + 1 :])
        if parts[at] in assignments or STAMP.fullmatch(when):
            return "+".join(parts[:at]), parts[at], when
    return None


def _time(text: str) -> datetime | None:
    """Return the time that is in a folder's name, such as `Nov 5, 2026 1102 PM`; None where it says none."""
    found = next(filter(None, (date.fullmatch(text.strip()) for date in DATES)), None)
    if found is None:
        return None
    month, half = found["month"].lower(), (found["before"] or found["after"] or "").upper()
    if not month.isdecimal() and month not in MONTHS:
        return None
    hour = int(found["hour"]) % 12 + 12 * (half in ("PM", "오후")) if half else int(found["hour"])
    number = int(month) if month.isdecimal() else MONTHS.index(month) + 1
    try:
        return datetime(int(found["year"]), number, int(found["day"]), hour, int(found["minute"]), tzinfo=UTC)
    except ValueError:
        return None


def _stamped(text: str) -> datetime | None:
    """Return the time of nbgrader's stamp, such as `2026-11-05 11:02:33 UTC`; None where it says none."""
    found = STAMP.fullmatch(text)
    if found is None:
        return None
    day, hour, minute, second, zone = found.groups()
    try:
        if zone[:1] in ("+", "-") and zone:
            return datetime.fromisoformat(f"{day} {hour}:{minute}:{second}{zone}")
        here = UTC if zone in ("", "UTC") else ZoneInfo(zone)
        return datetime.fromisoformat(f"{day} {hour}:{minute}:{second}").replace(tzinfo=here)
    except (ValueError, OSError, KeyError):  # also a zone that is not known
        return None
