"""What several commands print and write: a list under its title, and the file that an option names."""

from collections.abc import Sequence
from pathlib import Path

import click

from grader.system.whole_file import write_whole
from grader.text import one_line


def echo_list(title: str, sentences: Sequence[str]) -> None:
    """Print sentences under their title; nothing of an empty list."""
    if sentences:
        click.echo(f"{title} ({len(sentences)}):")
    for sentence in sentences:
        click.echo(f"  {one_line(sentence, 1000)}")


def write_named(path: Path, data: bytes) -> None:
    """Write a file whole, or the file that a link names, or into a pipe or a device.

    Raises:
        OutputError: It cannot be written.
    """
    if path.is_fifo() or path.is_char_device():
        path.write_bytes(data)
    else:
        write_whole(path.resolve(), data)
