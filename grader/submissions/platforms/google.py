"""A folder of Google Drive, as Google Forms and Classroom fill it and Drive packs it.

Forms puts the person's name behind the file's, `simple_attention - Ann Lee.py`, as programs expect it that sort such
folders. Copies that Classroom makes have it in front, `Ann Lee - simple_attention.ipynb`; no document says so. The
student is called `Ann Lee`. The way counts that most names are written in: in the other one a student may have put
somebody else's name into a file's. Drive adds ` (1)` to the second of two equal names; nobody knows whether that is a
later attempt or somebody else, so such files are never chosen between. A student's copies may be called alike
(`simple_attention - old.py`), so unasked only the folder that Forms makes is one, `HW1 (File responses)`.
"""

import re
from pathlib import Path

from grader.submissions.possible_work import PACKED
from grader.system.folder_listing import is_program, kind_of
from grader.text import same_name_key

from .handed_in import HandedIn, Listing

TWICE = re.compile(r" ?\(\d+\)$")
COPIES = ("copy", "복사본")  # what Windows puts there for a copy


def is_sure(listing: Listing, handed: list[HandedIn]) -> bool:
    """Return whether the folder is one that Forms made."""
    return "(file responses)" in listing.title.lower()


def read(listing: Listing) -> list[HandedIn]:
    """Return whose each file is, where they are of several students or the teacher says that it is such a folder.

    In a folder that Forms made a file may have any name, in others one of the course's.
    """
    plain = {name: mode for name, mode in listing.entries.items() if kind_of(mode) is None}
    known = tuple(same_name_key(name) for pair in listing.stems.items() for name in pair)
    ways = ([one for name, mode in plain.items() if (one := _whose(name, mode, behind))] for behind in (True, False))
    found = max(ways, key=lambda way: sum(_is_of_course(one, known) for one in way))
    if is_sure(listing, found):
        return found
    found = [one for one in found if _is_of_course(one, known)]
    return found if listing.asked or len({one.student for one in found}) > 1 else []


def _whose(name: str, mode: int, behind: bool) -> HandedIn | None:
    """Return whose a file is, by the name behind or before its own; None where there is none."""
    stem, suffix = TWICE.sub("", Path(name).stem), Path(name).suffix
    who, dash, own = stem.rpartition(" - ")[::-1] if behind else stem.partition(" - ")
    return HandedIn(who, name, mode, own + suffix) if dash and who and who.casefold() not in COPIES else None


def _is_of_course(one: HandedIn, known: tuple[str, ...]) -> bool:
    """Return whether a program or an archive has a name of the course's."""
    return (is_program(one.name) or one.name.lower().endswith(PACKED)) and same_name_key(one.file).startswith(known)
