"""What the reader makes of a submission: the cells to run, and what to tell about the file."""

import hashlib
from collections.abc import Mapping
from typing import Literal

import msgspec

from grader.inside.protocol.messages import Cell

Kind = Literal["py", "ipynb"]


class Unreadable(Exception):
    """A file that can't be graded.

    Args:
        sentence: Why, in English, with a gap for the file's `name`; it is translated for whoever reads it.
        values: What fills its other gaps.
    """

    def __init__(self, sentence: str, **values: object) -> None:
        super().__init__(sentence)
        self.sentence, self.values = sentence, values


class Source(msgspec.Struct, frozen=True):
    """A submission's code.

    Attributes:
        cells: The code cells of a notebook in order, or the whole of a `.py` file as one cell; of both where both count
            (`submissions/read.py`); empty with a problem.
        kind: What kind of file counts; `ipynb` where both do.
        file_name: Its bare name; empty when no file could be read.
        digest: SHA-256 of its bytes, of both digests where both count; of nothing when no file could be read.
        sha256: SHA-256 of every file that was read, by name.
        notes: What a reader of the report should know.
        problem: Why nothing can be graded, in a sentence; None otherwise.
        uploaded: What it is called in the download; None where there is none.
        submitted: When it was handed in by ISO 8601, where the platform says so.
        late: True where the platform says that it came late.
    """

    cells: list[Cell] = []
    kind: Kind = "py"
    file_name: str = ""
    digest: str = hashlib.sha256(b"").hexdigest()
    sha256: Mapping[str, str] = {}
    notes: tuple[str, ...] = ()
    problem: str | None = None
    uploaded: str | None = None
    submitted: str | None = None
    late: bool | None = None
