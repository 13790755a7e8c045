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

import msgspec

from grader.errors import CourseError
from grader.inside.protocol.messages import PY_BESIDE
from grader.limits import Limits
from grader.source_cells import Source
from grader.text import one_line, sanitise

from .report import SCHEMA_VERSION, Check, Detail, Diagnosis, ExerciseResult, Fact, Report, SourceLine, SubmittedFiles
from .scoring import Joined, by_exercise, join, plain, score_of, status_of, total_of
from .sentences import BY_HEART, NO_VERDICT, NO_VERDICTS, STRANGE_VERDICTS, outcome, pick
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
        seed: What the submission's inputs were drawn from.
        started: When it began, in UTC by ISO 8601.
        duration_s: Seconds that it took.
    """

    verdicts: Sequence[CheckVerdict] = ()
    notes: Sequence[str] = ()
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
        student: The student's name.
        assignment: The assignment's id.
        source: What was read; with a problem nothing was run, and the report says why.
        plan: The exercises in order.
        manifest: The checks that must have a verdict.
        outcome: What came of them.
        run: What holds for the whole run.

    Raises:
        CourseError: An exercise has no checks, or a check belongs to no exercise.
    """
    checks_of = _checks_of(assignment, plan, manifest)
    joined = join(manifest, outcome.verdicts)
    problem = source.problem or _session_problem(joined, outcome, run.language)
    notes = [*source.notes, *outcome.notes]
    if problem is None and joined.missing:
        notes.append(pick(NO_VERDICT, run.language))
    verdicts = {verdict.id: verdict for verdict in joined.verdicts}
    notes += [
        pick(BY_HEART, run.language).format(exercise=each.id)
        for each in plan
        if problem is None
        and not earns_points(checks_of[each.id], verdicts)
        and any(verdicts[check.id].status == "passed" for check in checks_of[each.id])
    ]
    text = _SubmittedText(source)
    exercises = [_exercise(each, [] if source.problem else checks_of[each.id], verdicts, text, run) for each in plan]
    return Report(
        schema_version=SCHEMA_VERSION,
        kit_version=run.kit_version,
        student=student,
        assignment=assignment,
        language=run.language,
        submission=SubmittedFiles(
            files=sorted(source.sha256), graded=source.file_name or None, sha256=dict(sorted(source.sha256.items()))
        ),
        score=total_of([each.score for each in exercises]),
        max_score=total_of([each.max_score for each in exercises]),
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


def _checks_of(
    assignment: str, plan: Sequence[PlannedExercise], manifest: Sequence[ManifestCheck]
) -> Mapping[str, list[ManifestCheck]]:
    checks_of = by_exercise(manifest)
    ids = [each.id for each in plan]
    if strange := sorted(set(checks_of) - set(ids)):
        found = f"Checks were found for {', '.join(strange)}, which the assignment does not have."
        raise CourseError(f"The checks of {assignment} were joined to its exercises.", found, "Rename one of the two.")
    if bare := [id for id in ids if id not in checks_of]:
        found = f"No check was found for {', '.join(bare)}."
        raise CourseError(f"The checks of {assignment} were joined to its exercises.", found, "Write one.")
    return checks_of


def _session_problem(joined: Joined, outcome: Outcome, language: Language) -> str | None:
    if joined.strangers:
        return pick(STRANGE_VERDICTS, language)
    return None if outcome.verdicts else pick(NO_VERDICTS, language)


def _bounded(notes: Sequence[str]) -> list[str]:
    clean = [_harmless(note, LONGEST_SENTENCE) for note in dict.fromkeys(notes)]
    return clean if len(clean) <= MOST_NOTES else [*clean[:MOST_NOTES], f"{len(clean) - MOST_NOTES} more notes."]


def _exercise(
    each: PlannedExercise,
    checks: Sequence[ManifestCheck],
    verdicts: Mapping[str, CheckVerdict],
    text: "_SubmittedText",
    run: RunFacts,
) -> ExerciseResult:
    judged = [(check, verdicts[check.id]) for check in checks]
    earned = earns_points(checks, verdicts)
    status = status_of([verdict for _, verdict in judged]) if checks else "ungraded"
    return ExerciseResult(
        id=each.id,
        title=each.title,
        score=score_of(each.points, judged) if earned else Decimal(0),
        max_score=plain(each.points),
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
    korean = run.language == "ko"
    reason = (verdict.reason_ko if korean else "") or verdict.reason
    found = (verdict.found_ko if korean else "") or verdict.found
    known = verdict.diagnosis
    advice = (verdict.advice_ko if korean else "") or verdict.advice
    said = advice or outcome(verdict.status, check.category, run.language)
    return Check(
        id=check.id,
        category=check.category,
        visibility=check.visibility,
        status=verdict.status,
        weight=check.weight,
        counts=not verdict.excused,
        message=check.sentence_ko if korean else check.sentence,
        outcome=sanitise(reason, LONGEST_SENTENCE) if verdict.status == "skipped" and reason else said,
        diagnosis=None
        if known is None
        else Diagnosis(mistakes=known.mistakes, hint=known.hint_ko if korean else known.hint, evidence=known.evidence),
        exception=text.exception(verdict.exception_type, shown=check.visibility == "visible"),
        line=text.line(verdict) if check.visibility == "visible" or text.is_short else None,
        detail=Detail(
            found=_harmless(found, LONGEST_TEXT),
            exception_type=one_line(verdict.exception_type, LONGEST_NAME),
            exception_text=_harmless(verdict.exception_text, LONGEST_TEXT),
            output_dropped=verdict.output_dropped,
            input_seed=verdict.input_seed,
            attempts=verdict.attempts,
            values=verdict.values if check.visibility == "visible" else None,
            call=_harmless(verdict.call, LONGEST_TEXT) if check.visibility == "visible" else "",
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
        self._lines: set[str] | None = None
        self._words: set[str] | None = None

    @functools.cached_property
    def is_short(self) -> bool:
        """Whether the place of a line reveals little: among thousands of lines it could spell out a hidden input."""
        return sum(map(len, self._cells.values())) <= MOST_LINES

    def exception(self, name: str, *, shown: bool) -> str | None:
        """Return an exception's type if it is built in, or in a visible check if it is a word of the submission."""
        if not name:
            return None
        last = name.rpartition(".")[2]
        if last in BUILT_IN:
            return last
        if not shown or not last.isidentifier() or len(last) > LONGEST_NAME:
            return None
        if self._words is None:
            self._words = {
                word for lines in self._cells.values() for line in lines for word in re.findall(r"\w+", line)
            }
        return sanitise(last) if last in self._words else None

    def line(self, verdict: CheckVerdict) -> SourceLine | None:
        """Return the line that a verdict names if the submission has it."""
        if verdict.line is None and not verdict.line_text:
            return None
        cell = verdict.cell if self._notebook else None
        lines = self._cells.get(cell if cell is not None else self._file, [])
        wanted = verdict.line_text.strip()
        if verdict.line is not None and 0 < verdict.line <= len(lines):
            there = lines[verdict.line - 1].strip()
            if there and wanted in ("", there):
                above, below = (
                    lines[max(0, verdict.line - 1 - AROUND) : verdict.line - 1],
                    lines[verdict.line :][:AROUND],
                )
                return SourceLine(
                    number=verdict.line,
                    cell=cell,
                    text=sanitise(lines[verdict.line - 1].rstrip(), LONGEST_LINE),
                    before=[sanitise(line, LONGEST_LINE) for line in above],
                    after=[sanitise(line, LONGEST_LINE) for line in below],
                )
        if not wanted:
            return None
        if self._lines is None:
            self._lines = {line.strip() for lines in self._cells.values() for line in lines}
        if wanted in self._lines:
            return SourceLine(number=None, cell=None, text=sanitise(wanted, LONGEST_LINE))
        return None
