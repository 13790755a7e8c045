"""What of a check may be shown on a learning platform, and in which words.

Everything for a student is made of the student's copy, a type that has no place for what is hidden. What is shown after
the due date comes from the copy of after the due date, and only where the platform itself holds it back until then.

| check | the platform can hide | the platform cannot |
|--|--|--|
| visible | shown, with what it found | the same |
| hidden | marked hidden | what the student's copy says: no finding, no printed text, no time |
| after_due_date | marked so, with what the later copy says | its name and whether it passed |
"""

from dataclasses import dataclass
from decimal import Decimal

from grader.results.check_text import check_text
from grader.results.counted import Entry
from grader.results.redact import student_copy
from grader.results.report import Report
from grader.results.scoring import plain, points_shown
from grader.results.student_report import StudentCheck, StudentReport
from grader.results.verdict import Language, Status, Values, Visibility
from grader.text import one_line, sanitise
from grader.words import say

from .scores import Graded

LONGEST = 4000  # characters of a check's text


@dataclass(frozen=True)
class PlatformCheck:
    """A check as it may be on a platform.

    Attributes:
        number: Its place in the assignment: `2.1` is the first check of the second exercise.
        name: What to call it: the author's sentence, or the id until that may be read.
        passed: Whether it passed; None when it was not run.
        text: What the student reads; empty when it passed and said nothing.
        seconds: How long it took; None where that may not be shown.
        values: The wrong answer beside the right one, where it is small and may be shown.
    """

    id: str
    number: str
    name: str
    visibility: Visibility
    status: Status
    passed: bool | None
    text: str
    seconds: float | None
    values: Values | None = None


@dataclass(frozen=True)
class PlatformExercise:
    """An exercise as it may be on a platform.

    Attributes:
        number: Its place in the assignment, from 1.
        title: Its title in the report's language.
        score: Points that were reached, exact, as is `max_score`.
        passed: Whether every check passed that counts.
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
        """Return the checks as lines, for a platform that has no checks within an exercise, each cut to a limit."""
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

    The student's copies, and no report, are what it is made of; so it can hold nothing that they do not.

    Args:
        due_passed: Whether the due date is over, so that nothing has to be held back until then.
    """
    later = student_copy(report, due_passed=True)
    now = later if due_passed else student_copy(report)
    return PlatformView(now, _exercises(now), _exercises(later))


def grade_comment(graded: Graded, points: str = "", maximum: Decimal | None = None) -> str:
    """Return the comment of a grade: the points, those of each exercise and who set any by hand; nothing of any check.

    Args:
        points: The score as it is on the platform; where that counts other points, the comment begins with it.
        maximum: What can be reached there.
    """
    row, language, entry = graded.row, graded.language, graded.entry
    if row.problem is not None:
        text = say("copy_problem", language, text=sanitise(row.problem, LONGEST))
    else:
        text = say("copy_points", language, score=points_shown(row.score), max_score=f"{row.max_score:f}")
    if row.exercises and row.problem is None:
        parts = (f"{one_line(each.title)} {points_shown(each.score)}/{each.max_score:f}" for each in row.exercises)
        text = f"{text}: {'; '.join(parts)}"
    text = ". ".join([text, *graded.by_hand])
    if entry is not None and not entry.is_raw:
        below = [] if entry.report is None else [say("copy_graded", language, text=text)]
        text = " ".join([counts_text(entry, language), *below])
    if graded.points is None:
        return text
    if maximum is None or maximum == row.max_score:
        return text
    return f"{say('copy_points', language, score=points, max_score=f'{plain(maximum):f}')} = {text}"


def counts_text(entry: Entry, language: Language) -> str:
    """Return which points count, and why, in words."""
    points = []
    if entry.counted is not None:
        score, most = f"{plain(entry.counted):f}", f"{plain(entry.max_score):f}"
        points = [say("copy_counts", language, score=score, max_score=most)]
    return " ".join([*points, *entry.reasons(language)])


def _exercises(copy: StudentReport) -> list[PlatformExercise]:
    return [
        PlatformExercise(
            id=exercise.id,
            number=str(place),
            title=one_line(exercise.title),
            score=exercise.score or Decimal(0),
            max_score=exercise.max_score,
            passed=exercise.status == "passed",
            status=exercise.status,
            checks=[_check(f"{place}.{order}", each, copy.language) for order, each in enumerate(exercise.checks, 1)],
        )
        for place, exercise in enumerate(copy.exercises, 1)
    ]


def _check(number: str, check: StudentCheck, language: Language) -> PlatformCheck:
    return PlatformCheck(
        id=check.id,
        number=number,
        name=one_line(check.message or check.id, 1000),
        visibility=check.visibility,
        status=check.status,
        passed=None if check.status == "skipped" else check.status == "passed",
        text=sanitise(_text(check, language), LONGEST),
        seconds=check.detail.duration_s if check.detail is not None else None,
        values=check.detail.values if check.detail is not None else None,
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
