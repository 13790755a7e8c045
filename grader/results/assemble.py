"""Puts a submission's report together from what was read, what was expected and what came of it.

Here words from the student's process become part of the kit's own files, so this is where they are made harmless. Two
of them reach a student also from hidden checks, and could be made to carry a hidden input out: the type of an exception
and the place of a line. So a hidden check names built-in exceptions only, and lines only of a file of ordinary length.
The few bits a check that are left are of no use, since another submission gets other inputs.
"""

import builtins
import functools
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Literal

import msgspec

from grader.errors import CourseError
from grader.inside.protocol.messages import PY_BESIDE
from grader.language import translation
from grader.limits import Limits
from grader.source_cells import Source
from grader.text import one_line, sanitise

from .report import SCHEMA_VERSION, Check, Detail, Diagnosis, ExerciseResult, Fact, Report, SourceLine, SubmittedFiles
from .scoring import join, plain, score_of, status_of, total_of
from .sentences import BY_HEART, NO_VERDICT, NO_VERDICTS, STRANGE_VERDICTS, UNGRADED, outcome
from .verdict import CheckVerdict, Language, ManifestCheck

LONGEST_SENTENCE = 1000
LONGEST_TEXT = 4000
LONGEST_LINE = 300
AROUND = 2  # lines of the source above and below a line that is shown
LONGEST_NAME = 80
MOST_NOTES = 40
MOST_LINES = 800

ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,16}\b")  # of an object in memory: another one in every run
TORCH_EXCEPTIONS = frozenset({"OutOfMemoryError", "LinAlgError"})
BUILT_IN = TORCH_EXCEPTIONS | {
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
}


class PlannedExercise(msgspec.Struct, frozen=True, kw_only=True):
    """An exercise as the course has it, in the report's language."""

    id: str
    title: str
    points: Decimal


class RunFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What is the same for every submission of a run; the fields are those of the report."""

    kit_version: str
    language: Language
    device: str
    isolation: dict[str, Fact]
    limits: Limits


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What grading one submission came to.

    Attributes:
        verdicts: What the grading process said, in any order; empty when it was never started.
        notes: What the run found out besides (an error at import, stand-ins that were used).
        ungraded: Why an exercise has no score, by exercise (`sentences.UNGRADED`).
        seed: What the submission's inputs were drawn from.
        started: When it began, in UTC by ISO 8601.
    """

    verdicts: Sequence[CheckVerdict] = ()
    notes: Sequence[str] = ()
    ungraded: Mapping[str, Literal["killed", "time"]] = {}
    seed: str = ""
    started: str
    duration_s: float


def assemble(
    *,
    student: str,
    assignment: str,
    source: Source,
    plan: Sequence[PlannedExercise],
    manifest: Sequence[ManifestCheck],
    outcome: Outcome,
    run: RunFacts,
) -> Report:
    """Return the instructor's report of one submission.

    Args:
        source: What was read; with a problem nothing was run, and the report says why.
        manifest: The checks that must have a verdict.

    Raises:
        CourseError: An exercise has no checks, or a check belongs to no exercise.
    """
    checks_of = _checks_of(assignment, plan, manifest)
    verdicts, sound = join(manifest, outcome.verdicts)
    problem, notes = source.problem, [*source.notes, *outcome.notes]
    _ = translation(run.language).gettext
    if problem is None and not (sound and (outcome.verdicts or outcome.ungraded)):
        problem = _(NO_VERDICTS if sound else STRANGE_VERDICTS)
    ungraded = frozenset(checks_of if problem is not None else outcome.ungraded)
    if problem is None and ungraded:
        problem = _why_ungraded(outcome.ungraded, run.language)
    if problem is None:
        if len(outcome.verdicts) < len(manifest):
            notes.append(_(NO_VERDICT))
        notes += [
            _(BY_HEART).format(exercise=id)
            for id, checks in checks_of.items()
            if not earns_points(checks, verdicts)
            and any(verdicts[check.id].status == "passed" and check.category != "errors" for check in checks)
        ]
    text = _SubmittedText(source)
    without = frozenset(checks_of) if source.problem else frozenset(outcome.ungraded)
    shown = {id: [] if id in without else checks for id, checks in checks_of.items()}
    exercises = [_exercise(exercise, shown[exercise.id], verdicts, text, run) for exercise in plan]
    exercises = [msgspec.structs.replace(entry, score=None) if entry.id in ungraded else entry for entry in exercises]
    return Report(
        schema_version=SCHEMA_VERSION,
        kit_version=run.kit_version,
        student=student,
        assignment=assignment,
        language=run.language,
        submission=SubmittedFiles(
            files=sorted(source.sha256),
            graded=source.file_name or None,
            sha256=dict(sorted(source.sha256.items())),
            uploaded=None if source.uploaded is None else sanitise(source.uploaded, LONGEST_SENTENCE),
            submitted=source.submitted,
            late=source.late,
        ),
        score=None if problem is not None else total_of([exercise.score for exercise in exercises]),
        max_score=total_of([exercise.max_score for exercise in exercises]),
        problem=None if problem is None else sanitise(problem, LONGEST_SENTENCE),
        notes=_bounded(notes),
        device=run.device,
        isolation=run.isolation,
        seed=outcome.seed,
        started=outcome.started,
        duration_s=round(outcome.duration_s, 6),
        limits=run.limits,
        exercises=exercises,
    )


