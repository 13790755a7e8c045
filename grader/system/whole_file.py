"""Writes a file whole or not at all."""

import os
import tempfile
from pathlib import Path

from grader.errors import OutputError


def write_whole(path: Path, data: bytes, *, mode: int = 0o644) -> None:
    """Write a file, which everybody can read if `mode` does not say otherwise, with the folders above it.

    Raises:
        OutputError: It cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        draft = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            draft.chmod(mode)
            draft.replace(path)
        except BaseException:  # Ctrl-C too leaves no draft
            draft.unlink(missing_ok=True)
            raise
    except OSError as problem:
        hint = "Make its folder writable, or remove what is in its place."
        raise OutputError(f"{path} could not be written: {problem.strerror}.", hint) from None
