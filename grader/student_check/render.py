"""Puts a student's own run, or the student's copy of a report, into words for terminals and notebooks alike."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from grader.language import translation
from grader.results.report import SourceLine
from grader.results.scoring import plain, points_shown
from grader.results.student_report import StudentCheck, StudentDetail, StudentDiagnosis, StudentReport
from grader.results.verdict import CheckVerdict, ManifestCheck, Status
from grader.text import one_line, sanitise

if TYPE_CHECKING:
    from .checked import Checked

PRINTED_CHARACTERS = 500
SIGNS: Mapping[Status, str] = {"passed": "+", "skipped": "-"}


def sign_of(status: Status) -> str:
    """Return `+` for a check that passed, `-` for one that was not run, `x` for every other."""
    return SIGNS.get(status, "x")


@dataclass(frozen=True)
class Part:
    """One exercise.

    Attributes:
        count: How many of its checks passed, or its points, in words.
        checks: Those that are told of: none of a complete exercise beside others, one where nothing is written.
    """

    exercise: str
    title: str
    complete: bool
    count: str
    checks: tuple[StudentCheck, ...]

    @property
    def first(self) -> StudentCheck | None:
        """The first check that did not pass: the one that everything is told of."""
        return next((check for check in self.checks if sign_of(check.status) == "x"), None)

    @property
    def hint(self) -> str:
        """The first hint among its checks, behind what its check asks for if that is another; empty without one."""
        hinted = next((check for check in self.checks if check.diagnosis), None)
        if hinted is None or hinted.diagnosis is None:
            return ""
        return hinted.diagnosis.hint if hinted is self.first else f"({hinted.message}) {hinted.diagnosis.hint}"


@dataclass(frozen=True)
class RunOverview:
    """A run, or a report, in words.

    Attributes:
        heading: The assignment, and the student where it is a report.
        file: The name of the file; empty in a notebook's kernel.
        problem: Why nothing could be checked; empty otherwise.
        closing: How many checks passed, or the points.
    """

    heading: str
    file: str
    notes: tuple[str, ...]
    problem: str
    parts: tuple[Part, ...]
    closing: str

    @property
    def done(self) -> int:
        """How many exercises are complete."""
        return sum(part.complete for part in self.parts)


def run_overview(checked: "Checked") -> RunOverview:
    """Return a run in words."""
    language = checked.language
    words = translation(language)
    titles = {entry.id: entry.title_ko if language == "ko" else entry.title for entry in checked.files.exercises}
    passed = {check.id for check in checked.checks if checked.verdicts[check.id].status == "passed"}
    parts = []
    for exercise in dict.fromkeys(check.exercise for check in checked.checks):
        mine = [check for check in checked.checks if check.exercise == exercise]
        good = sum(check.id in passed for check in mine)
        count = words.gettext("{good} of {total}").format(good=good, total=len(mine))
        told = _visible_checks(mine, checked.verdicts, language)
        parts.append(Part(exercise, titles.get(exercise, exercise), good == len(mine), count, told))
    closing = words.ngettext(
        "{good} / {total} visible check passed.", "{good} / {total} visible checks passed.", len(checked.checks)
    )
    return RunOverview(
        checked.files.assignment,
        "" if checked.in_notebook else one_line(checked.files.submission.name),
        tuple(sanitise(note, 1000) for note in checked.notes),
        sanitise(checked.problem, 1000),
        _folded(parts),
        closing.format(good=len(passed), total=len(checked.checks)),
    )


def report_overview(copy: StudentReport) -> RunOverview:
    """Return the student's copy of a report in words, with the checks that did not pass.

    The words are not yet harmless to a terminal.
    """
    _ = translation(copy.language).gettext

    def points(score: object, most: object) -> str:
        return _("{score} of {most} points").format(score=score, most=most)

    parts = [
        Part(
            exercise.id,
            exercise.title,
            exercise.status == "passed",
            points(points_shown(exercise.score), f"{plain(exercise.max_score):f}"),
            tuple(check for check in exercise.checks if sign_of(check.status) == "x"),
        )
        for exercise in copy.exercises
    ]
    return RunOverview(
        f"{copy.assignment}, {copy.student}",
        copy.submission.graded or "",
        tuple(copy.notes),
        "" if copy.problem is None else _("This submission could not be graded: {text}").format(text=copy.problem),
        _folded(parts),
        points(points_shown(copy.score), f"{plain(copy.max_score):f}") + ".",
    )


def _folded(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Leave out the checks of a complete exercise beside others, and all but the reason of an unwritten one."""
    folded = []
    for part in parts:
        checks = () if part.complete and len(parts) > 1 else part.checks
        unwritten = [check for check in checks if check.status == "missing"]
        if unwritten and all(check.status in ("missing", "skipped") for check in checks):
            why = unwritten[0].happened
            checks = (msgspec.structs.replace(unwritten[0], message=why, outcome="", exception=None, detail=None),)
        folded.append(replace(part, checks=checks))
    return tuple(folded)


def _visible_checks(
    checks: Sequence[ManifestCheck], verdicts: Mapping[str, CheckVerdict], language: str
) -> tuple[StudentCheck, ...]:
    _ = translation(language).gettext
    shown: list[StudentCheck] = []
    reported = False  # a name that is missing is said once
    waiting = [check for check in checks if verdicts[check.id].status == "skipped"]
    for check in checks:
        if check in waiting[1:]:
            continue
        verdict = verdicts[check.id]
        sentence = check.sentence_ko if language == "ko" else check.sentence
        if check in waiting and len(waiting) > 1:
            more = _("{count} more checks run once the checks that they need pass.")
            sentence = more.format(count=len(waiting))
        bare = StudentCheck(id=check.id, visibility="visible", status=verdict.status, message=sentence)
        if verdict.status in ("passed", "skipped") or reported:
            shown.append(bare)
            continue
        reported = verdict.status == "missing"
        finding = (verdict.found_ko if language == "ko" else verdict.found) or verdict.found
        line = SourceLine(number=verdict.line, cell=verdict.cell or None, text=one_line(verdict.line_text))
        detail = StudentDetail(
            found=sanitise(finding),
            exception_text=verdict.exception_text,
            output=sanitise(verdict.output, PRINTED_CHARACTERS),
            duration_s=verdict.duration_s,
            values=verdict.values,
            call=verdict.call,
        )
        known = verdict.diagnosis
        hint = StudentDiagnosis(hint=known.hint_ko if language == "ko" else known.hint) if known else None
        line_there = line if line.text else None
        shown.append(msgspec.structs.replace(bare, line=line_there, detail=detail, diagnosis=hint))
    return tuple(shown)


def asked(check: StudentCheck, language: str) -> str:
    """Return what a check asks, and whether it is hidden."""
    if check.visibility == "visible":
        return check.message
    hidden = translation(language).gettext("hidden check")
    return f"{check.message} ({hidden})"


def place_of(line: SourceLine, file: str, language: str) -> str:
    """Return where a line is: `tiny.py:14`, or the cell and line of a notebook; empty if only its text is known."""
    if line.number is None:
        return ""
    if line.cell is None and file:
        return f"{file}:{line.number}"
    _ = translation(language).gettext
    if line.cell is None:
        return _("line {line}").format(line=line.number)
    return _("cell {cell}, line {line}").format(cell=line.cell, line=line.number)
