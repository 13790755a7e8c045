"""Files that a person may have put something else in the place of: read if they are plain, sealed with a secret."""

import hashlib
import hmac
from pathlib import Path
from typing import TypeVar

import msgspec

from grader.errors import UsageError
from grader.results.report_json import decode_document
from grader.system.folder_listing import open_plain
from grader.text import name_shown

SEAL_LENGTH = 64
AGAIN = "Give the `grader grade` that wrote the folder again, or write a new one."
T = TypeVar("T")


class Seal:
    """Seals texts of one kind: only the course's secret makes a seal, and no damage leaves it whole.

    Args:
        secret: The course's.
        purpose: What the texts are, so that none can stand for one of another kind.
    """

    def __init__(self, secret: bytes, purpose: str) -> None:
        self._key = hmac.digest(secret, f"seal of {purpose}".encode(), "sha256")

    def of(self, text: bytes) -> str:
        """Return the seal of a text, SEAL_LENGTH hexadecimal digits."""
        return hmac.digest(self._key, text, "sha256").hex()

    def holds(self, seal: str | bytes, text: bytes) -> bool:
        """Return whether a seal is that of a text."""
        given = seal if isinstance(seal, bytes) else seal.encode("utf-8", "replace")
        return hmac.compare_digest(given, self.of(text).encode())


def read_beside(place: Path, kind: type[T]) -> T | None:
    """Return a document that a run wrote beside its reports; None where there is none.

    Raises:
        UsageError: It is torn or not of this version.
    """
    try:
        with open_plain(place) as file:
            return decode_document(file.read(), kind)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        raise UsageError(f"{name_shown(str(place), 200)} is torn or not of this version.", AGAIN) from None


def digest_of(path: Path) -> str | None:
    """Return the SHA-256 of a plain file; None when there is none that can be read."""
    try:
        with open_plain(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
