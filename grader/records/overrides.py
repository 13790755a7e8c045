"""Points that a teacher sets by hand: kept in the journal, put over those that grading gave, until they are taken back.

The reports keep the graded points, so both are known. Whoever shows points or carries them elsewhere asks
`row_after` or `report_after`. What grading itself compares, such as whose score went down, are the graded points.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from grader.errors import OutputError, UsageError
from grader.faults import did_you_mean
from grader.results.report import Report
from grader.results.scoring import plain, points_shown, total_of
from grader.results.sentences import BY_HAND, BY_HAND_IDLE, pick
from grader.results.student_report import StudentReport
from grader.results.summary import Row
from grader.results.table import score_change_text
from grader.results.verdict import Language
from grader.results.write import STUDENT_COPIES, ReportsFolder
from grader.text import composed, listed, name_shown, one_line

from .announced_scores import summary_before
from .departed_students import places_of
from .journal import Journal
from .journal_lines import Line, Override, Place
from .report_files import departed_in, summary_in

WHOLE = ""
"""What an override of the sum of an assignment names in place of an exercise."""
NOT_BY_EXERCISE = "the points of the whole were set by hand, so those of its exercises do not add up to them."
BY_EXERCISE = "Take them back, and set the points of exercises with `grader override --exercise`."
LONGEST_REASON, LONGEST_NAME = 500, 100
Overrides = Mapping[Place, Mapping[str, Override]]
"""What counts now, by submission and exercise."""
Graded = Row | Line | Report | StudentReport
Document = TypeVar("Document", Report, StudentReport)


def overrides_of(folder: Path) -> Overrides:
    """Return the overrides that count in a reports folder, or for its folder of students' copies.

    Raises:
        UsageError: There is a journal, and it cannot be read.
    """
    place = folder.absolute()
    return in_force(Journal(place.parent if place.name == STUDENT_COPIES else place, None).overrides)


def overrides_around(report: Path) -> Overrides:
    """Return the overrides that count in the reports folder which a single report or copy is in."""
    return overrides_of(report.absolute().parent.parent) or overrides_of(report.resolve().parent.parent)


def in_force(history: Iterable[Override]) -> Overrides:
    """Return what counts after all that was set and taken back, the newest last."""
    found: dict[Place, dict[str, Override]] = {}
    for each in history:
        mine = found.setdefault(each.place, {})
        mine.pop(each.exercise, None)
        if each.points is not None:
            mine[each.exercise] = each
    return {place: mine for place, mine in found.items() if mine}


def row_after(row: Row, overrides: Overrides) -> Row:
    """Return a row with the points that count; a submission that could not be graded is none where its sum was set."""
    mine: Mapping[str, Override] = overrides.get((row.student, row.assignment), {})
    if not mine:
        return row
    return msgspec.structs.replace(row, **_points(row, mine), problem=None if WHOLE in mine else row.problem)


def report_after(report: Document, overrides: Overrides) -> Document:
    """Return a report, or a student's copy, with the points that count, and notes that say what was set by hand."""
    mine: Mapping[str, Override] = overrides.get((report.student, report.assignment), {})
    if not mine:
        return report
    notes = [*sentences(report, mine, report.language), *report.notes]
    return msgspec.structs.replace(report, **_points(report, mine), notes=notes)


def _points(graded: Row | Report | StudentReport, mine: Mapping[str, Override]) -> dict[str, Any]:
    whole = _within(mine[WHOLE], graded.max_score) if WHOLE in mine else None
    if graded.problem is not None:
        return {} if whole is None else {"score": whole}
    exercises = [
        msgspec.structs.replace(each, score=_within(mine[each.id], each.max_score)) if each.id in mine else each
        for each in graded.exercises
    ]
    return {"score": total_of([each.score for each in exercises]) if whole is None else whole, "exercises": exercises}


def _within(each: Override, most: Decimal) -> Decimal:
    """Return the points that were set, or all that can be reached where a changed suite has fewer than those."""
    return min(each.points or Decimal(0), most)


def sentences(graded: Graded, mine: Mapping[str, Override], language: Language = "en") -> list[str]:
    """Return a sentence for each override of a submission: its points beside those that grading gave, by whom and why.

    Args:
        graded: What grading gave.
    """
    found = []
    for name, each in mine.items():
        before, most, title = _beneath(graded, name) or (Decimal(0), Decimal(0), name)
        idle = is_idle(graded, name)
        points = each.shown if idle else f"{plain(_within(each, most)):f}"
        words = {"points": points, "before": points_shown(before), "most": f"{plain(most):f}"}
        text = pick(BY_HAND_IDLE if idle else BY_HAND, language)
        found.append(text.format(**words, title=title, by=one_line(each.by), reason=one_line(each.reason, 1000)))
    return found


def is_idle(graded: Graded, exercise: str) -> bool:
    """Return whether points cannot count, since there is no such exercise or it was not graded."""
    return exercise != WHOLE and (graded.problem is not None or _beneath(graded, exercise) is None)


def _beneath(graded: Graded, exercise: str) -> tuple[Decimal | None, Decimal, str] | None:
    """Return the graded points, the maximum and the name of an exercise or of the sum; None where there is none."""
    if exercise == WHOLE:
        return graded.score, graded.max_score, graded.assignment
    return next(((each.score, each.max_score, each.title) for each in graded.exercises if each.id == exercise), None)


