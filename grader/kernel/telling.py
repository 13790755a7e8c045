"""Puts a student's own run into words, in English or Korean, for the terminal and for notebooks alike."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from grader.results.text import one_line, sanitise
from grader.words import say

if TYPE_CHECKING:
    from grader.checking import Checked
    from grader.results.verdict import CheckVerdict
    from grader.suite.manifest import Check

Sign = Literal["+", "x", "-"]
PRINTED_CHARACTERS = 500
PRINTED_LINES = 8
NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Row:
    """One check.

    Attributes:
        sign: `+` passed, `x` did not, `-` was not run.
        sentence: What it asks.
        found: What was found instead; empty where that is not told.
        place: The student's own last line, by its number; empty when unknown.
        line: That line's text.
        printed: What the code printed, line by line.
    """

    sign: Sign
    sentence: str
    found: str = ""
    place: str = ""
    line: str = ""
    printed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Part:
    """One exercise with its checks."""

    exercise: str
    title: str
    good: int
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Told:
    """A run in words.

    Attributes:
        assignment: Its id.
        file: The file's name.
        notes: What else to know.
        problem: Why nothing could be checked; empty otherwise.
        parts: The exercises.
    """

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
        return sum(len(part.rows) for part in self.parts)


def tell(checked: "Checked", language: str, in_kernel: bool = False, held: Mapping[str, str] = NOTHING) -> Told:
    """Return a run in words.

    Args:
        checked: What it came to.
        language: `en` or `ko`.
        in_kernel: Whether a missing name may only wait for its cell to be run.
        held: Names that are there and hold something that cannot be called, each with its type.
    """
    titles = {each.id: each.title_ko if language == "ko" else each.title for each in checked.files.exercises}
    parts = []
    for exercise in dict.fromkeys(check.spec.exercise for check in checked.checks):
        mine = [check for check in checked.checks if check.spec.exercise == exercise]
        good = sum(checked.verdicts[check.id].status == "passed" for check in mine)
        title = titles.get(exercise, exercise)
        parts.append(Part(exercise, title, good, _rows(mine, checked.verdicts, language, in_kernel, held)))
    return Told(
        checked.files.assignment,
        one_line(checked.files.submission.name),
        tuple(sanitise(note, 1000) for note in checked.notes),
        sanitise(checked.problem, 1000),
        tuple(parts),
    )


def _rows(
    checks: "Sequence[Check]",
    verdicts: "dict[str, CheckVerdict]",
    language: str,
    in_kernel: bool,
    held: Mapping[str, str],
) -> tuple[Row, ...]:
    rows: list[Row] = []
    said = False  # a name that is missing is said once
    for check in checks:
        verdict = verdicts[check.id]
        sentence = check.spec.sentence_ko if language == "ko" else check.spec.sentence
        if verdict.status in ("passed", "skipped") or said:
            sign: Sign = "+" if verdict.status == "passed" else "-" if verdict.status == "skipped" else "x"
            rows.append(Row(sign, sentence))
            continue
        said = verdict.status == "missing"
        rows.append(
            _failed(check.spec.exercise, sentence, verdict, language, in_kernel, held.get(check.spec.exercise, ""))
        )
    return tuple(rows)


def _failed(exercise: str, sentence: str, verdict: "CheckVerdict", language: str, in_kernel: bool, held: str) -> Row:
    found = (verdict.found_ko if language == "ko" else verdict.found) or verdict.found
    if in_kernel and verdict.status == "missing" and not verdict.exception_type:
        key = "own_held" if held else "own_near" if verdict.near else "own_not_run"
        found = say(key, language, name=exercise, near=verdict.near, kind=held)
    place = ""
    if verdict.line_text and verdict.cell:
        place = say("own_cell_line", language, cell=verdict.cell, line=verdict.line)
    elif verdict.line_text:
        place = say("own_line", language, line=verdict.line)
    printed = sanitise(verdict.output, PRINTED_CHARACTERS).splitlines()
    if len(printed) > PRINTED_LINES:
        printed = [*printed[:PRINTED_LINES], "..."]
    return Row("x", sentence, sanitise(found), place, one_line(verdict.line_text), tuple(printed))


Span = tuple[str, str]


def lines_of(told: Told, language: str) -> list[list[Span]]:
    """Return the lines of a run for a terminal: each a list of texts with rich's name of a style, empty for none."""
    lines: list[list[Span]] = [[(told.assignment, "bold"), (f" ({told.file})", "")]]
    lines += [[("  ", ""), (f"{say('own_note', language)}:", "yellow"), (f" {note}", "")] for note in told.notes]
    if told.problem:
        return [*lines, [("  ", ""), (told.problem, "red")]]
    for part in told.parts:
        complete = part.good == len(part.rows)
        mark = (say("own_ok" if complete else "own_not_yet", language), "green" if complete else "red")
        count = say("own_count", language, good=part.good, total=len(part.rows))
        lines += [[], [(part.exercise, "bold"), ("  ", ""), mark, (f"  ({count})", "")]]
        for row in part.rows:
            lines.append([("  ", ""), (row.sign, {"+": "green", "-": "dim", "x": "red"}[row.sign]),
                          (f" {row.sentence}", "")])  # fmt: skip
            if row.found:
                lines.append([(f"      {row.found}", "")])
            if row.line:
                lines.append([(f"      {row.place}:  {row.line}", "cyan")])
            if row.printed:
                lines.append([(f"      {say('own_printed', language)}", "dim")])
                lines += [[(f"        {line}", "dim")] for line in row.printed]
    return [*lines, [], [(say("own_passed", language, good=told.good, total=told.total), "")]]
