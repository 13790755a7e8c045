"""Makes a student's page: what happened in words, and what to do next, before everything else.

It is made of the student's copy of the report alone. That type has no place for what is hidden, so no page can hold it.
"""

from dataclasses import dataclass

from grader.language import translation
from grader.results.report import SourceLine
from grader.results.scoring import plain, points_shown
from grader.results.sentences import OUTCOMES, pick
from grader.results.student_report import StudentCheck, StudentExercise, StudentReport
from grader.results.verdict import Language

from .pictures import Picture, pictures
from .rendering import page


@dataclass(frozen=True)
class CheckView:
    """A check as a page tells of it; a text is empty where there is nothing to tell.

    Attributes:
        sentence: What it asks.
        mark: What kind of check it is where it is not a visible one.
        outcome: What happened, in a sentence.
        is_code: Whether that sentence holds words of the student's process.
        where: Which line of the submission it was.
        line: That line, between those around it where they are known.
        call: The check's last call as Python, where that is small.
        pictures: The wrong answer, the right one and their difference; none where it is large or may not be shown.
        place: The indices in front of theirs, where the answer has more than two dimensions.
    """

    status: str
    sentence: str
    mark: str
    outcome: str
    is_code: bool
    where: str
    line: str
    call: str
    printed: str
    pictures: list[Picture]
    place: str


@dataclass(frozen=True)
class ExerciseView:
    """An exercise as a page tells of it.

    Attributes:
        anchor: Its place in the page.
        most: Points that can be reached.
        first: The first check that broke; None when none did.
        hint: What to think about; empty when no known mistake was recognised.
        broken: The other checks that did not pass.
        passed: The checks that passed.
    """

    id: str
    anchor: str
    title: str
    status: str
    score: str
    most: str
    first: CheckView | None
    hint: str
    broken: list[CheckView]
    passed: list[CheckView]


def student_page(copy: StudentReport, language: str | None = None) -> bytes:
    """Return a student's page in HTML, its own words in a language; in the report's if none is given."""
    language = language or copy.language
    return page("student.html", language, **_values(copy, language))


def _values(copy: StudentReport, language: str) -> dict[str, object]:
    exercises = [_exercise(number, each, copy.language, language) for number, each in enumerate(copy.exercises, 1)]
    return {
        "copy": copy,
        "score": points_shown(copy.score),
        "most": f"{plain(copy.max_score):f}",
        "share": float((copy.score or 0) / copy.max_score) if copy.max_score > 0 else 0.0,
        "exercises": exercises,
        "next": next((each for each in exercises if each.status != "passed"), None),
    }


def _exercise(number: int, each: StudentExercise, graded_in: Language, language: str) -> ExerciseView:
    open_ones = [check for check in each.checks if check.status != "passed"]
    first = next((check for check in open_ones if check.status != "skipped"), next(iter(open_ones), None))
    hints = [check.diagnosis.hint for check in ([first] if first else []) + open_ones if check.diagnosis is not None]
    return ExerciseView(
        id=each.id,
        anchor=f"exercise-{number}",
        title=each.title,
        status=each.status,
        score=points_shown(each.score),
        most=f"{plain(each.max_score):f}",
        first=None if first is None else _check(first, graded_in, language),
        hint=next(iter(hints), ""),
        broken=[_check(check, graded_in, language) for check in open_ones if check is not first],
        passed=[_check(check, graded_in, language) for check in each.checks if check.status == "passed"],
    )


def _check(check: StudentCheck, graded_in: Language, language: str) -> CheckView:
    detail = check.detail
    found = detail.found if detail is not None else ""
    outcome = found or check.outcome or pick(OUTCOMES[check.status], graded_in)
    values = detail.values if detail is not None else None
    if check.exception and check.exception not in outcome:
        outcome = f"{outcome.rstrip()} ({check.exception})"
    where = "" if check.line is None else _where(check.line, language)
    return CheckView(
        status=check.status,
        sentence=check.message or check.id,
        mark=translation(language).gettext("hidden check") if check.visibility == "hidden" else "",
        outcome="" if check.status == "passed" else outcome,
        is_code=bool(found),
        where=where,
        line="" if check.line is None else source_around(check.line),
        call=detail.call if detail is not None else "",
        printed="" if detail is None or check.status == "passed" else detail.output.strip("\n"),
        pictures=pictures(values) if values is not None else [],
        place=str(values.place) if values is not None and values.place else "",
    )


def _where(line: SourceLine, language: str) -> str:
    _ = translation(language).gettext
    if line.number is None:
        return _("Your line")
    if line.cell is None:
        return _("Your line {number}").format(number=line.number)
    return _("Your line {number} in cell {cell}").format(number=line.number, cell=line.cell)


def source_around(line: SourceLine) -> str:
    """Return a line of the submission between the lines around it, with their numbers and a mark on the one."""
    if line.number is None:
        return line.text.strip()
    first = line.number - len(line.before)
    numbered = enumerate([*line.before, line.text, *line.after], first)
    return "\n".join(f"{'>' if at == line.number else ' '} {at:4}  {text}".rstrip() for at, text in numbered)
