"""What the finder hands to the reader: a submission by its place, and everything that was found."""

import re
from datetime import datetime

import msgspec

from .files import File

AGAIN = re.compile(r"(?:-\d+| ?\(\d+\))$")  # what Canvas and browsers put behind a name that is there already


class Submission(msgspec.Struct, frozen=True):
    """What one student handed in for one assignment.

    Attributes:
        student: The student's name, safe as a folder name.
        files: The programs that may count, the likeliest first; `rank` tells how likely each is.
        ranks: Of each of the files: what is smaller goes before, and what is equal is as likely.
        problem: Why nothing in it can be graded, in a sentence; None otherwise.
        beside: What else was handed in and may be the work, to be named; none of it is opened.
        submitted: When it was handed in, as the platform says; without a zone where the platform names none.
        late: True where the platform's name says that it came late.
        uploaded: Its name in the download.
    """

    student: str
    assignment: str
    files: tuple[File, ...] = ()
    ranks: tuple[tuple[int, int], ...] = ()
    problem: str | None = None
    notes: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    submitted: datetime | None = None
    late: bool | None = None
    uploaded: str = ""


class FoundSubmissions(msgspec.Struct, frozen=True):
    """Everything under the paths.

    Attributes:
        students: Every student, also one who handed nothing in.
        warnings: What was left out, a sentence each; with any of them not all was graded.
    """

    submissions: list[Submission]
    students: list[str]
    warnings: list[str]
