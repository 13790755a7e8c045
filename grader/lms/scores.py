"""What goes into a gradebook: the scores of a class in one assignment, and the report that each comes from."""

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from grader.records.journal_lines import Place
from grader.results.summary import Row
from grader.results.verdict import Language


@dataclass(frozen=True)
class Graded:
    """What a gradebook needs of one report.

    Attributes:
        row: Student, assignment, exact scores that count and the problem, if there is one.
        language: The language of the report's sentences.
        place: The instructor's copy.
        sha256: The SHA-256 of that file.
    """

    row: Row
    language: Language
    place: Path
    sha256: str

    @property
    def submission(self) -> Place:
        """Whose it is, and of which assignment."""
        return self.row.student, self.row.assignment

    @property
    def points(self) -> Decimal | None:
        """The points that count; None where it could not be graded."""
        return None if self.row.problem is not None else self.row.score

    @property
    def why_failed(self) -> str:
        """Why no points count of it, as far as that is known."""
        return self.row.problem or ""


@dataclass(frozen=True)
class Scores:
    """The scores of a class in one assignment, as they may be carried elsewhere.

    Attributes:
        max_score: Points that can be reached; the same for everybody.
        scores: The exact score by student. Who handed nothing in is not there.
        failed: Why a submission could not be graded, by student; these are in `scores` only as an asked-for 0.
        absent: Who handed nothing in and has no score.
        graded: What the score of a student comes from.
    """

    assignment: str
    max_score: Decimal
    scores: dict[str, Decimal]
    failed: dict[str, str]
    absent: list[str]
    graded: dict[str, Graded]
