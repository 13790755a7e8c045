"""What several commands print and write: a list under its title, and the file that `--output` names."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from grader.errors import OutputError
from grader.text import name_shown, one_line


def echo_list(title: str, sentences: Sequence[str], *, err: bool = False) -> None:
    """Print sentences under their title; nothing of an empty list."""
    if sentences:
        click.echo(f"{title} ({len(sentences)}):", err=err)
    for sentence in sentences:
        click.echo(f"  {one_line(sentence, 1000)}", err=err)


def write_named(path: Path | None, data: bytes) -> None:
    """Write data into a file, a pipe or a device, which stays what it is; None prints."""
    if path is None:
        sys.stdout.buffer.write(data)  # which fails where there is none; click.echo would not
        return
    try:
        path.write_bytes(data)
    except OSError as problem:
        hint = "Name a file that can be written, in a folder that is there."
        raise OutputError(f"{name_shown(str(path), 200)} could not be written: {problem.strerror}.", hint) from None
