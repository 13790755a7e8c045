"""What is known of a submission's source after loading, and the sentences about it in a report.

All of it comes from a process that runs the student's code, and the student's copy shows it. So line ends are removed,
and a choice or a second run is reported only if its name is in the source.
"""

import difflib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

from grader.inside.protocol.answers import TOO_LONG, ChosenDefinition, Defined, Loaded, Place, Problem, RerunCell
from grader.inside.protocol.messages import PY_BESIDE, Cell
from grader.language import N_
from grader.text import one_line
from grader.words import Words, in_language, joined
from grader.workers.process.failures import StudentFailure

MOST_NOTES = 10
LONGEST_SHOWN = 60
LONGEST_SENTENCE = 2000
CLOSE_ENOUGH = 0.75
CUT_SHORT = Words("the cells together took too long, so only what defines something was run here.")
LINES = (
    (N_("line {line} of the .py"), N_("line {line} of cell {cell}"), N_("line {line}")),
    (N_("Line {line} of the .py"), N_("Line {line} of cell {cell}"), N_("Line {line}")),
)
"""Lines in the middle and at the beginning of a sentence: beside a notebook, in one, and in a text file."""
CHOICES = {
    "copy": N_(
        "More than one cell carries the grade id {name}: {counts} counts, the last of them that is written, and not "
        "{others}."
    ),
    "own": N_("{name} is defined more than once: its own cell counts ({counts}), and not {others}."),
    "written": N_("{name} is taken from {counts}, since what is in {others} is not written yet."),
}
"""Why one of several definitions counts."""


