"""Students whose folders are called by an identity: the login, or what a platform makes of it in a download."""

import re
from collections.abc import Iterable

from grader.errors import UsageError
from grader.text import name_shown

from .roster import EXACT, IDENTITIES, Identity, Roster, refuse_duplicates

DOWNLOADED = {
    "canvas_id": re.compile(r".*\D.*_(\d+)"),
    "participant": re.compile(r".*_(\d+)_assignsubmission_[a-z]+_?"),
}
"""How folders are called after a download of all submissions: `leeann_123`, `Ann Lee_9001_assignsubmission_file_`."""
ANONYMOUS = re.compile(r"anon_[A-Za-z0-9]+")
"""How Canvas calls a student in a download while grading is anonymous; its digits are not a user's number."""


def roster_of_folders(students: Iterable[str], column: str) -> Roster:
    """Return the roster of a course whose folders are called by an identity, such as the login.

    Args:
        students: The folders' names. Of those that a platform's download gave, the number in them counts.
        column: What the names are: one of `IDENTITIES`.

    Raises:
        UsageError: There is no such identity, two folders would be one student, or Canvas packed them anonymously.
    """
    if column not in IDENTITIES:
        from grader.faults import did_you_mean

        raise UsageError(
            "What the folders' names are was looked for.", f"It is {column!r}.", did_you_mean(column, IDENTITIES)
        )
    students = list(students)
    unknown = next(filter(ANONYMOUS.fullmatch, students), None) if column == "canvas_id" else None
    if unknown is not None:
        raise UsageError(
            "The number of each student in Canvas was looked for in the folders' names.",
            f"{name_shown(unknown)} is a name that Canvas made up during anonymous grading, not a student's number.",
            "Download the submissions again once students are no longer anonymous, or say in a roster who is who.",
        )
    downloaded = DOWNLOADED.get(column)

    def identity_of(student: str) -> str:
        found = downloaded.fullmatch(student) if downloaded else None
        return found[1] if found else student if column in EXACT else student.strip()

    people = {student: Identity(**{"student": student, column: identity_of(student)}) for student in students}
    roster = Roster("the folders' names", people)
    refuse_duplicates(roster)
    return roster
