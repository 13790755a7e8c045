"""The files below a folder or in a zip file, as a list: nothing is opened, and no link is followed."""

import stat
from collections import Counter
from pathlib import Path, PurePosixPath

import msgspec

from grader.errors import UsageError
from grader.language import N_
from grader.system.folder_listing import bytes_of, entries_of, is_hidden, kind_of
from grader.system.zip_files import zip_listing
from grader.text import name_shown

MOST_OF_STUDENT = 2000  # files; a folder of a student's that holds more is not looked through


class File(msgspec.Struct, frozen=True):
    """A file that was handed in: on disk, in a zip file there, or in a zip file in that.

    Attributes:
        path: Its place on disk, or that of the zip file.
        inside: Its path in the zip file; in a zip file in that, both paths.
        where: Its path below what was given, or below the student's folder, with `/` between the parts.
        kind: What is there instead of a file; None for a file.
        follow: Whether a link to a file is as good as the file.
    """

    path: Path
    inside: tuple[str, ...] = ()
    where: str = ""
    kind: str | None = None
    follow: bool = False

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
            return bytes_of(self.path, limit, self.follow)
        return zip_listing(self.path, *self.inside[:-1]).read(self.inside[-1], limit)

    def unpacked(self) -> "list[File]":
        """Return the files in this zip file, and this one itself with the reason where it is not read."""
        try:
            modes = zip_listing(self.path, *self.inside).modes
        except OSError as problem:
            return [msgspec.structs.replace(self, kind=f"a zip file that is not read: {problem.strerror}")]
        if len(modes) > MOST_OF_STUDENT:
            return [msgspec.structs.replace(self, kind=N_("a zip file with more than 2,000 files"))]
        files = [
            File(self.path, (*self.inside, name), f"{self.where}/{name}", kind_of(mode))
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

    @property
    def within(self) -> "Listing":
        """The same below the only folder that all is in; itself where there is none such."""
        tops = {file.where.partition("/")[0] for file in self.files}
        if len(tops) != 1 or any("/" not in file.where for file in self.files):
            return self
        (top,) = tops
        files = [msgspec.structs.replace(file, where=file.where[len(top) + 1 :]) for file in self.files]
        return Listing(files, {folder[len(top) + 1 :] for folder in self.folders if folder.startswith(f"{top}/")})

    @property
    def ways(self) -> "tuple[Listing, ...]":
        """The same from here, and below a folder or two around all."""
        return self, self.within, self.within.within


def listing_of(path: Path) -> Listing:
    """Return what is below a folder or in a zip file.

    Of a student's folder that is too full there is one entry that says so; what a zip file lists is never too much.

    Raises:
        UsageError: There is neither, or it can't be read.
    """
    shown = name_shown(str(path), 200)
    try:
        mode = path.lstat().st_mode
        if stat.S_ISDIR(mode):
            return _on_disk(path)
        if stat.S_ISLNK(mode):
            raise UsageError(f"{shown} is a symbolic link. Name the folder or file that it leads to.")
        listing = zip_listing(path)
    except OSError as problem:
        raise UsageError(f"{shown} could not be read: {problem.strerror}. Name a folder or a zip file.") from None
    modes = {name: mode for name, mode in sorted(listing.modes.items()) if not _hidden(name)}
    folders = {name for name in listing.folders if name and not _hidden(name)}
    folders |= {str(folder) for name in (*modes, *folders) for folder in PurePosixPath(name).parents if folder.name}
    return Listing([File(path, (name,), name, kind_of(mode)) for name, mode in modes.items()], folders)


def _hidden(name: str) -> bool:
    return any(map(is_hidden, name.split("/")))


def _on_disk(root: Path) -> Listing:
    files: list[File] = []
    folders: set[str] = set()
    counts: Counter[str] = Counter()
    waiting, at = [""], 1
    while waiting:
        folder = waiting.pop()
        student = "/".join(folder.split("/")[:at])
        try:
            entries = entries_of(root / folder)
        except OSError as problem:
            if not folder:
                raise
            files.append(File(root / folder, (), folder, f"a folder that could not be read: {problem.strerror}"))
            continue
        counts[student] += len(entries)
        if student and counts[student] > MOST_OF_STUDENT:
            files.append(File(root / folder, (), folder, N_("a folder with more than 2,000 files")))
            continue
        if not folder and len(entries) == 1:
            at = 2  # this one folder may be around all students
        for name, mode in entries.items():
            where = f"{folder}/{name}" if folder else name
            if stat.S_ISDIR(mode):
                folders.add(where)
                waiting.append(where)
            else:
                files.append(File(root / where, (), where, kind_of(mode)))
    return Listing(sorted(files, key=lambda file: file.where), folders)
