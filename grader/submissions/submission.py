"""What the finder hands to the reader: a submission by its place, and everything that was found."""

import msgspec

from .files import File


class Submission(msgspec.Struct, frozen=True):
    """What one student handed in for one assignment.

    Attributes:
        student: The student's name, safe as a folder name.
        files: All of it, the likeliest program first; of a zip file what is in it.
        submitted: When it was handed in by ISO 8601, as the platform says; without a zone where it names none.
        late: True where the platform's name says that it came late.
        uploaded: Its name in the download.
    """

    student: str
    assignment: str
    files: tuple[File, ...] = ()
    submitted: str | None = None
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
