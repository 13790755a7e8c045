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
            files = _packed(self.path, *self.inside)
        except OSError as problem:
            return [msgspec.structs.replace(self, kind=f"a zip file that is not read: {problem.strerror}")]
        if not files:
            return [msgspec.structs.replace(self, kind=N_("an empty zip file"))]
        if len(files) > MOST_PACKED:
            return [msgspec.structs.replace(self, kind=N_("a zip file with more than 2,000 files"))]
        return [msgspec.structs.replace(file, where=f"{self.where}/{file.where}") for file in files]


class Listing(msgspec.Struct, frozen=True):
    """What is below a folder or in a zip file, without what belongs to a tool.

    Attributes:
        folders: The paths of the folders, some of which may be empty.
    """

    files: list[File]
    folders: set[str]

    def below(self, *folders: str) -> "Listing":
        """Return the same below some folders, each in the one before."""
        top = "/".join(folders)
        files = [msgspec.structs.replace(file, where=f"{top}/{file.where}") for file in self.files]
        return Listing(files, {folders[0], top, *(f"{top}/{folder}" for folder in self.folders)})

    def ways(self) -> "Iterator[Listing]":
        """Yield the same from here, and below a folder or two around all."""
        listing = self
        for _ in range(3):
            yield listing
            tops = {file.where.partition("/")[0] + "/" for file in listing.files}
            if len(tops) != 1 or not all("/" in file.where for file in listing.files):
                return
            (top,) = tops
            listing = Listing(
                [msgspec.structs.replace(file, where=file.where.removeprefix(top)) for file in listing.files],
                {folder.removeprefix(top) for folder in listing.folders if folder.startswith(top)},
            )


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
    def note(problem: OSError) -> None:
        if problem.filename == str(root):
            raise problem
        where = Path(problem.filename).relative_to(root).as_posix()
        files.append(File(root / where, f"{where}/*", kind=N_("a folder that could not be read")))

    files: list[File] = []
    folders: set[str] = set()
    for place, inner, others in os.walk(root, onerror=note):
        inner[:] = [name for name in inner if not is_hidden(name)]
        for name in [*inner, *(name for name in others if not is_hidden(name))]:
            path = Path(place, name)
            where, mode = path.relative_to(root).as_posix(), path.lstat().st_mode
            if stat.S_ISDIR(mode):
                folders.add(where)
            else:
                files.append(File(path, where, kind=kind_of(mode)))
    return Listing(sorted(files, key=lambda file: file.where), folders)


def _packed(path: Path, *inside: str) -> list[File]:
    """Return the files in a zip file, or in a zip file in it, by their paths there."""
    modes = zip_listing(path, *inside).modes
    return [
        File(path, name, (*inside, name), kind_of(mode)) for name, mode in sorted(modes.items()) if not _hidden(name)
    ]


def _in_zip(path: Path) -> Listing:
    files = _packed(path)
    names = [file.where for file in files]
    names += [f"{folder}/x" for folder in zip_listing(path).folders if folder and not _hidden(folder)]
    return Listing(files, {str(folder) for name in names for folder in PurePosixPath(name).parents} - {"."})


def _hidden(name: str) -> bool:
    return any(map(is_hidden, name.split("/")))
