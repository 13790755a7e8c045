"""Makes a student's page: what happened in words, and what to do next, before everything else.

It is made of the student's copy of the report alone. That type has no place for what is hidden, so no page can hold it.
"""

from dataclasses import dataclass

from grader.results.report import SourceLine
from grader.results.scoring import plain, points_shown
from grader.results.student_report import StudentCheck, StudentExercise, StudentReport

from .pictures import pictures
from .rendering import page


@dataclass(frozen=True)
class ExerciseView:
    """An exercise of the copy, and its checks as a page tells of them.

    Attributes:
        anchor: Its place in the page.
        first: The first check that broke; None when none did.
        hinted: The first one with a hint; None where no known mistake was recognised.
        broken: The other checks that did not pass; none of an exercise that is not written.
    """

    of: StudentExercise
    anchor: str
    first: StudentCheck | None
    hinted: StudentCheck | None
    broken: list[StudentCheck]
    passed: list[StudentCheck]

    @property
    def points(self) -> str:
        """The points reached of those that can be."""
        return f"{points_shown(self.of.score)}/{plain(self.of.max_score):f}"


def student_page(copy: StudentReport, language: str | None = None) -> bytes:
    """Return a student's page in HTML, its own words in a language; in the report's if none is given."""
    exercises = [_view(number, exercise) for number, exercise in enumerate(copy.exercises, 1)]
    return page(
        "student.html",
        language or copy.language,
        copy=copy,
        score=points_shown(copy.score),
        most=f"{plain(copy.max_score):f}",
        share=float((copy.score or 0) / copy.max_score) if copy.max_score > 0 else 0.0,
        exercises=exercises,
        next=next((view for view in exercises if view.of.status != "passed"), None),
        pictures_of=pictures,
        source_around=source_around,
    )


def _view(number: int, exercise: StudentExercise) -> ExerciseView:
    open_ones = [check for check in exercise.checks if check.status != "passed"]
    first = next((check for check in open_ones if check.status != "skipped"), next(iter(open_ones), None))
    return ExerciseView(
        of=exercise,
        anchor=f"exercise-{number}",
        first=first,
        hinted=next((check for check in open_ones if check.diagnosis is not None), None),
        broken=[check for check in open_ones if check is not first and exercise.status != "missing"],
        passed=[check for check in exercise.checks if check.status == "passed"],
    )


def source_around(line: SourceLine) -> str:
    """Return a line of the submission between the lines around it, with their numbers and a mark on the one."""
    if line.number is None:
        return line.text.strip()
    first = line.number - len(line.before)
    numbered = enumerate([*line.before, line.text, *line.after], first)
    return "\n".join(f"{'>' if at == line.number else ' '} {at:4}  {text}".rstrip() for at, text in numbered)
