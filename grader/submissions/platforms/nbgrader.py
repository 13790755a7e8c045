"""nbgrader's exchange, after `nbgrader/exchange/default/collect.py` of its source.

Its inbound folder has a folder for each attempt, `ann+01_simple_attention+2026-11-05 11:02:33 UTC+hash`, of `ann`. Any
student may write into it, under any name, so where the user ann owns an attempt of ann's, one that another user owns is
not hers. Its `submitted/` is as one's own folders are. What `nbgrader zip_collect` takes is another platform's
download, and is read as that.
"""

import re
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from .handed_in import HandedIn, Listing

STAMP = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)[ _T](?P<hour>\d\d)[:_.-](?P<minute>\d\d)[:_.-](?P<second>\d\d(?:\.\d+)?)"
    r"[ _]?(?P<zone>[+-]\d\d:?\d\d|[A-Za-z_/]*)(?:\+.*)?"
)
"""A time as nbgrader writes it, also where a system that allows no colon in a name has put something in its place."""


def read(listing: Listing) -> list[HandedIn]:
    """Return the attempts in the exchange's inbound folder."""
    found = [
        HandedIn(parts[0], name, mode, part=parts[1], when=_time(parts[2]))
        for name, mode in listing.folders.items()
        if (parts := _inbound(name, listing.stems))
    ]
    owned = {one.name for one in found if owner_of(listing.path / one.name) == one.student}
    owners = {one.student for one in found if one.name in owned}
    return [one for one in found if one.name in owned or one.student not in owners]


def owner_of(folder: Path) -> str:
    """Return the name of the user who owns a folder; empty where there is none to know."""
    try:
        return folder.owner()
    except (OSError, KeyError, NotImplementedError):  # in a zip file, of a number without a name, on Windows
        return ""


def _inbound(name: str, assignments: Collection[str]) -> tuple[str, str, str] | None:
    """Return student, assignment and time of a name of nbgrader's exchange, None for any other; each may hold a `+`."""
    parts = name.split("+")
    for at in range(1, len(parts) - 1):
        when = "+".join(parts[at + 1 :])
        if parts[at] in assignments or STAMP.fullmatch(when):
            return "+".join(parts[:at]), parts[at], when
    return None


def _time(text: str) -> datetime | None:
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