def _why_ungraded(ungraded: Mapping[str, Literal["killed", "time"]], language: Language) -> str:
    exercises = {why: [id for id, kind in ungraded.items() if kind == why] for why in dict.fromkeys(ungraded.values())}
    _ = translation(language).gettext
    return " ".join(_(UNGRADED[why]).format(exercises=", ".join(ids)) for why, ids in exercises.items())


def _checks_of(
    assignment: str, plan: Sequence[PlannedExercise], manifest: Sequence[ManifestCheck]
) -> Mapping[str, list[ManifestCheck]]:
    checks_of: dict[str, list[ManifestCheck]] = {exercise.id: [] for exercise in plan}
    strange = set()
    for check in manifest:
        if check.exercise in checks_of:
            checks_of[check.exercise].append(check)
        else:
            strange.add(check.exercise)
    bare = [id for id, checks in checks_of.items() if not checks]
    if strange:
        names = ", ".join(sorted(strange))
        raise CourseError(f"{assignment} has checks of {names}, but no such exercise.", "Rename one of the two.")
    if bare:
        raise CourseError(f"{assignment} has no check of {', '.join(bare)}.", "Write one.")
    return checks_of


def _bounded(notes: Sequence[str]) -> list[str]:
    clean = [_harmless(note, LONGEST_SENTENCE) for note in dict.fromkeys(notes)]
    return clean if len(clean) <= MOST_NOTES else [*clean[:MOST_NOTES], f"{len(clean) - MOST_NOTES} more notes."]


def _exercise(
    exercise: PlannedExercise,
    checks: Sequence[ManifestCheck],
    verdicts: Mapping[str, CheckVerdict],
    text: "_SubmittedText",
    run: RunFacts,
) -> ExerciseResult:
    judged = [(check, verdicts[check.id]) for check in checks]
    earned = earns_points(checks, verdicts)
    status = status_of([verdict for _, verdict in judged]) if checks else "ungraded"
    return ExerciseResult(
        id=exercise.id,
        title=exercise.title,
        score=score_of(exercise.points, judged) if earned else Decimal(0),
        max_score=plain(exercise.points),
        status="failed" if status == "partial" and not earned else status,
        checks=[_check(check, verdicts[check.id], text, run) for check in checks],
    )


def earns_points(checks: Sequence[ManifestCheck], verdicts: Mapping[str, CheckVerdict]) -> bool:
    """Return whether an exercise passed a check whose inputs nobody can know, where it has one.

    The visible checks and the notes' figures can be learnt by heart, so alone they are worth nothing.
    """
    drawn = [check for check in checks if check.visibility != "visible" and check.category != "document"]
    return not drawn or any(verdicts[check.id].status == "passed" for check in drawn)


