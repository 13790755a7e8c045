"""The account of an output folder: a line for each report that was ever written there, the newest last.

It says where a run that was stopped has to go on, which reports are as they should be, and what a student's score was
before. Each line is sealed with the course's secret; a line that was cut short or changed counts as not written.
"""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from grader.errors import UsageError
from grader.results.write import output_errors
from grader.system.folder_listing import open_plain
from grader.text import name_shown

from .journal_lines import Line, OldOverride, Place
from .plain_files import Seal

NAME = "journal.jsonl"
UNREADABLE = "Make it a plain file that you may read, or name another folder."


class SealedLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line as it is in the file."""

    seal: str
    line: msgspec.Raw


class Newest(NamedTuple):
    """What is held in memory of a submission's newest line: little, since a class may have thousands."""

    offset: int
    key: str


class Journal:
    """The journal of one output folder.

    Args:
        folder: The output folder.
        secret: The key of the seals; None reads without asking for them, for looking only.
        announced: How many bytes of it finished runs have announced; None where that is not known, so that all of it
            counts as announced.

    Attributes:
        damaged_lines: How many lines are not whole.
        announced_bytes: How many bytes a run that ends now announces: those that were there and those that it added
            behind them. Lines that another run added meanwhile, and what follows them, are left to the next run.

    Raises:
        UsageError: There is a journal, and it cannot be read, or it holds points that were set by hand.
    """

    def __init__(self, folder: Path, secret: bytes | None, announced: int | None = None) -> None:
        self.path = folder / NAME
        self.damaged_lines = 0
        self.announced_bytes = 0
        self._seal = Seal(secret, "journal") if secret is not None else None
        self._descriptor = -1
        self._newest: dict[Place, Newest] = {}
        self._announced: dict[Place, int] = {}
        for text in self._texts():
            line, holds = self._read(text)
            if line is not None and (announced is None or self.announced_bytes < announced):
                self._announced[line.place] = self.announced_bytes
            if line is None or not holds:
                self.damaged_lines += bool(text.strip())
            else:
                self._newest[line.place] = Newest(self.announced_bytes, line.key)
            self.announced_bytes += len(text)

    def places(self) -> set[Place]:
        """Return every submission with a whole line."""
        return set(self._newest)

    def newest(self, place: Place, key: str | None = None) -> Line | None:
        """Return the newest line of a submission; None when there is none, or its report was decided by another key."""
        newest = self._newest.get(place)
        if newest is None or key not in (None, newest.key):
            return None
        line, holds = self._line_at(newest.offset, place)
        return line if line is not None and holds and key in (None, line.key) else None

    def is_announced(self, place: Place) -> bool:
        """Return whether the newest line of a submission was announced to a teacher."""
        return place in self._newest and self._announced.get(place) == self._newest[place].offset

    def unannounced(self) -> list[Place]:
        """Return the submissions whose newest line was not announced to a teacher before this run."""
        return [place for place in self._newest if not self.is_announced(place)]

    def last_announced(self, place: Place) -> Line | None:
        """Return the line of a submission that was last announced before this run; None when none was.

        A new score is compared with it, so a line that was made with another secret counts as well.
        """
        return self._line_at(self._announced.get(place), place)[0]

    def lines(self) -> Iterator[Line]:
        """Give every whole line, oldest first."""
        for text in self._texts():
            line, holds = self._read(text)
            if line is not None and holds:
                yield line

    def append(self, line: Line) -> None:
        """Add a line; to be called only where the secret is known.

        Raises:
            OutputError: It could not be written.
        """
        assert self._seal is not None
        text = _encode(line)
        whole = _encode(SealedLine(seal=self._seal.of(text), line=msgspec.Raw(text))) + b"\n"
        with output_errors(self.path):
            if self._descriptor < 0:
                flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
                self._descriptor = os.open(self.path, flags, 0o600)
            begin = size = os.fstat(self._descriptor).st_size
            if size and os.pread(self._descriptor, 1, size - 1) != b"\n":  # the last writer was cut off in a line
                os.write(self._descriptor, b"\n")
                size += 1
            if os.write(self._descriptor, whole) != len(whole):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._newest[line.place] = Newest(size, line.key)
        if self.announced_bytes == begin:
            self.announced_bytes = size + len(whole)

    def close(self) -> None:
        """Make what was added durable and let go of the file."""
        if self._descriptor >= 0:
            with contextlib.suppress(OSError):
                os.fsync(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = -1

    def _line_at(self, offset: int | None, place: Place) -> tuple[Line | None, bool]:
        """Return the line that begins there if it is one of this submission, and whether its seal holds."""
        line, holds = None, False
        if offset is not None:
            with contextlib.suppress(OSError), open_plain(self.path) as file:
                file.seek(offset)
                line, holds = self._read(file.readline())
        return (line, holds) if line is not None and line.place == place else (None, False)

    def _texts(self) -> Iterator[bytes]:
        try:
            file = open_plain(self.path)
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as problem:
            shown = name_shown(str(self.path), 200)
            raise UsageError(f"{shown} cannot be read: {problem.strerror}.", UNREADABLE) from None
        with file:
            yield from file

    def _read(self, text: bytes) -> tuple[Line | None, bool]:
        """Return what a line of the file says, None where it is not a line, and whether its seal holds.

        Raises:
            UsageError: It is a line of an older version, in which points were set by hand.
        """
        try:
            sealed = _sealed.decode(text)
            line = _line.decode(sealed.line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            self._refuse_override(text)
            return None, False
        return line, self._seal is None or self._seal.holds(sealed.seal, bytes(sealed.line))

    def _refuse_override(self, text: bytes) -> None:
        with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            who = name_shown(_old_override.decode(_sealed.decode(text).line).student)
            raise UsageError(
                f"{name_shown(str(self.path), 200)} holds points of {who} set by hand, which are no longer read.",
                hint="Write such points into overrides.csv, and take these lines out of the journal.",
            )


_encode = msgspec.json.Encoder(decimal_format="string").encode
_sealed = msgspec.json.Decoder(SealedLine)
_line = msgspec.json.Decoder(Line)
_old_override = msgspec.json.Decoder(OldOverride)
