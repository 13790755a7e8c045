"""Looks into a zip file as if it were a folder; nothing of it is ever written to disk.

A path may lead on into a zip file, also into one in a zip file: `class.zip/ann/hw.zip/simple_attention.py`. The list of
a zip file's contents is looked through once. One that could mislead (two entries of one name, a path that leads out) is
not read at all; a folder that is too full is left out. Only what somebody asks for is unpacked, and never more of it
than they ask for.
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
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from itertools import takewhile
from pathlib import Path

from grader.text import name_shown

READ_FLAGS = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY")
)
"""For a file that somebody else put there: no link is followed, no pipe waited for."""
MOST_ENTRIES = 100_000  # files and folders
LONGEST_LIST = 16 * 1024 * 1024  # bytes of the list of contents
MOST_PACKED = 64 * 1024 * 1024  # bytes of a zip file in a zip file, which is held in memory
MOST_RATIO = 100  # how much smaller it may be packed once more; what is in it is packed already
MOST_FOLDERS = 40  # in one path
TOO_FULL = "it holds too many files and folders"
CHUNK = 1024 * 1024
DRIVE = re.compile(r"[A-Za-z]:/")
HANGUL = re.compile(rb"[\xb0-\xc8][\xa1-\xfe]")  # one of the usual syllables; no letter of Europe looks so in cp437
BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, OverflowError, NotImplementedError)

Parts = tuple[str, ...]


class ZipFault(OSError):
    """A zip file that is not read; `strerror` says why, as the rest of a sentence."""

    def __init__(self, why: str) -> None:
        super().__init__(errno.EBADMSG, why)


class _BoundedReader(io.BufferedReader):
    """Reads only so much at once, so that no list of contents, however long it says it is, fills the memory."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > LONGEST_LIST:
            raise ZipFault("it holds too many files")
        return super().read(LONGEST_LIST if size is None or size < 0 else size)


class ZipListing:
    """What a zip file holds.

    Attributes:
        folders: By the parts of its path, each folder's entries: their file modes by name.

    Raises:
        ZipFault: It is not a zip file, a broken one, or one that could mislead.
    """

    def __init__(self, file: io.BufferedReader) -> None:
        weakref.finalize(self, file.close)
        try:
            self._zip = zipfile.ZipFile(file)
        except BROKEN as problem:
            raise ZipFault("it is not a whole zip file") from problem
        self.folders: dict[Parts, dict[str, int]] = {(): {}}
        self._files: dict[Parts, zipfile.ZipInfo] = {}
        self._opened: tuple[Parts, ZipListing] | None = None
        self._left_out: set[Parts] = set()
        self._read_list()

    def _read_list(self) -> None:
        """Enter what the list of contents says; a folder that is too full, as one student's may be, is left out."""
        found: list[tuple[Parts, zipfile.ZipInfo]] = []
        names = self._zip.infolist()
        encoding = _encoding(b"\n".join(map(_coded, names)))
        for info in names:
            info.filename = _name(info, encoding)  # a copy of it as it was written finds the file
            if parts := _parts(info):
                found.append((parts, info))
        ends = [min(paths), max(paths)] if (paths := [parts for parts, _ in found]) else [(), ()]
        same = takewhile(lambda pair: pair[0] == pair[1], zip(*ends, strict=False))
        self._level = 1 + len(list(same))  # of the first folders that are beside each other
        held: defaultdict[Parts, list[Parts]] = defaultdict(list)
        for parts, info in found:
            top = parts[: self._level]
            if top in self._left_out:
                continue
            held[top] += self._enter(parts, info)
            if len(self.folders) + len(self._files) > MOST_ENTRIES:
                fullest = max(held, key=lambda each: len(held[each]))
                if len(held[fullest]) < MOST_ENTRIES // 4:
                    raise ZipFault(TOO_FULL)
                self._left_out.add(fullest)
                for each in held.pop(fullest):
                    self.folders.pop(each, None)
                    self._files.pop(each, None)

    def _enter(self, parts: Parts, info: zipfile.ZipInfo) -> list[Parts]:
        """Enter a file or folder; return what is new, at the level of what may be left out and below.

        Of what is too deep only the upper folders are entered.
        """
        is_folder = info.is_dir() or len(parts) > MOST_FOLDERS
        parts, new = parts[:MOST_FOLDERS], []
        own = (stat.S_IFMT(info.external_attr >> 16) or stat.S_IFREG) | 0o644
        for at, name in enumerate(parts, 1):
            inside = self.folders.setdefault(parts[: at - 1], {})  # an entry may say that it is a folder and be none
            is_file = at == len(parts) and not is_folder
            if name in inside and (is_file or not stat.S_ISDIR(inside[name])):
                raise ZipFault(f"it holds {name_shown('/'.join(parts[:at]))} twice")
            if name not in inside:
                inside[name] = own if is_file else stat.S_IFDIR | 0o755
                if not is_file:
                    self.folders[parts[:at]] = {}
                new.append(parts[:at])
        if not is_folder:
            self._files[parts] = info
        return [each for each in new if len(each) >= self._level]

    def folder(self, parts: Parts, zips: int = 1) -> "tuple[ZipListing, Parts] | None":
        """Return where a folder is, in this zip file or in one in it; None where there is none."""
        if parts[: self._level] in self._left_out:
            raise ZipFault(TOO_FULL)
        if parts in self.folders:
            return self, parts
        packed = next((parts[:at] for at in range(1, len(parts) + 1) if parts[:at] in self._files), None)
        if packed is None or zips == 0:
            return None
        opened = self._opened  # threads read at the same time, so that it may be another one a moment later
        if opened is None or opened[0] != packed:
            info = self._files[packed]
            if info.file_size > min(MOST_PACKED, MOST_RATIO * info.compress_size):
                raise ZipFault(
                    f"it is larger than {MOST_PACKED // CHUNK} MiB or than {MOST_RATIO} times what it is packed to"
                )
            raw, _, _ = self.read(packed, MOST_PACKED)
            opened = self._opened = packed, ZipListing(_BoundedReader(io.BytesIO(raw)))
        return opened[1].folder(parts[len(packed) :], zips - 1)

    def read(self, parts: Parts, limit: int) -> tuple[bytes, float, int]:
        """Return a file's bytes, when it was changed last, and its size; no bytes where that is over the limit.

        Raises:
            OSError: It isn't there, is not a file, is locked or broken.
        """
        info = self._files.get(parts)
        if info is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        if not stat.S_ISREG(self.folders[parts[:-1]][parts[-1]]):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if info.flag_bits & 1:
            raise ZipFault("it is locked with a password")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ZipFault("it is packed by a method that is not read")
        if info.file_size > limit:
            return b"", _changed(info), info.file_size
        try:
            with self._zip.open(info) as file:
                raw = b"".join(iter(lambda: file.read(CHUNK), b""))
        except BROKEN as problem:
            raise ZipFault("it is broken") from problem
        return raw, _changed(info), len(raw)


