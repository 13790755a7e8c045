"""Puts a student's own run into words, in English or Korean, for the terminal and for notebooks alike."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec
from rich.cells import cell_len

from grader.pages.pictures import differing
from grader.results.report import SourceLine
from grader.results.student_report import StudentCheck, StudentDetail, StudentDiagnosis
from grader.results.verdict import Status
from grader.text import one_line, sanitise
from grader.words import say

if TYPE_CHECKING:
    from grader.results.verdict import CheckVerdict
    from grader.suite.core.manifest import Check

    from .visible_checks import Checked

PRINTED_CHARACTERS = 500
PRINTED_LINES = 8
MOST_COMPARED = 4
NOTHING: Mapping[str, str] = MappingProxyType({})
SIGNS: Mapping[Status, str] = {"passed": "+", "skipped": "-"}


def sign_of(status: Status) -> str:
    """Return `+` for a check that passed, `-` for one that was not run, `x` for every other."""
    return SIGNS.get(status, "x")


@dataclass(frozen=True)
class Part:
    """One exercise with its checks."""

    exercise: str
    title: str
    good: int
    checks: tuple[StudentCheck, ...]


@dataclass(frozen=True)
class RunOverview:
    """A run in words; `problem` says why nothing could be checked, and is empty otherwise."""

    assignment: str
    file: str
    notes: tuple[str, ...]
    problem: str
    parts: tuple[Part, ...]

    @property
    def good(self) -> int:
        """How many checks passed."""
        return sum(part.good for part in self.parts)

    @property
    def total(self) -> int:
        """How many checks there are."""
        return sum(len(part.checks) for part in self.parts)


def run_overview(
    checked: "Checked", language: str, in_kernel: bool = False, held: Mapping[str, str] = NOTHING
) -> RunOverview:
    """Return a run in words.

    Args:
        in_kernel: Whether a missing name may only wait for its cell to be run.
        held: Names that are there and hold something that cannot be called, each with its type.
    """
    titles = {each.id: each.title_ko if language == "ko" else each.title for each in checked.files.exercises}
    parts = []
    for exercise in dict.fromkeys(check.spec.exercise for check in checked.checks):
        mine = [check for check in checked.checks if check.spec.exercise == exercise]
        good = sum(checked.verdicts[check.id].status == "passed" for check in mine)
        title = titles.get(exercise, exercise)
        parts.append(Part(exercise, title, good, _visible_checks(mine, checked.verdicts, language, in_kernel, held)))
    return RunOverview(
        checked.files.assignment,
        one_line(checked.files.submission.name),
        tuple(sanitise(note, 1000) for note in checked.notes),
        sanitise(checked.problem, 1000),
        tuple(parts),
    )


def _visible_checks(
    checks: "Sequence[Check]",
    verdicts: "dict[str, CheckVerdict]",
    language: str,
    in_kernel: bool,
    held: Mapping[str, str],
) -> tuple[StudentCheck, ...]:
    shown: list[StudentCheck] = []
    said = False  # a name that is missing is said once
    for check in checks:
        verdict = verdicts[check.id]
        sentence = check.spec.sentence_ko if language == "ko" else check.spec.sentence
        plain = StudentCheck(id=check.id, visibility="visible", status=verdict.status, message=sentence)
        if verdict.status in ("passed", "skipped") or said:
            shown.append(plain)
            continue
        said = verdict.status == "missing"
        found = (verdict.found_ko if language == "ko" else verdict.found) or verdict.found
        exercise = check.spec.exercise
        if in_kernel and said and not verdict.exception_type:
            key = "own_held" if exercise in held else "own_near" if verdict.near else "own_not_run"
            found = say(key, language, name=exercise, near=verdict.near, kind=held.get(exercise, ""))
        line = SourceLine(number=verdict.line, cell=verdict.cell or None, text=one_line(verdict.line_text))
        detail = StudentDetail(
            found=sanitise(found),
            exception_text=verdict.exception_text,
            output=sanitise(verdict.output, PRINTED_CHARACTERS),
            duration_s=verdict.duration_s,
            values=verdict.values,
        )
        known = verdict.diagnosis
        hint = StudentDiagnosis(hint=known.hint_ko if language == "ko" else known.hint) if known else None
        line_there = line if line.text else None
        shown.append(msgspec.structs.replace(plain, line=line_there, detail=detail, diagnosis=hint))
    return tuple(shown)


def hint_of(check: StudentCheck, checks: Sequence[StudentCheck]) -> str:
    """Return the hint of a check, where none of the checks before it in its exercise had the same one; else empty."""
    hint = check.diagnosis.hint if check.diagnosis else ""
    first = next((each for each in checks if each.diagnosis and each.diagnosis.hint == hint), None)
    return hint if first is check else ""


def compared(check: StudentCheck, checks: Sequence[StudentCheck], language: str) -> list[str]:
    """Return the entries that differ most as an aligned table, of the first check of an exercise that did not pass."""
    first = next((each for each in checks if sign_of(each.status) == "x"), None)
    if check is not first or check.detail is None or check.detail.values is None:
        return []
    entries = differing(check.detail.values)[:MOST_COMPARED]
    table = [tuple(say(key, language) for key in ("own_index", "own_yours", "own_expected")), *entries]
    widths = [max(map(cell_len, column)) for column in zip(*table, strict=True)]
    cells = ([cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)] for row in table)
    return [" | ".join(row).rstrip() for row in cells] if len(entries) > 1 else []


def place_of(line: SourceLine, language: str) -> str:
    """Return where a line of the student's own is, in words."""
    key = "own_line" if line.cell is None else "own_cell_line"
    return say(key, language, cell=line.cell, line=line.number)


