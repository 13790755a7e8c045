"""Canvas, after `lib/content_zipper.rb` of its source: everybody's files are side by side.

`leeann_123_456_simple_attention-1.py` is from the user with the number 123, handed in as file 456; `LATE_` follows the
name where it came late, and `-1` where it was handed in once more. The student is called `leeann_123` here. Of an
anonymous grading it is `anon_4fKx9_456_simple_attention.py`, and where that came late, `LATE_` is in front; the student
is called `anon_4fKx9`. A folder of such a name is an unpacked archive. Of several attempts Canvas packs the last one.
Where a name may be read in two ways, the number in front is the user's: in `leeann_12_456_2026_simple_attention.py` the
student wrote `2026_`. A user called `leeann_12` would give the same, so beside other files of `leeann_12` that have one
reading only, nothing says whose it is.
"""

import re
from collections.abc import Collection
from typing import NamedTuple

from grader.system.folder_listing import is_program, kind_of
from grader.text import same_name_key

from .handed_in import HandedIn, Listing

AGAIN = re.compile(r"-\d+(?=(?:\.[^.]*)?$)")
NUMBER = r"(?:0|[1-9]\d*)"
WHAT = rf"(?:{NUMBER}_(?P<file>.+)|(?P<typed>(?:text|link)\.html))"
ANONYMOUS = re.compile(rf"(?P<late>LATE_)?(?P<who>anon)_(?P<user>[A-Za-z0-9]{{5}})_{WHAT}")
NUMBERS = re.compile(r"(?:_\d+)*")  # with which a user's name may end
BEHIND_WHO = re.compile(rf"(?=_(?P<late>LATE_)?(?P<user>{NUMBER})_{WHAT}$)")


class CanvasName(NamedTuple):
    """What Canvas wrote into a name, and the file's own name."""

    student: str
    user: str
    file: str
    late: bool


def canvas_names(name: str) -> list[CanvasName]:
    """Return every way to read a name as one that Canvas gave: none, one, or several."""
    if hidden := ANONYMOUS.fullmatch(name):
        found = [(hidden["who"], hidden)]
    else:
        found = [(name[: at.start()], at) for at in BEHIND_WHO.finditer(name)]
    return [
        CanvasName(f"{who}_{at['user']}", at["user"], at["file"] or at["typed"], bool(at["late"]))
        for who, at in found
        if who and "@" not in who and NUMBERS.fullmatch(who.removeprefix(found[0][0]))
    ]


def read(listing: Listing) -> list[HandedIn]:
    """Return what Canvas packed; where it was all unpacked, each folder is an attempt of which no time is known.

    Files without a program among them may be of anything, unless most are of such names and of several students.
    """
    course, folders = [same_name_key(name) for pair in listing.stems.items() for name in pair], listing.folders
    read = {name: names for name in listing.entries if (names := canvas_names(name))}
    certain = {names[0].student for names in read.values() if not _is_double(names, course)}
    found = [
        HandedIn(names[0].student, name, listing.entries[name], AGAIN.sub("", names[0].file), late=names[0].late)
        for name, names in read.items()
        if not (_is_double(names, course) and names[0].student in certain)
    ]
    known = {one.name for one in found}
    if folders and known == folders.keys():
        return [HandedIn(one.student, one.name, one.mode, late=one.late) for one in found]
    several = len({one.student for one in found}) > 1 and 2 * len(known) > len(listing.entries)
    return found if several or listing.asked or _has_program(found) else []


def _is_double(names: list[CanvasName], course: Collection[str]) -> bool:
    """Return whether a file of the course's may be another user's, whose name ends with numbers."""
    return any(same_name_key(one.file).startswith(tuple(course)) for one in names[1:])


def is_sure(listing: Listing, handed: list[HandedIn]) -> bool:
    """Return whether these are folders, or a program is among the files, or nothing beside them."""
    return not handed[0].file or _has_program(handed) or len(handed) == len(listing.entries)


def _has_program(handed: list[HandedIn]) -> bool:
    return any(is_program(one.name) and kind_of(one.mode) != "a folder" for one in handed)
