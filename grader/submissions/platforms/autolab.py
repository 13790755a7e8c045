"""Autolab, after `download_filename` in `app/controllers/submissions_controller.rb` of its source.

What is handed in has one name for all, such as `handin.py`, and the download has `ann@example.edu_3_handin.py` for the
third version. Autolab puts the address before the last two pieces between underscores, so `multi_head_attention.py` is
`3_multi_ann@example.edu_head_attention.py`. The student is called by the address, and the last version counts.
"""

import re

from grader.system.folder_listing import SUFFIXES

from .handed_in import HandedIn, Listing

WHO = r"(?P<who>[^/@]+@[^_/@]+)"
PLAIN = re.compile(rf"{WHO}_(?P<version>\d+)_(?P<begin>)(?P<end>[^_]+)")
ENDS = "|".join(map(re.escape, (*SUFFIXES, ".zip")))


def read(listing: Listing) -> list[HandedIn]:
    """Return whose each file is."""
    shapes = [_shape(stem) for stem in listing.stems.values() if "_" in stem]
    return [
        HandedIn(part["who"], name, listing.entries[name], part["begin"] + part["end"], number=int(part["version"]))
        for name, part in listing.named(PLAIN, *shapes).items()
    ]


def _shape(stem: str) -> re.Pattern[str]:
    """Return how the file of an assignment is called whose name has an underscore."""
    pieces = stem.split("_")
    begin, end = (re.escape(some) for some in ("_".join([*pieces[:-2], ""]), "_".join(pieces[-2:])))
    return re.compile(rf"(?P<version>\d+)_(?P<begin>{begin}){WHO}_(?P<end>{end}(?:{ENDS}))")
