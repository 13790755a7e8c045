"""The gradebook: what the course's rules make of raw points, as `gradebook.json` holds it beside `summary.json`.

The reports keep the raw points. What counts is worked out anew from them whenever the rules change.
"""

from decimal import Decimal
from typing import Annotated

import msgspec

from .report import Part, PartWithPoints, Sha256, Version
from .verdict import Language

Days = Annotated[int, msgspec.Meta(ge=0)]


class Sentence(Part, frozen=True, kw_only=True):
    """A sentence for the student.

    Attributes:
        en: The sentence in English.
        ko: The same in Korean.
    """

    en: str
    ko: str


class Entry(PartWithPoints, frozen=True, kw_only=True):
    """What counts of a student in an assignment.

    Attributes:
        student: The student's folder name, or what the roster calls somebody without a folder.
        assignment: The assignment's id.
        raw: The points of the newest report, with those set by hand; null where nothing was handed in, or nothing of it
            could be graded.
        counted: The points that count; null where there are none.
        max_score: Points that can be reached.
        submitted: When what counts was handed in, by ISO 8601 with its zone; null when unknown.
        due: Until when this student could hand in on time, likewise; null without a due date.
        late_days: How many days late what counts was.
        attempt: Which of the attempts counts, from 1; null when none does.
        attempts: How many different files of the student were graded.
        report: SHA-256 of the newest report; null where nothing was handed in.
        why: What made of the raw points those that count.
    """

    student: str
    assignment: str
    raw: Decimal | None
    counted: Decimal | None
    max_score: Decimal
    submitted: str | None
    due: str | None
    late_days: Days
    attempt: int | None
    attempts: int
    report: Sha256 | None
    why: list[Sentence]

    def reasons(self, language: Language) -> list[str]:
        """Return why these points count, in a language."""
        return [each.ko if language == "ko" else each.en for each in self.why]

    @property
    def is_raw(self) -> bool:
        """Whether the raw points count as they are, and nothing is to be said of it."""
        return self.counted == self.raw and not self.why

    @property
    def not_graded(self) -> bool:
        """Whether something was handed in and nothing of it could be graded."""
        return self.report is not None and self.counted is None


class StudentTotal(PartWithPoints, frozen=True, kw_only=True):
    """What a student has in all.

    Attributes:
        student: As in the entries.
        name: The name on the roster; empty without one.
        email: The address on the roster; empty without one.
        on_roster: Whether the roster has this student; null without a roster.
        counted: The sum of the points that count, without what is dropped; null where there are none, or where a
            submission could not be graded.
        max_score: What can be reached in the assignments of that sum.
        dropped: The assignments that are dropped as the lowest.
    """

    student: str
    name: str
    email: str
    on_roster: bool | None
    counted: Decimal | None
    max_score: Decimal
    dropped: list[str]


class PolicySource(Part, frozen=True, kw_only=True):
    """The file with the rules.

    Attributes:
        file: Where it was.
        sha256: The SHA-256 of its bytes.
    """

    file: str
    sha256: Sha256


class Gradebook(Part, frozen=True, kw_only=True):
    """What counts of a class.

    Attributes:
        schema_version: The version of this format; it goes with that of the reports.
        policy: The file with the rules; null where no rules were applied.
        sources: The SHA-256 of each file in the reports folder of which it was made, by its name.
        valid_until: The due date after which something else counts by itself, by ISO 8601; null without one.
        entries: One for each student and assignment, also where nothing was handed in.
        students: One for each student, by name.
    """

    schema_version: Version
    policy: PolicySource | None
    sources: dict[str, Sha256]
    valid_until: str | None
    entries: list[Entry]
    students: list[StudentTotal]

    @property
    def assignments(self) -> list[str]:
        """The assignments that somebody handed in."""
        return sorted({each.assignment for each in self.entries})

    def by_place(self) -> dict[tuple[str, str], Entry]:
        """Return the entries by student and assignment."""
        return {(each.student, each.assignment): each for each in self.entries}
