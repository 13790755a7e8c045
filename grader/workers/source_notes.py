"""What is known of a submission's source after loading, and the sentences about it in a report.

All of it comes from a process that runs the student's code, and the student's copy shows it. So line ends are removed,
and a choice or a second run is reported only if its name is in the source.
"""

import difflib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from grader.inside.protocol.answers import ChosenDefinition, Defined, Loaded, Place, Problem, RerunCell
from grader.inside.protocol.messages import PY_BESIDE, Cell
from grader.text import one_line
from grader.workers.process.failures import StudentFailure

MOST_NOTES = 10
LONGEST_SHOWN = 60
LONGEST_SENTENCE = 2000
CLOSE_ENOUGH = 0.75


@dataclass
class SourceRecord:
    """The last load of a submission's source.

    Attributes:
        file_name: Bare name of the file.
        notebook: Whether lines count within cells.
        loaded: The worker's answer; None until it was loaded.
        unread: Why the text could not be read or run at all; empty if it could.
        exercises: Names of exercises, none of which counts as a misspelling.
    """

    file_name: str
    notebook: bool
    loaded: Loaded | None = None
    unread: str = ""
    exercises: frozenset[str] = frozenset()
    cells: Sequence[Cell] = ()

    @property
    def names(self) -> list[Defined]:
        """What the source defines."""
        return self.loaded.names if self.loaded else []

    @property
    def problems(self) -> list[Problem]:
        """What went wrong while it was loaded."""
        return self.loaded.problems if self.loaded else []

    def place(self, problem: Problem) -> str:
        """Return the place of a problem, as the beginning of a sentence."""
        if problem.line is None:
            return f"Cell {problem.cell}" if self.cell(problem.cell) else self.file_name
        if problem.cell == PY_BESIDE:
            return f"Line {problem.line} of the .py"
        return f"Line {problem.line} of cell {problem.cell}" if self.notebook else f"Line {problem.line}"

    def cell(self, number: int | None) -> int | None:
        """Return the number of a notebook's cell, as a report has it; None for a line of a `.py`."""
        return None if not self.notebook or number == PY_BESIDE else number

    def problem_sentence(self, problem: Problem) -> str:
        """Return a problem as a sentence."""
        text = one_line(problem.text, LONGEST_SENTENCE)
        if not problem.type_name:
            return f"{self.place(problem)} was not run any further: {text}"
        return f"{self.place(problem)} stopped with {one_line(problem.type_name)}: {text}"

    def is_in_source(self, name: str) -> bool:
        """Return whether a name is in the source; Python normalises the letters of a name."""
        if not name.isidentifier():
            return False
        texts = [cell.source for cell in self.cells]
        return any(name in text or name in unicodedata.normalize("NFKC", text) for text in texts)

    def notes(self) -> list[str]:
        """Return sentences about the source that a reader of the report should know."""
        notes = []
        for problem in self.problems[:MOST_NOTES]:
            names = ", ".join(map(one_line, problem.lost[:10]))
            lost = f" Not defined because of it: {names}." if names else ""
            notes.append(self.problem_sentence(problem).rstrip(".") + "." + lost)
        if self.loaded:
            notes += [
                self._choice(chosen) for chosen in self.loaded.chosen[:MOST_NOTES] if self.is_in_source(chosen.name)
            ]
            notes += [self._again(again) for again in self.loaded.again[:MOST_NOTES] if self.is_in_source(again.name)]
            notes += self._left_out(self.loaded.left_out)
        if self.loaded and self.loaded.stand_ins:
            names = ", ".join(map(one_line, self.loaded.stand_ins[:MOST_NOTES]))
            notes.append(f"Not installed here and replaced by something that does nothing: {names}.")
        if self.unread:
            notes.append(one_line(self.unread, LONGEST_SENTENCE))
        return notes

    def _where(self, place: Place) -> str:
        if place.cell == PY_BESIDE:
            return f"line {place.line} of the .py"
        return f"cell {place.cell}" if self.notebook else f"line {place.line}"

    def _choice(self, chosen: ChosenDefinition) -> str:
        """Return which of several definitions counts, as a sentence."""
        others = listed(list(dict.fromkeys(map(self._where, chosen.others))))
        counts = self._where(chosen.place)
        if chosen.why == "copy":
            first = f"More than one cell carries the grade id {chosen.name}"
            return f"{first}: {counts} counts, the last of them that is written, and not {others}."
        if chosen.why == "own":
            return f"{chosen.name} is defined more than once: its own cell counts ({counts}), and not {others}."
        return f"{chosen.name} is taken from {counts}, since what stands in {others} is not written yet."

    def _again(self, again: RerunCell) -> str:
        cell = f"Cell {again.cell}" if self.cell(again.cell) else "A part"
        return f"{cell} needs {again.name}, which is defined further down; the rest of it was run after that."

    def _left_out(self, places: list[Place]) -> list[str]:
        """Return a sentence about lines that are not Python, which quotes them from the file."""
        lines = {cell.number: cell.source.split("\n") for cell in self.cells}
        shown = []
        for place in dict.fromkeys(places):
            text = lines.get(place.cell, [])
            if 0 < place.line <= len(text):
                shown.append(f"{one_line(text[place.line - 1], LONGEST_SHOWN)} ({self._where(place)})")
        if not shown:
            return []
        rest = f"; and {len(shown) - MOST_NOTES} more" if len(shown) > MOST_NOTES else ""
        return [f"Left out, since only a notebook's kernel understands it: {'; '.join(shown[:MOST_NOTES])}{rest}."]

    def missing(self, name: str, words: str) -> StudentFailure:
        """Return the failure of a call to a name that is not there or cannot be called, which `words` say."""
        cause = next((problem for problem in self.problems if name in problem.lost), None)
        if cause is not None and name not in {defined.name for defined in self.names}:
            return StudentFailure(
                cause.status,
                f"{name} is not defined. {self.problem_sentence(cause).rstrip('.')}.",
                name=name,
                exception_type=cause.type_name,
                text=cause.text,
                line=cause.line,
                cell=self.cell(cause.cell),
                line_text=cause.source,
            )
        near = self._nearest(name)
        return StudentFailure("missing", self._missing_sentence(name, words, near), name=name, near=near)

    def _nearest(self, name: str) -> str:
        """Return the function or class that a missing name most likely means; empty if none is similar."""
        callables = [one.name for one in self.names if one.kind in ("function", "class") and one.name.isidentifier()]
        folded = {other.casefold(): other for other in callables if other not in self.exercises}
        near = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=CLOSE_ENOUGH)
        return folded[near[0]] if near else ""

    def _missing_sentence(self, name: str, words: str, near: str) -> str:
        if name in {defined.name for defined in self.names}:
            return f"{words}; define a function or class of this name."
        sentence = f"{name} is not defined in {self.file_name}."
        if near:
            return f"{sentence} Did you mean {near}? Give it the name {name}."
        broken = next((problem for problem in self.problems if problem.type_name), None)
        if broken is not None:
            return f"{sentence} {self.problem_sentence(broken).rstrip('.')}."
        return f"{sentence} Define it under exactly this name."


def listed(names: list[str]) -> str:
    """Return names as words: `a`, `a and b`, `a, b and c`."""
    return " and ".join([*([", ".join(names[:-1])] if names[1:] else []), *names[-1:]])
