"""What goes into a gradebook: the scores of a class in one assignment, and the report that each comes from."""

from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from grader.records.journal_lines import Place
from grader.records.overrides import Overrides
from grader.results.counted import Entry, Gradebook
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
        by_hand: What of the scores was set by hand, a sentence each in that language.
        overrides: What was set by hand in the folder.
        entry: What counts of it by the course's rules; None where none were applied.
    """

    row: Row
    language: Language
    place: Path
    sha256: str
    by_hand: list[str] = field(default_factory=list)
    overrides: Overrides = field(default_factory=dict)
    entry: Entry | None = None

    @property
    def submission(self) -> Place:
        """Whose it is, and of which assignment."""
        return self.row.student, self.row.assignment

    @property
    def points(self) -> Decimal | None:
        """The points that count; None where it could not be graded."""
        if self.entry is not None:
            return self.entry.counted
        return None if self.row.problem is not None else self.row.score

    @property
    def why_failed(self) -> str:
        """Why no points count of it, as far as that is known."""
        reasons = self.entry.reasons(self.language) if self.entry is not None else []
        return self.row.problem or " ".join(reasons)


@dataclass(frozen=True)
class Scores:
    """The scores of a class in one assignment, as they may be carried elsewhere.

    Attributes:
        max_score: Points that can be reached; the same for everybody.
        scores: The exact score by student: the points that count where the course's rules were applied, else the raw
            ones. Who handed nothing in is not there, unless the rules make a 0 of it.
        failed: Why a submission could not be graded, by student; these are in `scores` only as an asked-for 0.
        absent: Who handed nothing in and has no score.
        graded: What the score of a student comes from; of a 0 by the rules a row without exercises.
    """

    assignment: str
    max_score: Decimal
    scores: dict[str, Decimal]
    failed: dict[str, str]
    absent: list[str]
    graded: dict[str, Graded]


def zeros_of(book: Gradebook | None, assignment: str, language: Language) -> list[Graded]:
    """Return whom the rules give points without a report, which is 0 points."""
    found = []
    for each in book.entries if book is not None else []:
        if each.assignment == assignment and each.report is None and each.counted is not None:
            row = Row(
                student=each.student,
                assignment=assignment,
                score=each.counted,
                max_score=each.max_score,
                problem=None,
                exercises=[],
                checks={},
            )
            found.append(Graded(row, language, Path(), "", entry=each))
    return found