def _changed(info: zipfile.ZipInfo) -> float:
    try:
        return datetime(*info.date_time, tzinfo=UTC).timestamp()
    except ValueError:
        return 0.0


def _parts(info: zipfile.ZipInfo) -> Parts:
    """Return the parts of an entry's path.

    Raises:
        ZipFault: It leads out of the zip file, or is none.
    """
    name = info.filename
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    if "\0" in info.orig_filename:
        raise ZipFault(f"it holds {name_shown(info.orig_filename)}, which is not the name of a file")
    if name.startswith("/") or DRIVE.match(name) or ".." in parts:
        raise ZipFault(f"it holds {name_shown(name)}, a path that leads out of it")
    return parts


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
    """Return an entry's name."""
    name = _coded(info).decode(encoding) or info.filename
    # Some programs for Windows write its own separator.
    return name.replace("\\", "/") if info.create_system == 0 else name


@lru_cache(maxsize=4)
def _listing(place: str, device: int, inode: int, size: int, changed: int) -> ZipListing:
    """Return what a zip file on disk holds; by its state, so that one that was changed is looked at again."""
    return ZipListing(_BoundedReader(io.FileIO(os.open(place, READ_FLAGS))))


def _folder(path: Path) -> tuple[ZipListing, Parts]:
    for place in _upwards(path):
        try:
            status = os.lstat(place)
        except (NotADirectoryError, FileNotFoundError):
            continue
        if not stat.S_ISREG(status.st_mode):
            break
        state = status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
        found = _listing(str(place), *state).folder(path.relative_to(place).parts)
        if found is not None:
            return found
        break
    raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))


def _upwards(path: Path) -> Iterator[Path]:
    yield path
    yield from path.parents


def packed_entries(path: Path) -> dict[str, int]:
    """Return the file mode of every entry of a folder in a zip file, or of the zip file itself, by name.

    Raises:
        OSError: There is no such folder, or the zip file is not read.
    """
    listing, parts = _folder(path)
    return listing.folders[parts]


def packed_bytes(path: Path, limit: int) -> tuple[bytes, float, int]:
    """Return a file of a zip file as `ZipListing.read` does.

    Raises:
        OSError: It can't be had.
    """
    listing, parts = _folder(path.parent)
    return listing.read((*parts, path.name), limit)