@dataclass
class SourceRecord:
    """The last load of a submission's source.

    Attributes:
        file_name: Bare name of the file.
        notebook: Whether lines count within cells.
        loaded: The worker's answer; None until it was loaded.
        unread: Why the text could not be read or run at all; empty if it could.
        exercises: Names of exercises, none of which counts as a misspelling.
        sent: Sentences of the kit that the worker gives back, by their English text.
    """

    file_name: str
    notebook: bool
    loaded: Loaded | None = None
    unread: str = ""
    exercises: frozenset[str] = frozenset()
    cells: Sequence[Cell] = ()
    sent: dict[str, Words] = field(default_factory=lambda: {TOO_LONG: CUT_SHORT})

    @property
    def names(self) -> list[Defined]:
        return self.loaded.names if self.loaded else []

    @property
    def problems(self) -> list[Problem]:
        """What went wrong while it was loaded."""
        return self.loaded.problems if self.loaded else []

    def _at(self, cell: int, line: int, begins: bool = False) -> Words:
        """Return a line as the middle, or the beginning, of a sentence names it."""
        kind = 0 if cell == PY_BESIDE else 1 if self.notebook else 2
        return Words(LINES[begins][kind], line=line, cell=cell)

    def cell(self, number: int | None) -> int | None:
        """Return the number of a notebook's cell, as a report has it; None for a line of a `.py`."""
        return None if not self.notebook or number == PY_BESIDE else number

    def problem_sentence(self, problem: Problem) -> Words:
        place = self.file_name
        if problem.line is not None:
            place = self._at(problem.cell, problem.line, begins=True)
        elif self.cell(problem.cell):
            place = Words("Cell {cell}", cell=problem.cell)
        text = one_line(problem.text, LONGEST_SENTENCE).rstrip(".")
        if not problem.type_name:
            text = self.sent.get(problem.text, f"{text}.")
            return Words("{place} was not run any further: {text}", place=place, text=text)
        what = ": ".join(part for part in (one_line(problem.type_name), text) if part)
        return Words("{place} stopped with {what}.", place=place, what=what)

    def is_in_source(self, name: str) -> bool:
        """Return whether a name is in the source; Python normalises the letters of a name."""
        if not name.isidentifier():
            return False
        texts = [cell.source for cell in self.cells]
        return any(name in text or name in unicodedata.normalize("NFKC", text) for text in texts)

    def notes(self, language: str = "en") -> list[str]:
        """Return sentences about the source that a reader of the report should know."""
        return [one_line(in_language(note, language), 2 * LONGEST_SENTENCE) for note in self._notes()]

    def _notes(self) -> list[str]:
        notes: list[str | None] = []
        for problem in self.problems[:MOST_NOTES]:
            lost, note = ", ".join(map(one_line, problem.lost[:10])), self.problem_sentence(problem)
            notes.append(joined(note, Words("Not defined because of it: {names}.", names=lost)) if lost else note)
        if self.loaded:
            chosen = [choice for choice in self.loaded.chosen[:MOST_NOTES] if self.is_in_source(choice.name)]
            again = [rerun for rerun in self.loaded.again[:MOST_NOTES] if self.is_in_source(rerun.name)]
            notes += [*map(self._choice, chosen), *map(self._again, again), self._left_out(self.loaded.left_out)]
        if self.loaded and self.loaded.stand_ins:
            names = ", ".join(map(one_line, self.loaded.stand_ins[:MOST_NOTES]))
            notes.append(Words("Not installed here and replaced by something that does nothing: {names}.", names=names))
        if self.unread:
            notes.append(self.unread)
        return [note for note in notes if note]

    def _where(self, place: Place) -> Words:
        if self.cell(place.cell):
            return Words("cell {cell}", cell=place.cell)
        return self._at(place.cell, place.line)

    def _choice(self, chosen: ChosenDefinition) -> Words | None:
        """Return which of several definitions counts, as a sentence; None where all others are in the other file.

        What counts of two files is said once for all of them (`grader.submissions.read`).
        """
        counts = self._where(chosen.place)
        if chosen.why == "value":
            return Words(
                "{name} is the name of a value further down; the definition in {counts} counts.",
                name=chosen.name, counts=counts,
            )  # fmt: skip
        beside = chosen.place.cell == PY_BESIDE
        others = [self._where(place) for place in chosen.others if (place.cell == PY_BESIDE) == beside]
        if not others:
            return None
        return Words(CHOICES[chosen.why], name=chosen.name, counts=counts, others=_listed(list(dict.fromkeys(others))))

    def _again(self, again: RerunCell) -> Words:
        place = Words("Cell {cell}", cell=again.cell) if self.cell(again.cell) else Words("A part")
        return Words(
            "{place} needs {name}, which is defined further down; the rest of it was run after that.",
            place=place, name=again.name,
        )  # fmt: skip

    def _left_out(self, places: list[Place]) -> Words | None:
        """Return a sentence about lines that are not Python, which quotes them from the file; None without any."""
        lines = {cell.number: cell.source.split("\n") for cell in self.cells}
        shown: list[Words] = []
        for place in dict.fromkeys(places):
            text = lines.get(place.cell, [])
            if 0 < place.line <= len(text):
                line = one_line(text[place.line - 1], LONGEST_SHOWN)
                shown.append(joined(line, " (", self._where(place), ")", between=""))
        if not shown:
            return None
        more = len(shown) - MOST_NOTES
        known = joined(*shown[:MOST_NOTES], between="; ")
        if more > 0:
            known = Words("{lines}; and {count} more", lines=known, count=more)
        return Words("Left out, since only a notebook's kernel understands it: {lines}.", lines=known)

    def missing(self, name: str, words: str) -> StudentFailure:
        """Return the failure of a call to a name that is not there or cannot be called, which `words` say."""
        cause = next((problem for problem in self.problems if name in problem.lost), None)
        if cause is not None and name not in {defined.name for defined in self.names}:
            return StudentFailure(
                cause.status,
                joined(Words("{name} is not defined.", name=name), self.problem_sentence(cause)),
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
        callables = [
            symbol.name for symbol in self.names if symbol.kind in ("function", "class") and symbol.name.isidentifier()
        ]
        folded = {other.casefold(): other for other in callables if other not in self.exercises}
        near = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=CLOSE_ENOUGH)
        return folded[near[0]] if near else ""

    def _missing_sentence(self, name: str, words: str, near: str) -> Words:
        if name in {defined.name for defined in self.names}:
            return Words("{found}; define a function or class of this name.", found=words)
        sentence = Words("{name} is not defined in {file}.", name=name, file=self.file_name)
        there = self._definition(name)
        if there is not None and there[1]:
            place = self._at(there[0].cell, there[0].line)
            inside = Words(
                "It is in {place}, but inside of something else, since that line is indented. Begin it at the left "
                "margin.",
                place=place,
            )
            return joined(sentence, inside)
        if near:
            return joined(sentence, Words("Did you mean {near}? Give it the name {name}.", near=near, name=name))
        broken = next((problem for problem in self.problems if problem.type_name), None)
        if there is not None and broken is not None:
            return joined(sentence, self.problem_sentence(broken))
        return joined(sentence, Words("Define it under exactly this name."))

    def _definition(self, name: str) -> tuple[Place, bool] | None:
        """Return where the text defines a name, at the left margin if it can, and whether that is indented."""
        begins = rf"^([ \t]*)(?:(?:async[ \t]+def|def|class)[ \t]+{re.escape(name)}\b|{re.escape(name)}[ \t]*[:=])"
        places = [
            (Place(cell.number, cell.source.count("\n", 0, match.start()) + 1), bool(match[1]))
            for cell in self.cells
            for match in re.finditer(begins, cell.source, re.MULTILINE)
        ]
        return min(places, key=lambda place: place[1], default=None)


def _listed(names: Sequence[Words]) -> Words:
    """Return names as words: `a`, `a and b`, `a, b and c`."""
    if not names[1:]:
        return names[0]
    return Words("{names} and {last}", names=joined(*names[:-1], between=", "), last=names[-1])
