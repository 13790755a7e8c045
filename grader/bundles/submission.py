"""Lays what a platform hands over into the shape of a class, so that it is graded like any other submission.

Whatever was handed in then gets a report, also when nothing in it can be graded. Only the entries of one folder are
taken. No link is followed, nothing but regular files is opened, and a file that is too large to be graded is not
copied.
"""

import contextlib
import os
import shutil
import stat
from pathlib import Path

from grader.course.layout import Assignment
from grader.limits import Limits

MOST_ENTRIES = 1000


def lay_out(handed_in: Path, place: Path, assignment: Assignment, limits: Limits) -> None:
    """Lay a submission into an assignment's folder of a class.

    Args:
        handed_in: The folder that the platform filled, or a clone of the student's repository. The submission lies
        in it
            directly, or in a folder of the assignment's name, as in the release that students got.
        place: The folder `<class>/<student>/<assignment>` to make.
        assignment: Which assignment it is.
        limits: What may be as large as it is.
    """
    place.mkdir(parents=True)
    source = _folder(handed_in, assignment)
    largest = max(limits.source_bytes, limits.notebook_bytes)
    if source.is_dir():
        entries = sorted(os.scandir(source), key=lambda entry: (Path(entry.name).stem != assignment.name, entry.name))
        for entry in entries[:MOST_ENTRIES]:
            _lay(entry, place / entry.name, largest)


def _folder(handed_in: Path, assignment: Assignment) -> Path:
    """Return where the submission lies."""
    if any(os.path.lexists(handed_in / f"{assignment.name}{suffix}") for suffix in (".py", ".ipynb")):
        return handed_in
    for inside in (handed_in / assignment.id, handed_in / "assignments" / assignment.id):
        if inside.is_dir() and not inside.is_symlink() and not inside.parent.is_symlink():
            return inside
    return handed_in


def _lay(entry: os.DirEntry[str], place: Path, largest: int) -> None:
    """Lay one entry down; one that is gone or cannot be read is left out."""
    with contextlib.suppress(OSError):
        state = entry.stat(follow_symlinks=False)
        if stat.S_ISLNK(state.st_mode):
            place.symlink_to(Path(entry.path).readlink())  # the reader of submissions says that it is a link
        elif stat.S_ISDIR(state.st_mode):
            place.mkdir()
        elif stat.S_ISREG(state.st_mode) and state.st_size <= largest:
            shutil.copyfile(entry.path, place, follow_symlinks=False)
        elif stat.S_ISREG(state.st_mode):
            place.touch()
            os.truncate(place, state.st_size)  # takes no room, and is refused for its size
        else:
            os.mkfifo(place)
