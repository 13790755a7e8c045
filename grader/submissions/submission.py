"""What the finder hands to the reader: a submission by its place, and everything that was found."""

from datetime import datetime

import msgspec

from .files import File


class Submission(msgspec.Struct, frozen=True):
    """What one student handed in for one assignment.

    Attributes:
        student: The student's name, safe as a folder name.
        files: The programs that may count, the likeliest first.
        named: How many of them have the assignment's name; these come first.
        problem: Why nothing in it can be graded, in a sentence; None otherwise.
        beside: What else was handed in and may be the work, to be named; none of it is opened.
        submitted: When it was handed in, as the platform says; without a zone where the platform names none.
        late: True where the platform's name says that it came late.
        uploaded: Its name in the download.
    """

    student: str
    assignment: str
    files: tuple[File, ...] = ()
    named: int = 0
    problem: str | None = None
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
