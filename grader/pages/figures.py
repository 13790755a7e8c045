"""Counts a class: numbers in, numbers out. Reports are taken one by one, so thousands of them need little memory."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from grader.results.grades import Grade
from grader.results.report import Check, ExerciseBase, ExerciseResult, ExerciseStatus, Report
from grader.results.summary import mean_of, median_of, row_exercise
from grader.results.verdict import Language

BINS = 10


@dataclass(frozen=True)
class Student:
    """A student's line: the grade, and the cells by exercise, none where it could not be graded."""

    grade: Grade
    cells: dict[str, ExerciseBase]

    @property
    def untouched(self) -> bool:
        """Whether nothing was written at all."""
        return bool(self.cells) and all(cell.status == "missing" for cell in self.cells.values())


@dataclass(frozen=True)
class Mistake:
    """A known mistake, and who made it; without a name, those whose answer fits none."""

    name: str
    hint: str
    students: list[str]


@dataclass
class ExerciseFigures:
    """How the class did in an exercise.

    Attributes:
        cells: What each student reached of whom there are figures.
        made: The mistakes by their names.
    """

    id: str
    title: str
    max_score: Decimal
    cells: list[ExerciseBase] = field(default_factory=list)
    made: dict[str, Mistake] = field(default_factory=dict)

    def add(self, result: ExerciseResult, cell: ExerciseBase, student: str) -> None:
        self.cells.append(cell)
        known = [check.diagnosis for check in result.checks if check.diagnosis and check.status != "passed"]
        answered = [diagnosis for diagnosis in known if diagnosis.evidence == "answer"]
        if answered:
            known = [min(answered, key=lambda diagnosis: len(diagnosis.mistakes))]
        hints = {" / ".join(diagnosis.mistakes): diagnosis.hint for diagnosis in known}
        if not hints and result.status in ("failed", "partial"):
            hints = {"": ""}
        for name, hint in hints.items():
            self.made.setdefault(name, Mistake(name, hint, [])).students.append(student)

    @property
    def graded(self) -> int:
        """How many students there are figures of."""
        return len(self.cells)

    @property
    def passed(self) -> int:
        """How many passed every check."""
        return self.statuses.get("passed", 0)

    @property
    def mean(self) -> Decimal | None:
        """Their mean score; None where nobody is counted, as the median is."""
        return mean_of([cell.score or Decimal(0) for cell in self.cells])

    @property
    def median(self) -> Decimal | None:
        """Their median score."""
        return median_of([cell.score or Decimal(0) for cell in self.cells])

    @property
    def statuses(self) -> dict[ExerciseStatus, int]:
        """How many have each status, the commonest first."""
        return dict(Counter(cell.status for cell in self.cells).most_common())

    @property
    def mistakes(self) -> list[Mistake]:
        """The mistakes, the commonest first."""
        return sorted(self.made.values(), key=lambda mistake: (not mistake.name, -len(mistake.students), mistake.name))


@dataclass
class CheckFigures:
    """How the class did in a check.

    Attributes:
        graded: How many students it counted for.
        passed: How many passed it.
    """

    check: Check
    graded: int = 0
    passed: int = 0


class ClassFigures:
    """The figures of a class in one assignment.

    Attributes:
        students: Their lines.
        exercises, checks: How it did in each, by id, in the order of the assignment and of the suite.
        language: That of the reports.
        unsafe: Whether a report comes from a run without isolation.
    """

    def __init__(self, assignment: str) -> None:
        self.assignment = assignment
        self.students: list[Student] = []
        self.language: Language = "en"
        self.max_score = Decimal(0)
        self.unsafe = False
        self.exercises: dict[str, ExerciseFigures] = {}
        self.checks: dict[str, CheckFigures] = {}

    def add(self, report: Report, grade: Grade) -> None:
        """Count a report; points by hand stand in the student's line, and the figures are of what was graded."""
        self.language, self.max_score = report.language, report.max_score
        self.unsafe = self.unsafe or report.isolation.get("tier") == "none"
        graded = report.exercises if report.problem is None else []
        cells = {result.id: row_exercise(result) for result in graded}
        self.students.append(Student(grade, cells))
        for check in [check for result in graded for check in result.checks if check.counts]:
            counted = self.checks.setdefault(check.id, CheckFigures(check))
            counted.graded += 1
            counted.passed += check.status == "passed"
        for result in report.exercises:
            known = self.exercises.setdefault(result.id, ExerciseFigures(result.id, result.title, result.max_score))
            if result.id in cells:
                known.add(result, cells[result.id], report.student)

    def missed(self, most: int) -> list[ExerciseFigures]:
        """Return the exercises that most students did not pass, the worst first."""
        open_ones = [exercise for exercise in self.exercises.values() if exercise.passed < exercise.graded]
        return sorted(open_ones, key=lambda exercise: exercise.passed / exercise.graded)[:most]


def bins(scores: Sequence[Decimal], most: Decimal) -> list[tuple[Decimal, Decimal, int]]:
    """Return the distribution of scores: where a bin begins, where it ends, how many are in it."""
    places = Counter(min(BINS - 1, max(0, int(score * BINS / most))) if most > 0 else 0 for score in scores)
    edges = [most * number / BINS for number in range(BINS + 1)]
    return [(edges[n], edges[n + 1], places[n]) for n in range(BINS)]
