"""Lists and reads the files in a zip file, or in a zip file in one; nothing of it is ever written to disk.

A zip file that could mislead (two entries of one name, a path that leads out) is not read at all. Only what somebody
asks for is unpacked, and never more of it than they ask for.
"""

import errno
import io
import os
import re
import stat
import struct
import weakref
import zipfile
import zlib
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from grader.language import N_
from grader.text import name_shown

READ_FLAGS = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY")
)
"""For a file that somebody else put there: no link is followed, no pipe waited for."""
LONGEST_LIST = 64 * 1024 * 1024  # bytes of the list of contents
MOST_PACKED = 64 * 1024 * 1024  # bytes of a zip file in a zip file, which is held in memory
DRIVE = re.compile(r"[A-Za-z]:/")
HANGUL = re.compile(rb"[\xb0-\xc8][\xa1-\xfe]")  # one of the usual syllables; no letter of Europe looks so in cp437
BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, OverflowError, NotImplementedError)


class ZipFault(OSError):
    """A zip file that is not read; `strerror` says why, as the rest of a sentence."""

    def __init__(self, why: str) -> None:
        super().__init__(errno.EBADMSG, why)


class _BoundedReader(io.BufferedReader):
    """Reads only so much at once, so that no list of contents, however long it says it is, fills the memory."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > LONGEST_LIST:
            raise ZipFault(N_("it holds too many files"))
        return super().read(LONGEST_LIST if size is None or size < 0 else size)


class ZipListing:
    """What a zip file holds.

    Attributes:
        modes: The file mode of every file, by its path with `/` between the parts.
        folders: The paths of the folders that the zip file lists.

    Raises:
        ZipFault: It is not a zip file, a broken one, or one that could mislead.
    """

    def __init__(self, file: io.BufferedReader) -> None:
        weakref.finalize(self, file.close)
        try:
            self._zip = zipfile.ZipFile(file)
        except BROKEN as problem:
            raise ZipFault(N_("it is not a whole zip file")) from problem
        self.modes: dict[str, int] = {}
        self.folders: set[str] = set()
        self._infos: dict[str, zipfile.ZipInfo] = {}
        infos = self._zip.infolist()
        encoding = _encoding(b"\n".join(map(_coded, infos)))
        for info in infos:
            info.filename = _name(info, encoding)  # a copy of it as it was written finds the file
            path = "/".join(part for part in info.filename.split("/") if part not in ("", "."))
            _refuse_misleading(info)
            if info.is_dir():
                self.folders.add(path)
            elif path in self.modes:
                raise ZipFault(f"it holds {name_shown(path)} twice")
            else:
                self.modes[path] = stat.S_IFMT(info.external_attr >> 16) or stat.S_IFREG
                self._infos[path] = info

    def read(self, path: str, limit: int) -> tuple[bytes, int]:
        """Return a file's bytes and its size; where that is over the limit, bytes may be missing.

        Raises:
            OSError: It isn't there, is not a file, is locked or broken.
        """
        info = self._infos.get(path)
        if info is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        if not stat.S_ISREG(self.modes[path]):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if info.flag_bits & 1:
            raise ZipFault(N_("it is locked with a password"))
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ZipFault(N_("it is packed by a method that is not read"))
        try:
            with self._zip.open(info) as file:
                return file.read(limit + 1), info.file_size
        except BROKEN as problem:
            raise ZipFault(N_("it is broken")) from problem

    @lru_cache(maxsize=2)  # noqa: B019 - listings are few, and those that are in use are kept as well
    def inner(self, path: str) -> "ZipListing":
        """Return what a zip file in this one holds."""
        info = self._infos.get(path)
        if info is not None and info.file_size > MOST_PACKED:
            raise ZipFault(N_("it is larger than 64 MiB"))
        return ZipListing(_BoundedReader(io.BytesIO(self.read(path, MOST_PACKED)[0])))


def zip_listing(path: Path, *inside: str) -> ZipListing:
    """Return what a zip file holds, or a zip file in it.

    Args:
        inside: The path of the zip file in the zip file.

    Raises:
        OSError: There is none, or it is not read.
    """
    status = os.lstat(path)
    if not stat.S_ISREG(status.st_mode):
        raise ZipFault(N_("it is not a file"))
    listing = _listing(str(path), status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
    return listing.inner(inside[0]) if inside else listing


@lru_cache(maxsize=4)
def _listing(place: str, device: int, inode: int, size: int, changed: int) -> ZipListing:
    """Return what a zip file on disk holds; by its state, so that one that was changed is looked at again."""
    return ZipListing(_BoundedReader(io.FileIO(os.open(place, READ_FLAGS))))


def _refuse_misleading(info: zipfile.ZipInfo) -> None:
    name = info.filename
    if "\0" in info.orig_filename:
        raise ZipFault(f"it holds {name_shown(info.orig_filename)}, which is not the name of a file")
    if name.startswith("/") or DRIVE.match(name) or ".." in name.split("/"):
        raise ZipFault(f"it holds {name_shown(name)}, a path that leads out of it")


def _coded(info: zipfile.ZipInfo) -> bytes:
    """Return an entry's name as it was written, where nothing says in which code; else nothing."""
    if info.flag_bits & 0x800 or info.filename.isascii():
        return b""
    try:
        return info.filename.encode("cp437")
    except UnicodeEncodeError:  # Python 3.12 and later take the name from a field of its own
        return b""


def _encoding(names: bytes) -> str:
    """Return the one code of all such names of a zip file: UTF-8 as on macOS, or that of Windows in Korea or elsewhere.

    If each name had its own, a folder with several files could be two students.
    """
    for encoding in ("utf-8", "cp949"):
        with suppress(UnicodeDecodeError):
            names.decode(encoding)
            if encoding == "utf-8" or HANGUL.search(names):
                return encoding
    return "cp437"


def _name(info: zipfile.ZipInfo, encoding: str) -> str:
    name = _coded(info).decode(encoding) or info.filename
    # Some programs for Windows write its own separator.
    return name.replace("\\", "/") if info.create_system == 0 else name
