"""The files below a folder or in a zip file, as a list: nothing is opened, and no link is followed."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import msgspec

from grader.errors import UsageError
from grader.language import N_
from grader.system.folder_listing import bytes_of, is_hidden, kind_of
from grader.system.zip_files import zip_listing
from grader.text import name_shown

MOST_PACKED = 2000  # files in a zip file that a student handed in; of one that holds more none is read


class File(msgspec.Struct, frozen=True):
    """A file that was handed in: on disk, in a zip file there, or in a zip file in that.

    Attributes:
        path: Its place on disk, or that of the zip file.
        where: Its path below what was given, or below the student's folder, with `/` between the parts.
        inside: Its path in the zip file; in a zip file in that, both paths.
        kind: What is there instead of a file; None for a file.
    """

    path: Path
    where: str
    inside: tuple[str, ...] = ()
    kind: str | None = None

    @property
    def name(self) -> str:
        """Its bare name."""
        return self.where.rpartition("/")[2]

    @property
    def stem(self) -> str:
        """Its bare name without suffix."""
        return Path(self.name).stem

    @property
    def is_zip(self) -> bool:
        """Whether it is a zip file by its name."""
        return self.kind is None and self.name.lower().endswith(".zip")

    def read(self, limit: int) -> tuple[bytes, int]:
        """Return its bytes and its size; where that is over the limit, bytes may be missing.

        Raises:
            OSError: It can't be read.
        """
        if not self.inside:
            return bytes_of(self.path, limit)
        return zip_listing(self.path, *self.inside[:-1]).read(self.inside[-1], limit)

    def unpacked(self) -> "list[File]":
        """Return the files in this zip file, or this one itself with the reason why none of them is read."""
        try:
            modes = zip_listing(self.path, *self.inside).modes
        except OSError as problem:
            return [msgspec.structs.replace(self, kind=f"a zip file that is not read: {problem.strerror}")]
        if len(modes) > MOST_PACKED:
            return [msgspec.structs.replace(self, kind=N_("a zip file with more than 2,000 files"))]
        files = [
            File(self.path, f"{self.where}/{name}", (*self.inside, name), kind_of(mode))
            for name, mode in sorted(modes.items())
            if not _hidden(name)
        ]
        return files or [msgspec.structs.replace(self, kind=N_("an empty zip file"))]


class Listing(msgspec.Struct, frozen=True):
    """What is below a folder or in a zip file, without what belongs to a tool.

    Attributes:
        folders: The paths of the folders, some of which may be empty.
    """

    files: list[File]
    folders: set[str]

    def by_folder(self) -> "dict[str, Listing]":
        """Return what is in each of the uppermost folders."""
        inside = {folder: Listing([], set()) for folder in sorted(self.folders) if "/" not in folder}
        for file in self.files:
            top, inner, rest = file.where.partition("/")
            if inner:
                inside[top].files.append(msgspec.structs.replace(file, where=rest))
        for folder in self.folders:
            top, inner, rest = folder.partition("/")
            if inner:
                inside[top].folders.add(rest)
        return inside

    def ways(self) -> "Iterator[Listing]":
        """Yield the same from here, and below a folder or two around all."""
        listing = self
        for _ in range(3):
            yield listing
            inner = [folder for folder in listing.by_folder().values() if folder.files]
            if len(inner) != 1 or len(inner[0].files) < len(listing.files):
                return
            listing = inner[0]


def listing_of(path: Path) -> Listing:
    """Return what is below a folder or in a zip file.

    Raises:
        UsageError: There is neither, or it can't be read.
    """
    try:
        mode = path.lstat().st_mode
        if stat.S_ISDIR(mode):
            return _on_disk(path)
        if not stat.S_ISLNK(mode):
            return _in_zip(path)
    except OSError as problem:
        shown = name_shown(str(problem.filename or path), 200)
        raise UsageError(
            f"{shown} could not be read: {problem.strerror}. Name a folder or a zip file, or with --student NAME one "
            "program."
        ) from None
    raise UsageError(f"{name_shown(str(path), 200)} is a symbolic link. Name the folder or file that it leads to.")


def _on_disk(root: Path) -> Listing:
    def refuse(problem: OSError) -> None:
        raise problem

    files: list[File] = []
    folders: set[str] = set()
    for place, inner, others in os.walk(root, onerror=refuse):
        inner[:] = [name for name in inner if not is_hidden(name)]
        for name in [*inner, *(name for name in others if not is_hidden(name))]:
            path = Path(place, name)
            where, mode = path.relative_to(root).as_posix(), path.lstat().st_mode
            if stat.S_ISDIR(mode):
                folders.add(where)
            else:
                files.append(File(path, where, kind=kind_of(mode)))
    return Listing(sorted(files, key=lambda file: file.where), folders)


def _in_zip(path: Path) -> Listing:
    listing = zip_listing(path)
    files = [
        File(path, name, (name,), kind_of(mode)) for name, mode in sorted(listing.modes.items()) if not _hidden(name)
    ]
    folders = {name for name in listing.folders if name and not _hidden(name)}
    folders |= {
        str(folder) for name in (*folders, *(file.where for file in files)) for folder in PurePosixPath(name).parents
    }
    return Listing(files, folders - {"."})


def _hidden(name: str) -> bool:
    return any(map(is_hidden, name.split("/")))