def printed_by(detail: StudentDetail) -> list[str]:
    """Return what the code printed, line by line, cut."""
    lines = detail.output.splitlines()
    return lines if len(lines) <= PRINTED_LINES else [*lines[:PRINTED_LINES], "..."]


Span = tuple[str, str]


def lines_of(overview: RunOverview, language: str) -> list[list[Span]]:
    """Return the lines of a run for a terminal: each a list of texts with rich's name of a style, empty for none."""
    lines: list[list[Span]] = [[(overview.assignment, "bold"), (f" ({overview.file})", "")]]
    lines += [[("  ", ""), (f"{say('own_note', language)}:", "yellow"), (f" {note}", "")] for note in overview.notes]
    if overview.problem:
        return [*lines, [("  ", ""), (overview.problem, "red")]]
    for part in overview.parts:
        complete = part.good == len(part.checks)
        mark = (say("own_ok" if complete else "own_not_yet", language), "green" if complete else "red")
        count = say("own_count", language, good=part.good, total=len(part.checks))
        lines += [[], [(part.exercise, "bold"), ("  ", ""), mark, (f"  ({count})", "")]]
        for check in part.checks:
            sign = sign_of(check.status)
            lines.append([("  ", ""), (sign, {"+": "green", "-": "dim", "x": "red"}[sign]), (f" {check.message}", "")])
            if check.detail and check.detail.found:
                lines.append([(f"      {check.detail.found}", "")])
            lines += [[("      ", ""), (row, "dim")] for row in compared(check, part.checks, language)]
            if hint := hint_of(check, part.checks):
                lines.append([(f"      {say('own_hint', language)}: ", "bold"), (hint, "")])
            if check.line:
                lines.append([(f"      {place_of(check.line, language)}:  {check.line.text}", "cyan")])
            if check.detail and (printed := printed_by(check.detail)):
                lines.append([(f"      {say('own_printed', language)}", "dim")])
                lines += [[(f"        {line}", "dim")] for line in printed]
    return [*lines, [], [(say("own_passed", language, good=overview.good, total=overview.total), "")]]
