"""What several commands print and write: a list under its title, and the file that `--output` names."""

import errno
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from grader.errors import OutputError
from grader.system.whole_file import write_whole
from grader.text import one_line


def echo_list(title: str, sentences: Sequence[str], *, err: bool = False) -> None:
    """Print sentences under their title; nothing of an empty list."""
    if sentences:
        click.echo(f"{title} ({len(sentences)}):", err=err)
    for sentence in sentences:
        click.echo(f"  {one_line(sentence, 1000)}", err=err)


def write_named(path: Path | None, data: bytes) -> None:
    """Write data where a person said; None prints, as `/dev/stdout` does, which may be a log that goes on.

    A file is replaced whole, a link leads on to the file that it names, and a pipe or a device such as `/dev/null` is
    written into and never replaced.
    """
    if path in (None, Path("/dev/stdout")):
        if sys.stdout is None:
            raise OSError(errno.EBADF, "standard output is closed")
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    elif not path.exists() or path.is_file() or path.is_dir():
        write_whole(Path(os.path.realpath(path)), data)
    else:
        try:
            path.write_bytes(data)
        except OSError as problem:
            raise OutputError(
                f"{path} could not be written into: {problem.strerror}.", hint="Name a file with --output."
            ) from None
