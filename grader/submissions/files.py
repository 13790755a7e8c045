"""The files below a folder or in a zip file, as a list: nothing is opened, and no link is followed."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec.structs import replace

from grader.errors import UsageError
from grader.language import N_
from grader.system.folder_listing import bytes_of, is_hidden, kind_of
from grader.system.zip_files import zip_listing
from grader.text import name_shown

MOST_PACKED = 2000  # files in a zip file that a student handed in; of one that holds more none is read


class File(msgspec.Struct, frozen=True):
    """A file that was handed in: on disk, in a zip file there, or in a zip file in that; and what names say of it.

    Attributes:
        path: Its place on disk, or that of the zip file.
        where: Its path below what was given, then in what was handed in with it, with `/` between the parts; that of a
            folder ends with one.
        inside: Its path in the zip file; in a zip file in that, both paths.
        kind: Why it is not read, as the end of a sentence; None for a file that may be.
        named: Whether it is called like the assignment.
        student: Whose it is; empty where nothing says so.
        assignment: What for; empty where it is in no assignment's place.
        attempt: When it was handed in, or with which attempt, as the platform writes it; empty where it does not say.
        late: Whether the platform says that it came late.
        uploaded: Its path in the download, or that of the folder of all that was handed in with it.
    """

    path: Path
    where: str
    inside: tuple[str, ...] = ()
    kind: str | None = None
    named: bool = False
    student: str = ""
    assignment: str = ""
    attempt: str = ""
    late: bool = False
    uploaded: str = ""

    @property
    def name(self) -> str:
        """Its bare name; nothing for a folder."""
        return self.where.rpartition("/")[2]

    @property
    def is_zip(self) -> bool:
        """Whether it is a zip file by its name."""
        return self.name.lower().endswith(".zip")

    def read(self, limit: int) -> tuple[bytes, int]:
        """Return its bytes and its size; where that is over the limit, bytes may be missing.

        Raises:
            OSError: It can't be read.
        """
        if not self.inside:
            return bytes_of(self.path, limit)
        return zip_listing(self.path, *self.inside[:-1]).read(self.inside[-1], limit)

    def unpacked(self) -> "list[File]":
        """Return the files in this zip file, or this one itself: another file, or one with the reason."""
        if not self.is_zip or self.kind is not None:
            return [self]
        try:
            files = [file for file in _packed(self.path, *self.inside) if file.name]
        except OSError as problem:
            return [replace(self, kind=problem.strerror)]
        if not files:
            return [replace(self, kind=N_("an empty zip file"))]
        if len(files) > MOST_PACKED:
            return [replace(self, kind=N_("a zip file with more than 2,000 files"))]
        return [replace(file, where=f"{self.where}/{file.where}") for file in files]


def listing_of(path: Path) -> list[File]:
    """Return what is below a folder or in a zip file, without what belongs to a tool.

    Raises:
        UsageError: There is neither, or it can't be read.
    """
    shown = name_shown(str(path), 200)
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            raise UsageError(f"{shown} is a symbolic link. Name the folder or file that it leads to.")
        return sorted(_on_disk(path) if stat.S_ISDIR(mode) else _packed(path), key=lambda file: file.where)
    except OSError as problem:
        shown = name_shown(str(problem.filename or path), 200)
        raise UsageError(
            f"{shown} could not be read: {problem.strerror}. Name a folder or a zip file, or with --student NAME one "
            "program."
        ) from None


def _on_disk(root: Path) -> Iterator[File]:
    def refuse(problem: OSError) -> None:
        raise problem

    for place, inner, others in os.walk(root, onerror=refuse):
        inner[:] = [name for name in inner if not is_hidden(name)]
        for path in (Path(place, name) for name in (*inner, *others) if not is_hidden(name)):
            where, mode = path.relative_to(root).as_posix(), path.lstat().st_mode
            yield File(path, f"{where}/") if stat.S_ISDIR(mode) else File(path, where, kind=kind_of(mode))


def _packed(path: Path, *inside: str) -> Iterator[File]:
    listing = zip_listing(path, *inside)
    entries = {**listing.modes, **{f"{folder}/": stat.S_IFREG for folder in listing.folders if folder}}
    for name, mode in entries.items():
        if not any(map(is_hidden, name.rstrip("/").split("/"))):
            yield File(path, name, (*inside, name), kind_of(mode))
