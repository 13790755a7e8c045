"""What several commands print and write: a list under its title, and the file that `--output` names."""

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
    """Write a file whole, or the file that a link names, or into a pipe or a device; None prints.

    Raises:
        OutputError: It cannot be written, or there is no standard output.
    """
    if path is None:
        if sys.stdout is None:
            raise OutputError("There is no standard output to print to.", hint="Name a file with --output.")
        sys.stdout.buffer.write(data)
    elif path.is_fifo() or path.is_char_device():
        path.write_bytes(data)
    else:
        write_whole(path.resolve(), data)
