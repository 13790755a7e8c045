"""Canvas, after `lib/content_zipper.rb` of its source: everybody's files are side by side.

`leeann_123_456_simple_attention-1.py` is from the user with the number 123, handed in as file 456; `LATE_` follows the
name where it came late, and `-1` where it was handed in once more. The student is called `leeann_123` here. Of an
anonymous grading it is `anon_4fKx9_456_simple_attention.py`, and where that came late, `LATE_` is in front; the student
is called `anon_4fKx9`. A folder of such a name is an unpacked archive. Of several attempts Canvas packs the last one.
"""

import re

from grader.submissions.possible_work import programs

from .handed_in import HandedIn, Listing

UPLOADED, TYPED = r"\d+_(?P<file>.+)", r"(?P<file>(?:text|link)\.html)"
KNOWN = r"(?P<who>[^@]+?)_(?P<late>LATE_)?(?P<user>\d+)_"
ANONYMOUS = r"(?P<late>LATE_)?(?P<who>anon)_(?P<user>[A-Za-z0-9]+)_"
NAMES = [re.compile(who + what) for who in (ANONYMOUS, KNOWN) for what in (UPLOADED, TYPED)]


def canvas_name(name: str) -> re.Match[str] | None:
    """Return what Canvas wrote into a name; None for any other name."""
    return next(filter(None, (shape.fullmatch(name) for shape in NAMES)), None)


def read(listing: Listing) -> list[HandedIn]:
    """Return what Canvas packed; where it was all unpacked, each folder is an attempt of which no time is known."""
    parts, folders = listing.named(*NAMES), listing.folders
    found = [
        HandedIn(f"{part['who']}_{part['user']}", name, listing.entries[name], part["file"], late=bool(part["late"]))
        for name, part in parts.items()
    ]
    if any(name in parts for name in programs(listing.entries) if name not in folders):
        return found
    if folders and parts.keys() == folders.keys():
        return [HandedIn(one.student, one.name, one.mode, late=one.late) for one in found]
    whole = parts.keys() == listing.entries.keys() and len({one.student for one in found}) > 1
    return found if whole else []
