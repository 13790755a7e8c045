"""Lays what a platform hands over into the shape of a class, so that it is graded like any other submission.

Whatever was handed in then gets a report, also when nothing in it can be graded. No link is followed, nothing but
regular files is opened, and a file that is too large to be graded is not copied. Of what is in further folders only
the names are laid down: the student is told their names, and they are not graded.
"""

import contextlib
import os
import shutil
import stat
from itertools import chain, islice
from pathlib import Path

from grader.course.layout import Assignment
from grader.limits import Limits
from grader.system.folder_listing import is_hidden

MOST_ENTRIES = 1000


def lay_out(handed_in: Path, place: Path, assignment: Assignment, limits: Limits) -> None:
    """Lay a submission into an assignment's folder of a class, and what is beside it into the student's.

    Args:
        handed_in: The folder that the platform filled, or a clone of the student's repository. The submission is in
            it directly, or in a folder of the assignment's name, as in the release that students got. Of a folder
            beside that one, something is laid down where a name in it begins with the assignment's: it may be of
            another assignment.
    """
    place.mkdir(parents=True)
    largest = max(limits.source_bytes, limits.notebook_bytes)
    places = (handed_in / assignment.id, handed_in / "assignments" / assignment.id)
    real = [each for each in places if each.is_dir() and not each.is_symlink() and not each.parent.is_symlink()]
    source = real[0] if real else handed_in
    for entry in _entries(source, assignment.name):
        _lay(entry, place / entry.name, largest)
    if source != handed_in:
        for entry in _entries(handed_in, assignment.name):
            folder = entry.is_dir(follow_symlinks=False)
            if not (folder and source.is_relative_to(entry.path)) and (
                not folder or _speaks_of(entry, assignment.name)
            ):
                _lay(entry, place.parent / entry.name, largest)


def _entries(folder: Path, name: str) -> list[os.DirEntry[str]]:
    """Return the first entries of a folder that belong to no tool, those with the assignment's name first of all."""
    try:
        found = [entry for entry in os.scandir(folder) if not is_hidden(entry.name)]
    except OSError:
        return []
    return sorted(found, key=lambda entry: (Path(entry.name).stem != name, entry.name))[:MOST_ENTRIES]


def _speaks_of(folder: os.DirEntry[str], name: str) -> bool:
    """Return whether some name in a folder begins with the assignment's."""
    every = ([*folders, *files] for _, folders, files in os.walk(folder.path))
    names = islice(chain.from_iterable(every), MOST_ENTRIES)
    return any(each.lower().startswith(name.lower()) for each in names)


def _lay(entry: os.DirEntry[str], place: Path, largest: int) -> None:
    """Lay one entry down; one that is gone or cannot be read is left out."""
    with contextlib.suppress(OSError):
        state = entry.stat(follow_symlinks=False)
        if stat.S_ISLNK(state.st_mode):
            place.symlink_to(Path(entry.path).readlink())  # the reader of submissions says that it is a link
        elif stat.S_ISDIR(state.st_mode):
            _lay_names(Path(entry.path), place)
        elif stat.S_ISREG(state.st_mode) and state.st_size <= largest:
            shutil.copyfile(entry.path, place, follow_symlinks=False)
        elif stat.S_ISREG(state.st_mode):
            place.touch()
            os.truncate(place, state.st_size)  # takes no room, and is refused for its size
        else:
            os.mkfifo(place)


def _lay_names(folder: Path, place: Path) -> None:
    """Lay down a folder in which every file is empty, up to a number of entries."""
    place.mkdir()
    laid = 0
    for here, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not is_hidden(name)][: MOST_ENTRIES - laid]
        files = files[: MOST_ENTRIES - laid - len(folders)]
        laid += len(folders) + len(files)
        there = place / Path(here).relative_to(folder)
        for name in folders:
            (there / name).mkdir()
        for name in files:
            (there / name).touch()
