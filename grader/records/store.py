"""Keeps the result of each grading under the hash of everything that decides it.

An entry is one file, sealed with the course's secret: one that a full disk cut short, a bad disk changed or a stranger
wrote is found by its seal and graded anew. The folder may be deleted at any time; what it held is then graded again.
"""

import contextlib
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from grader.errors import OutputError
from grader.limits import Limits
from grader.results.assemble import Outcome
from grader.results.report import Fact
from grader.results.verdict import ManifestCheck
from grader.system.folder_listing import open_plain
from grader.system.whole_file import write_whole

from .plain_files import SEAL_LENGTH, Seal

T = TypeVar("T", bound=msgspec.Struct)


class StoredResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one grading; `key` is the hash of what decides it."""

    key: str
    kit_version: str
    isolation: dict[str, Fact]
    limits: Limits
    outcome: Outcome


class StoredManifest(msgspec.Struct, frozen=True, kw_only=True):
    """The checks of an assignment, so that a kept result can be reported without collecting its suite."""

    key: str
    checks: list[ManifestCheck]


class SealedFolder(Generic[T]):
    """A folder of sealed entries of one kind, made with the first one."""

    def __init__(self, folder: Path, kind: type[T], secret: bytes) -> None:
        self._folder = folder
        self._decoder = msgspec.json.Decoder(kind)
        self._seal = Seal(secret, kind.__name__)
        self.damaged_entries = 0

    def get(self, key: str) -> T | None:
        """Return the entry of that key; None when there is none that is whole."""
        try:
            with open_plain(self._place(key)) as file:
                content = file.read()
        except FileNotFoundError:
            return None
        except OSError:  # a folder in its place, say, or a file in that of a folder, or one of somebody else's
            self.damaged_entries += 1
            return None
        seal, text = content[:SEAL_LENGTH], content[SEAL_LENGTH + 1 :]
        if self._seal.holds(seal, text):
            with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError):
                entry: Any = self._decoder.decode(text)
                if entry.key == key:
                    return entry  # type: ignore[no-any-return]  # the decoder made it of that type
        self.damaged_entries += 1
        return None

    def put(self, entry: T) -> None:
        """Keep an entry; one that cannot be written is not kept, which costs only time."""
        text = msgspec.json.encode(entry)
        place = self._place(entry.key)  # type: ignore[attr-defined]  # every kind of entry has a key
        with contextlib.suppress(OSError, OutputError):
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(place, self._seal.of(text).encode() + b"\n" + text, mode=0o600)

    def _place(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"
