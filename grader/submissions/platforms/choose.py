"""Tells which platform's download a folder or zip file is, by which platform's names explain most of what is there."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec

from grader.errors import UsageError
from grader.submissions.path_errors import first_names, quoted_path

from . import autolab, blackboard, brightspace, canvas, github, google, gradescope, moodle, nbgrader, prairielearn
from .handed_in import HandedIn, Listing


class Platform(NamedTuple):
    """A platform.

    Attributes:
        title: What it is called.
        read: How its download is read.
        own: How a file is called that the platform wrote.
        sure: Whether no single student is likely to have made such names, so that `--layout` is not needed.
    """

    title: str
    read: Callable[[Listing], list[HandedIn]]
    own: re.Pattern[str] | None = None
    sure: Callable[[Listing, list[HandedIn]], bool] = lambda listing, handed: True


PLATFORMS = {
    "autolab": Platform("Autolab", autolab.read),
    "blackboard": Platform("Blackboard", blackboard.read, blackboard.RECEIPT),
    "brightspace": Platform("Brightspace", brightspace.read, re.compile(r"index\.html")),
    "canvas": Platform("Canvas", canvas.read, sure=canvas.is_sure),
    "github": Platform("GitHub Classroom", github.read),
    "google": Platform("Google Drive", google.read, sure=google.is_sure),
    "gradescope": Platform(
        "Gradescope", gradescope.read, re.compile(re.escape(gradescope.METADATA)), gradescope.is_sure
    ),
    "moodle": Platform("Moodle", moodle.read),
    "nbgrader": Platform("nbgrader's exchange", nbgrader.read),
    "prairielearn": Platform("PrairieLearn", prairielearn.read),
}
OWN_FOLDERS = "folders"
LAYOUTS = (*PLATFORMS, OWN_FOLDERS)


class Download(NamedTuple):
    """What the names in a download say.

    Attributes:
        title: The platforms' names.
        rest: The names that say nothing, without the platform's own files.
    """

    title: str
    handed: list[HandedIn]
    rest: list[str]

    @property
    def is_flat(self) -> bool:
        """Whether everybody's files are side by side, without a folder for each attempt."""
        return bool(self.handed[0].file)


class _Reading(NamedTuple):
    """What one platform's names say of a folder, and which of the names are the platform's."""

    layout: str
    handed: list[HandedIn]
    known: set[str]

    @property
    def title(self) -> str:
        return PLATFORMS[self.layout].title

    @property
    def is_flat(self) -> bool:
        return any(one.file for one in self.handed)


def read_download(listing: Listing, layout: str | None = None) -> Download | None:
    """Return what a platform's download holds, None for any other folder, or one that is not of the platform named.

    Where folders of attempts of two platforms are side by side, each is read by its own.

    Args:
        layout: The platform that it is of, as `LAYOUTS` has it; None to find out.

    Raises:
        UsageError: It may equally be of two platforms, or be one student's, or some name in it may be read in two ways.
    """
    found = sorted(_readings(listing, layout), key=lambda one: -len(one.known))
    if not found:
        return None
    best, *others = found
    if same := [one for one in others if len(one.known) == len(best.known) and one.known & best.known]:
        may_be = " and ".join(one.title for one in (best, *same))
        hint = f"Say which with {' or '.join(f'--layout {one.layout}' for one in (best, *same))}."
        raise UsageError(
            "A platform's download was looked for.", f"{quoted_path(listing.path)} may be one of {may_be}.", hint
        )
    if layout is None and not PLATFORMS[best.layout].sure(listing, best.handed):
        named = first_names(dict.fromkeys(one.name for one in best.handed))
        raise UsageError(
            "A class or one student's folder was looked for.",
            f"{quoted_path(listing.path)} holds {named}, which may be a download from {best.title} or one student's.",
            f"For the download, say --layout {best.layout}; for students' own folders, --layout folders; for one "
            "student, say with --student who it is.",
        )
    taken, known = [best], best.known
    for one in others:
        if not best.is_flat and not one.is_flat and not known & one.known:
            taken, known = [*taken, one], known | one.known
    handed = [one for reading in taken for one in reading.handed]
    if unclear := [one.name for one in handed if not one.student]:
        raise UsageError(
            f"The students in a download from {best.title} were looked for.",
            f"Of {first_names(unclear)} nothing says where the title ends and the student's name begins.",
            "Download it again with the .txt files that the platform adds, or give each student a folder.",
        )
    title = " and ".join(reading.title for reading in taken)
    return Download(title, handed, [name for name in listing.entries if name not in known])


def not_of(layout: str, path: Path) -> UsageError:
    """Return the error about a folder that is not of the platform that was named."""
    title = PLATFORMS[layout].title
    found = f"No name in {quoted_path(path)} is one that {title} gives."
    return UsageError(f"A download from {title} was looked for.", found, "Leave --layout out, or name another one.")


def is_download(listing: Listing, layout: str | None = None, students: int = 1) -> bool:
    """Return whether a folder holds what a platform named, or the platform that is said, of so many students."""
    try:
        found = _readings(listing, layout)
    except UsageError:  # a platform's own file is there, and says of nobody what is theirs
        return students == 1
    return any(len({one.student for one in reading.handed}) >= students for reading in found)


def _readings(listing: Listing, layout: str | None) -> list[_Reading]:
    found = []
    listing = msgspec.structs.replace(listing, asked=layout in PLATFORMS)
    for name, platform in PLATFORMS.items():
        if layout in (None, name) and (handed := platform.read(listing)):
            own = listing.named(platform.own) if platform.own else {}
            found.append(_Reading(name, handed, {*own, *(one.name for one in handed)} & listing.entries.keys()))
    return found