def _check(check: ManifestCheck, verdict: CheckVerdict, text: "_SubmittedText", run: RunFacts) -> Check:
    korean, shown, known = run.language == "ko", check.visibility == "visible", verdict.diagnosis
    reason = (verdict.reason_ko if korean else "") or verdict.reason
    finding = (verdict.found_ko if korean else "") or verdict.found
    advice = (verdict.advice_ko if korean else "") or verdict.advice
    sentence = advice or outcome(verdict, run.language)
    return Check(
        id=check.id,
        category=check.category,
        visibility=check.visibility,
        status=verdict.status,
        weight=check.weight,
        counts=not verdict.excused,
        message=check.sentence_ko if korean else check.sentence,
        outcome=sanitise(reason, LONGEST_SENTENCE) if verdict.status == "skipped" and reason else sentence,
        diagnosis=None
        if known is None
        else Diagnosis(mistakes=known.mistakes, hint=known.hint_ko if korean else known.hint, evidence=known.evidence),
        exception=text.exception(verdict.exception_type, shown=shown),
        line=text.line(verdict) if shown or text.is_short else None,
        detail=Detail(
            found=_harmless(finding, LONGEST_TEXT),
            exception_type=one_line(verdict.exception_type, LONGEST_NAME),
            exception_text=_harmless(verdict.exception_text, LONGEST_TEXT),
            output_dropped=verdict.output_dropped,
            input_seed=verdict.input_seed,
            values=verdict.values if shown else None,
            call=_harmless(verdict.call, LONGEST_TEXT) if shown else "",
        ),
        output=_harmless(verdict.output, run.limits.output_bytes),
        duration_s=verdict.duration_s,
    )


def _harmless(text: str, limit: int) -> str:
    """Return words of the student's process, harmless and without addresses, so that two runs say the same."""
    return ADDRESS.sub("0x...", sanitise(text, limit)) if text else ""


class _SubmittedText:
    """The submission's own text, against which the worker's words are held."""

    def __init__(self, source: Source) -> None:
        self._notebook = source.kind == "ipynb"
        self._cells = {cell.number: cell.source.split("\n") for cell in source.cells}
        self._file = PY_BESIDE if PY_BESIDE in self._cells else 1

    @functools.cached_property
    def is_short(self) -> bool:
        """Whether the place of a line reveals little: among thousands of lines it could spell out a hidden input."""
        return sum(map(len, self._cells.values())) <= MOST_LINES

    @functools.cached_property
    def _lines(self) -> set[str]:
        return {line.strip() for lines in self._cells.values() for line in lines}

    @functools.cached_property
    def _words(self) -> set[str]:
        return {word for line in self._lines for word in re.findall(r"\w+", line)}

    def exception(self, name: str, *, shown: bool) -> str | None:
        """Return an exception's type if it is built in, or in a visible check if it is a word of the submission."""
        last = name.rpartition(".")[2]
        if last in BUILT_IN:
            return last
        is_in_submission = shown and last.isidentifier() and len(last) <= LONGEST_NAME and last in self._words
        return sanitise(last) if is_in_submission else None

    def line(self, verdict: CheckVerdict) -> SourceLine | None:
        """Return the line that a verdict names if the submission has it; without its number where only its text is."""
        cell = verdict.cell if self._notebook else None
        lines = self._cells.get(cell if cell is not None else self._file, [])
        wanted = verdict.line_text.strip()
        at = verdict.line
        if at is not None and 0 < at <= len(lines) and (there := lines[at - 1].strip()) and wanted in ("", there):
            return SourceLine(
                number=at,
                cell=cell,
                text=sanitise(lines[at - 1].rstrip(), LONGEST_LINE),
                before=[sanitise(line, LONGEST_LINE) for line in lines[max(0, at - 1 - AROUND) : at - 1]],
                after=[sanitise(line, LONGEST_LINE) for line in lines[at : at + AROUND]],
            )
        known = wanted and wanted in self._lines
        return SourceLine(number=None, cell=None, text=sanitise(wanted, LONGEST_LINE)) if known else None
