"""Brightspace's download of all submissions, after programs that read it; its documents show no name.

A folder for each attempt, `123-456 - Ann Lee - Nov 5, 2026 1102 PM`, or a file, with its own name after the time; and
`index.html`. The student is called `123-456 - Ann Lee` here. The time is the site's own, in its language.
"""

import re
from datetime import datetime

from .handed_in import HandedIn, Listing

ATTEMPT = re.compile(r"(?P<student>\d+-\d+ - .+) - (?P<when>.*\d{4}.*)")
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


def read(listing: Listing) -> list[HandedIn]:
    """Return the folders of attempts; where there are none, the files."""
    folders = [
        HandedIn(found["student"], name, mode, when=_time(found["when"]))
        for name, mode in listing.folders.items()
        if (found := ATTEMPT.fullmatch(name))
    ]
    return folders or [one for name, mode in listing.entries.items() if (one := _file(name, mode))]


def _file(name: str, mode: int) -> HandedIn | None:
    parts = name.split(" - ")
    at = next((at for at in range(2, len(parts) - 1) if _time(parts[at])), 0)
    if not at or not re.fullmatch(r"\d+-\d+", parts[0]):
        return None
    return HandedIn(" - ".join(parts[:at]), name, mode, " - ".join(parts[at + 1 :]), when=_time(parts[at]))


def _time(text: str) -> datetime | None:
    """Return the time that is in a name, such as `Nov 5, 2026 1102 PM`; None where it says none."""
    found = next(filter(None, (date.fullmatch(text.strip()) for date in DATES)), None)
    if found is None:
        return None
    month, half = found["month"].lower(), (found["before"] or found["after"] or "").upper()
    if not month.isdecimal() and month not in MONTHS:
        return None
    hour = int(found["hour"]) % 12 + 12 * (half in ("PM", "오후")) if half else int(found["hour"])
    number = int(month) if month.isdecimal() else MONTHS.index(month) + 1
    try:
        return datetime(int(found["year"]), number, int(found["day"]), hour, int(found["minute"]))
    except ValueError:
        return None
