"""The grades of a class, as `grades.json` holds them: what a learning platform or a spreadsheet needs to know."""

from decimal import Decimal
from typing import Literal

from .report import Part, PartWithPoints


class Grade(PartWithPoints, frozen=True, kw_only=True):
    """What a student has in an assignment.

    Attributes:
        student: The name of the student's folder; of somebody without one, the login or another identity.
        name: The whole name by the roster; empty where there is none.
        ids: The identities by the roster: login, email, sis_id, number, canvas_id, participant.
        assignment: The assignment's id.
        score: The points that grading gave; null where nothing was graded.
        by_hand: The points that a person set; null where nobody did. Where there are any, they count.
        max: The points that can be reached.
        status: `graded`, `not graded` (see `problem`), or `missing` for somebody on the roster without any file.
        problem: Why it was not graded, in a sentence; null otherwise.
        reason: Why a person set points; empty where nobody did.
        file: The file as it was uploaded; empty where there is none.
        submitted: When it was handed in, by ISO 8601, where the platform says it; null otherwise.
        late: Whether the platform calls it late.
        kit: The version of the kit that graded it; empty where nothing was.
    """

    student: str
    name: str
    ids: dict[str, str]
    assignment: str
    score: Decimal | None
    by_hand: Decimal | None
    max: Decimal
    status: Literal["graded", "not graded", "missing"]
    problem: str | None = None
    reason: str = ""
    file: str = ""
    submitted: str | None = None
    late: bool = False
    kit: str = ""

    @property
    def points(self) -> Decimal | None:
        """The points that count; None where there are none."""
        return self.score if self.by_hand is None else self.by_hand

    @property
    def shown(self) -> str:
        """What tables and pages call the student."""
        return (
            f"{self.name} ({self.student})"
            if self.name.casefold() not in ("", self.student.casefold())
            else self.student
        )

    @property
    def why_none(self) -> str:
        """Why no points count, for a list."""
        return self.problem or "handed nothing in"


class Grades(Part, frozen=True, kw_only=True):
    """The grades of a class, by assignment and student.

    Attributes:
        schema_version: The version of this format.
        grades: One entry for each student and assignment.
    """

    schema_version: Literal["1.0"] = "1.0"
    grades: list[Grade]
