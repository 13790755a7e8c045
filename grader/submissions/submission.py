"""What the finder hands to the reader: a submission by its place, and everything that was found."""

from datetime import datetime
from pathlib import Path

import msgspec


class Submission(msgspec.Struct, frozen=True):
    """What one student handed in for one assignment.

    Attributes:
        student: The student's name, safe as a folder name.
        files: The file that is graded, or a `.py` and an `.ipynb` to choose from, or the files of one name in several
            places; empty with a problem.
        problem: Why nothing in it can be graded, in a sentence; None otherwise.
        others: Programs of other names or places; where the named file has no answer, the only one with answers counts.
        beside: The names of what else the student handed in that may be the work; none of it is opened.
        submitted: When it was handed in, as the platform says; without a zone where the platform names none.
        late: Whether it came late, as the platform says; None where it does not say.
    """

    student: str
    assignment: str
    files: tuple[Path, ...] = ()
    problem: str | None = None
    notes: tuple[str, ...] = ()
    others: tuple[Path, ...] = ()
    beside: tuple[str, ...] = ()
    submitted: datetime | None = None
    late: bool | None = None


class FoundSubmissions(msgspec.Struct, frozen=True):
    """Everything under the paths.

    Attributes:
        students: Every student, also one who handed nothing in.
        warnings: What was left out, a sentence each; with any of them not all was graded.
        read_as: As which platform's download a path was read, a sentence each.
    """

    submissions: list[Submission]
    students: list[str]
    warnings: list[str]
    notes: list[str] = []
    read_as: list[str] = []
