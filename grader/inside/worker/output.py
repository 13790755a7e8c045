"""Keeps what student code prints, up to a limit, and refuses to wait for typed input, since nobody is there to type.

Standard output and error are replaced by objects in memory: there is no terminal in a worker, and a print in every line
must neither fill a pipe nor cost a point. The objects stay the same for the life of the worker, since logging handlers
and aliases made while the source was loaded keep pointing at them.
"""

import builtins
import io
import sys
from typing import Any, NoReturn

NO_KEYBOARD = "input() was called, but nobody can type an answer while this runs; put the value into the code instead"


class Sink(io.RawIOBase):
    """The printed text of one call: the binary end of both streams, which cannot be closed or filled up.

    Args:
        limit: Bytes that are kept.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.kept = bytearray()
        self.dropped = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        """Keep what still fits and count the rest."""
        view = memoryview(data).cast("B")
        fits = view[: max(0, self.limit - len(self.kept))]
        self.kept += fits
        self.dropped += view.nbytes - fits.nbytes
        return view.nbytes

    def close(self) -> None:
        """Stay open: a student's close() must not make the next print fail."""

    def drain(self) -> tuple[str, int]:
        """Return the text and the number of bytes dropped, and start anew."""
        text = self.kept.decode("utf-8", "replace") if self.kept else ""
        dropped = self.dropped
        if text or dropped:
            self.kept.clear()
            self.dropped = 0
        return text, dropped


class Stream(io.TextIOWrapper):
    """A text stream that goes straight to the sink."""

    def __init__(self, sink: Sink, name: str) -> None:
        raw: Any = sink  # not a BinaryIO by its type, but it has every method that is called
        super().__init__(raw, encoding="utf-8", errors="backslashreplace", write_through=True)
        self._title = name

    @property
    def name(self) -> str:
        return self._title

    def close(self) -> None:
        """Stay open, as the binary end does."""


class NoInput(io.StringIO):
    """Standard input with nobody to type."""

    def read(self, size: int | None = -1, /) -> str:
        raise EOFError(NO_KEYBOARD)

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # the base says Never
        raise EOFError(NO_KEYBOARD)


def no_input(prompt: object = "", /) -> NoReturn:
    """Stand in for the built-in input()."""
    raise EOFError(NO_KEYBOARD)


class Streams:
    """The three standard streams of a worker."""

    def __init__(self, limit: int) -> None:
        self.sink = Sink(limit)
        self._out, self._err, self._in = Stream(self.sink, "<stdout>"), Stream(self.sink, "<stderr>"), NoInput()

    def install(self) -> None:
        """Put the streams where Python looks for them; called before each request, since student code may move them."""
        sys.stdout, sys.stderr, sys.stdin = self._out, self._err, self._in
        sys.__stdout__, sys.__stderr__, sys.__stdin__ = self._out, self._err, self._in  # type: ignore[misc,assignment]  # final
        builtins.input = no_input
