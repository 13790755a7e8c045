"""What of a check may be shown on a learning platform, and in which words.

Everything for a student is made of the student's copy, a type that has no place for what is hidden. What is shown after
the due date comes from the copy of after the due date, and only where the platform itself holds it back until then.

| check | the platform can hide | the platform cannot |
|--|--|--|
| visible | shown, with what it found | the same |
| hidden | marked hidden | what the student's copy says: no finding, no printed text, no time |
| after_due_date | marked so, with what the later copy says | its name and whether it passed |
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from grader.results.check_text import check_text
from grader.results.report import Report
from grader.results.scoring import plain
from grader.results.student_report import StudentCheck, StudentExercise, StudentReport
from grader.results.summary import Row
from grader.results.verdict import Language, Status, Visibility
from grader.text import one_line, sanitise
from grader.words import say

from .reports import Graded, student_copies

LONGEST = 4000  # characters of a check's text


@dataclass(frozen=True)
class PlatformCheck:
    """A check as it may be on a platform.

    Attributes:
        id: `<exercise>.<check>`.
        number: Its place in the assignment: `2.1` is the first check of the second exercise.
        name: What to call it: the author's sentence, or the id until that may be read.
        visibility: Who may see it.
        status: What came of it.
        passed: Whether it passed; None when it was not run.
        text: What the student reads; empty when it passed and said nothing.
        seconds: How long it took; None where that may not be shown.
    """

    id: str
    number: str
    name: str
    visibility: Visibility
    status: Status
    passed: bool | None
    text: str
    seconds: float | None


@dataclass(frozen=True)
class PlatformExercise:
    """An exercise as it may be on a platform.

    Attributes:
        id: The exercise.
        number: Its place in the assignment, from 1.
        title: Its title in the report's language.
        score: Points that were reached, exact.
        max_score: Points that can be reached, exact.
        passed: Whether every check passed that counts.
        status: What came of it as a whole.
        checks: Its checks.
    """

    id: str
    number: str
    title: str
    score: Decimal
    max_score: Decimal
    passed: bool
    status: str
    checks: list[PlatformCheck]

    def text(self, language: Language, limit: int = LONGEST) -> str:
        """Return the checks as lines, for a platform that has no checks within an exercise.

        Args:
            language: The report's.
            limit: Characters of the text of one check.
        """
        return "\n".join(_line(check, language, limit) for check in self.checks)


@dataclass(frozen=True)
class PlatformView:
    """A submission as it may be on a platform.

    Attributes:
        now: The student's copy, as it is now.
        exercises: What a platform may show that can't hold anything back.
        held_back: The same for a platform that holds back itself what is marked `after_due_date`.
    """

    now: StudentReport
    exercises: list[PlatformExercise]
    held_back: list[PlatformExercise]

    @property
    def problem(self) -> str:
        """Why it could not be graded, as a sentence for the student; empty when it was."""
        return "" if self.now.problem is None else say("copy_problem", self.now.language, text=self.now.problem)


def platform_view(report: Report, *, due_passed: bool = False) -> PlatformView:
    """Return what of a report may be on a platform that students read.

    Args:
        report: The instructor's copy.
        due_passed: Whether the due date is over, so that nothing has to be held back until then.
    """
    now, later = student_copies(report)
    now = later if due_passed else now
    return PlatformView(now, list(_exercises(now)), list(_exercises(later)))


def comment(report: StudentReport) -> str:
    """Return the comment of a grade: the points, and those of each exercise; nothing of any check."""
    return _comment(report, report.language)


def class_comment(graded: Graded) -> str:
    """Return the same comment for a report of a class."""
    return _comment(graded.row, graded.language)


def platform_comment(graded: Graded, points: str, maximum: Decimal) -> str:
    """Return the same comment; where the platform counts other points, beginning with the score out of those.

    Args:
        graded: The report.
        points: The score as it is on the platform.
        maximum: What can be reached there.
    """
    text = class_comment(graded)
    if graded.row.problem is not None or maximum == graded.row.max_score:
        return text
    return f"{say('copy_points', graded.language, score=points, max_score=f'{plain(maximum):f}')} = {text}"


def _comment(result: StudentReport | Row, language: Language) -> str:
    if result.problem is not None:
        return say("copy_problem", language, text=sanitise(result.problem, LONGEST))
    total = say("copy_points", language, score=f"{result.score:f}", max_score=f"{result.max_score:f}")
    parts = [f"{one_line(each.title)} {each.score:f}/{each.max_score:f}" for each in result.exercises]
    return f"{total}: {'; '.join(parts)}" if parts else total


def _exercises(copy: StudentReport) -> Iterator[PlatformExercise]:
    for place, exercise in enumerate(copy.exercises, 1):
        yield PlatformExercise(
            id=exercise.id,
            number=str(place),
            title=one_line(exercise.title),
            score=exercise.score,
            max_score=exercise.max_score,
            passed=exercise.status == "passed",
            status=exercise.status,
            checks=[
                _check(f"{place}.{order}", check, exercise, copy.language)
                for order, check in enumerate(exercise.checks, 1)
            ],
        )


def _check(number: str, check: StudentCheck, exercise: StudentExercise, language: Language) -> PlatformCheck:
    return PlatformCheck(
        id=check.id,
        number=number,
        name=one_line(check.message or check.id, 1000),
        visibility=check.visibility,
        status=check.status,
        passed=None if check.status == "skipped" else check.status == "passed",
        text=sanitise(_text(check, language), LONGEST),
        seconds=check.detail.duration_s if check.detail is not None else None,
    )


def _text(check: StudentCheck, language: Language) -> str:
    words = check_text(check, language)
    printed = [say("copy_printed", language), words.printed] if words.printed.strip() else []
    return "\n".join(dict.fromkeys([*words.lines, *printed]))


def _line(check: PlatformCheck, language: Language, limit: int) -> str:
    key = "copy_skipped" if check.passed is None else "copy_passed" if check.passed else "copy_not_passed"
    head = f"{check.number} {say(key, language)}: {check.name}"
    text = "" if check.passed or limit <= 0 else sanitise(check.text, limit)
    return head + "".join(f"\n    {line}" for line in text.split("\n") if line)