def changed_beneath(before: Line, after: Line, overrides: Overrides) -> list[str]:
    """Return a sentence for each override beneath which a new grading gave other points than the one before it."""
    found = []
    for name, each in overrides.get(after.place, {}).items():
        where = f"{name_shown(after.student)}, {after.assignment}"
        then, now = (_beneath(line, name) for line in (before, after))
        if is_idle(after, name):
            found += [] if is_idle(before, name) else [f"{where}: {said}" for said in sentences(after, {name: each})]
        elif then is not None and now is not None and then[:2] != now[:2]:
            points = _within(each, now[1])
            still = f"The {each.shown}" if points == each.points else f"{plain(points):f} of the {each.shown}"
            found.append(
                f"{where}{', ' * bool(name)}{name}: grading gave other points beneath those set by hand, "
                f"{score_change_text(*then[:2], *now[:2])}. {still} set by {name_shown(each.by)} still count; "
                "`grader override --take-back` ends that."
            )
    return found


def by_hand_note(rows: Sequence[Row], overrides: Overrides) -> list[str]:
    """Return whose points in a run's table were set by hand, in a sentence or none."""
    names = [
        f"{name_shown(row.student)} ({row.assignment})"
        for row in rows
        if not all(is_idle(row, name) for name in overrides.get((row.student, row.assignment), {}))
    ]
    return [f"Points set by hand count for {listed(names)}."] if names else []


def set_points(folder: Path, secret: bytes, asked: Override) -> str:
    """Keep points that were set by hand, or that they are taken back, and bring `scores.csv` up to date.

    Args:
        secret: The course's, which seals the journal.
        asked: What was asked for; its time is filled in here.

    Returns:
        A sentence that says what counts now.

    Raises:
        UsageError: There is no such report or exercise, or the points cannot count.
        OutputError: It could not be written.
    """
    journal = Journal(folder, secret)
    asked = msgspec.structs.replace(asked, student=known_as(asked.place, journal, folder))
    line = journal.newest(asked.place)
    if line is None:
        raise _no_report(journal, folder, asked)
    mine = in_force(journal.overrides).get(asked.place, {})
    _refuse(line, mine, asked)
    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    try:
        journal.append(msgspec.structs.replace(asked, at=now))
    finally:
        journal.close()
    try:
        _write_scores(folder, journal)
    except OutputError as problem:
        looked_for = f"The points are set in the journal, and scores.csv does not have them yet. {problem.looked_for}"
        raise OutputError(looked_for, problem.found, "Put that right and give the same command again.") from None
    if asked.points is not None:
        (said,) = sentences(line, {asked.exercise: asked})
    else:
        said = f"{asked.exercise or asked.assignment}: what grading gave counts again."
    return f"{name_shown(asked.student)}, {said}"


def known_as(asked: Place, journal: Journal, folder: Path) -> str:
    """Return the student's name as the folder has it, however its accents or its Hangul are encoded.

    Of two folders of one name that is the one that the class has still. Nobody of that name: it stays as it is.
    """
    name = composed(asked[0])
    alike = {place for place in journal.places() if place[1] == asked[1] and composed(place[0]) == name}
    there = alike - departed_in(folder, summary_in(folder)) if alike - {asked} else alike
    return asked[0] if asked in there or len(there) != 1 else there.pop()[0]


def _no_report(journal: Journal, folder: Path, asked: Override) -> UsageError:
    students = {student for student, assignment in journal.places() if assignment == asked.assignment}
    return UsageError(
        f"The report of {name_shown(asked.student)} for {asked.assignment} was looked for.",
        f"The journal in {name_shown(str(folder))} has none.",
        did_you_mean(asked.student, students)[:300]
        or "Name the folder that `grader grade --output` wrote, by --output.",
    )


def _refuse(line: Line, mine: Mapping[str, Override], asked: Override) -> None:
    """Refuse what cannot count, or would make something else that was set by hand count no longer.

    Raises:
        UsageError: It is refused.
    """
    who = f"{name_shown(asked.student)}, {asked.assignment}"
    beneath = _beneath(line, asked.exercise)
    if asked.points is None:
        if asked.exercise not in mine:
            others = ", ".join(f"--exercise {name}" if name else "the whole assignment" for name in mine)
            hint = f"Points were set for {others}." if others else ""
            raise UsageError("Points set by hand were looked for.", f"{who} has none to take back.", hint)
        return
    if beneath is None:
        hint = did_you_mean(asked.exercise, [each.id for each in line.exercises])
        raise UsageError("An exercise was looked for.", f"{who} has none called {name_shown(asked.exercise)}.", hint)
    if not 0 <= asked.points <= beneath[1]:
        found = f"{asked.points:f} is not between 0 and {plain(beneath[1]):f}."
        raise UsageError(f"The points of {beneath[2]} were looked for.", found, "Give others with --points.")
    if asked.exercise != WHOLE and line.problem is not None:
        hint = "Leave --exercise out: set the points of the whole assignment."
        raise UsageError("Graded points were looked for.", f"{who} could not be graded.", hint)
    other = next(
        (each for name, each in mine.items() if WHOLE in (name, asked.exercise) and name != asked.exercise), None
    )
    if other is not None:
        what = f"of {other.exercise}" if other.exercise else "of the whole assignment"
        found = f"{who}: those {what} were set already, by {name_shown(other.by)}."
        raise UsageError("Points either of exercises or of the whole were looked for.", found, "Take these back first.")


def _write_scores(folder: Path, journal: Journal) -> None:
    """Write `scores.csv` again as its run did, with the points that count now."""
    summary = summary_before(folder)
    if summary is None or summary.handed_in is None:
        return
    overrides = in_force(journal.overrides)
    handed_in = places_of(summary.handed_in)
    lines = [line for place in handed_in if (line := journal.newest(place)) is not None]
    students = sorted({*summary.absent, *(student for student, _ in handed_in)})
    ReportsFolder(folder).write_scores(
        [row_after(line.row(), overrides) for line in lines], students, [each.id for each in summary.assignments]
    )
