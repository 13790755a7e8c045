"""Reads what proves to a platform who is asking, and keeps it out of everything that is shown.

A secret on the command line is in the shell's history and in every list of processes; so it comes from a variable or
from a file that nobody else can read.
"""

import os
import stat
from pathlib import Path

from grader.errors import UsageError
from grader.text import name_shown

LARGEST = 1 << 16
SHORTEST_SECRET = 8  # a shorter text would be found in words that are not secret


class Secret:
    """A text that is never shown: printing it gives stars."""

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Return the secret, for the one place that needs it."""
        return self._text

    def __repr__(self) -> str:
        return "Secret(***)"

    __str__ = __repr__


class Redactor:
    """What must not be shown in this run."""

    def __init__(self) -> None:
        self._texts: set[str] = set()

    def add(self, text: str) -> None:
        """Hide a text, and every long line of it."""
        self._texts |= {part for part in (text, *text.splitlines()) if len(part) >= SHORTEST_SECRET}

    def redact(self, text: str) -> str:
        """Return a text with every secret in it replaced by stars."""
        for secret in sorted(self._texts, key=len, reverse=True):
            text = text.replace(secret, "***")
        return text


def read_secret(variable: str, file: Path | None, what: str) -> Secret:
    """Return a secret.

    Args:
        variable: The variable that holds it where no file is named.
        file: The file that holds it.
        what: What it is, for sentences, such as `The access token of Canvas`.

    Raises:
        UsageError: There is none, the file cannot be read, or other users can read it.
    """
    looked_for = f"{what} was looked for."
    if file is not None:
        text, where = _of_file(file, looked_for), f"The file {name_shown(str(file), 200)}"
    elif variable in os.environ:
        text, where = os.environ[variable], f"The variable {variable}"
    else:
        hint = f"Set the variable {variable}, or name a file that holds it; it is never given on the command line."
        raise UsageError(looked_for, f"The variable {variable} is not set.", hint)
    if not text.strip():
        raise UsageError(looked_for, f"{where} is empty.")
    return Secret(text.strip())


def _of_file(file: Path, looked_for: str) -> str:
    shown = name_shown(str(file), 200)
    try:
        handle = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as opened:
            state = os.fstat(handle)
            if not stat.S_ISREG(state.st_mode):
                raise UsageError(looked_for, f"{shown} is not a file.")
            if os.name == "posix" and state.st_mode & 0o077:
                found = f"{shown} has the mode {stat.S_IMODE(state.st_mode):04o}, so other users can read it."
                raise UsageError(looked_for, found, "Run `chmod 600` on it, and make a new one if somebody did.")
            return opened.read(LARGEST).decode("utf-8")
    except OSError as problem:
        raise UsageError(looked_for, f"{shown} cannot be read: {problem.strerror}.") from None
    except UnicodeDecodeError:
        raise UsageError(looked_for, f"{shown} is not text.") from None
