"""Writes a file where a person said with `--output`: into what is there, if that is not a file.

A file is replaced whole. But a link leads on to the file that it names, and a pipe, a terminal or `/dev/null` is
written into: put a file in its place, and whoever waits at the other end waits for ever.
"""

import errno
import os
import stat
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from grader.errors import OutputError
from grader.system.whole_file import write_whole
from grader.text import one_line

SHOWN = 20  # of a list, before the rest is counted


def echo_list(title: str, sentences: Sequence[str], *, err: bool = False) -> None:
    """Print the first sentences of a list under its title, and how many more there are; nothing of an empty list."""
    if sentences:
        click.echo(f"{title} ({len(sentences)}):", err=err)
    for sentence in sentences[:SHOWN]:
        click.echo(f"  {one_line(sentence, 1000)}", err=err)
    if len(sentences) > SHOWN:
        click.echo(f"  and {len(sentences) - SHOWN} more", err=err)


def write_named(path: Path | None, data: bytes) -> None:
    """Write data where a person said: into a file or a link to one, there or not, a pipe or a device; None prints."""
    if path is None:
        print_bytes(data)
        return
    try:
        there = path.stat()
    except OSError:  # nothing there, or a link to nothing; whatever else is wrong, writing says
        write_whole(Path(os.path.realpath(path)), data)
        return
    if _is_printed(there):  # also where standard output is a file, which goes on behind what is in it
        print_bytes(data)
    elif stat.S_ISREG(there.st_mode) or stat.S_ISDIR(there.st_mode):
        write_whole(Path(os.path.realpath(path)), data)
    else:
        _write_into(path, data)


def print_bytes(data: bytes) -> None:
    """Write data to standard output."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _is_printed(there: os.stat_result) -> bool:
    """Return whether a place is this process's standard output, as `/dev/stdout` is."""
    try:
        return os.path.samestat(there, os.fstat(1))
    except OSError:
        return False


def _write_into(path: Path, data: bytes) -> None:
    try:
        with path.open("wb", buffering=0) as file:
            rest = memoryview(data)
            while rest:
                rest = rest[file.write(rest) :]
    except OSError as problem:
        raise OutputError(f"{path} could not be written: {problem.strerror}.", "Name a file with --output.") from None
