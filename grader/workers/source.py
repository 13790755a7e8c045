"""What is known of a submission's source once it was loaded, and the sentences that follow from it."""

import difflib
from dataclasses import dataclass

from grader.inside.messages import Defined, Loaded, Problem
from grader.workers.failures import StudentFailure

MOST_NOTES = 10
CLOSE_ENOUGH = 0.75


@dataclass
class SourceRecord:
    """The last load of a submission's source.

    Attributes:
        file_name: Bare name of the file.
        notebook: Whether lines count within cells.
        loaded: What the worker said about it; None until it was loaded.
        unread: Why the text could not be read or run at all; empty when it could.
        taken: Names that mean something else already, so none of them can be a misspelt one.
    """

    file_name: str
    notebook: bool
    loaded: Loaded | None = None
    unread: str = ""
    taken: frozenset[str] = frozenset()

    @property
    def names(self) -> list[Defined]:
        """What the source defines."""
        return self.loaded.names if self.loaded else []

    @property
    def problems(self) -> list[Problem]:
        """What went wrong while it was loaded."""
        return self.loaded.problems if self.loaded else []

    def place(self, problem: Problem) -> str:
        """Return where a problem lies, to begin a sentence with."""
        if problem.line is None:
            return f"Cell {problem.cell}" if self.notebook else self.file_name
        return f"Line {problem.line} of cell {problem.cell}" if self.notebook else f"Line {problem.line}"

    def told(self, problem: Problem) -> str:
        """Return a problem as a sentence."""
        if not problem.type_name:
            return f"{self.place(problem)} was not run any further: {problem.text}"
        return f"{self.place(problem)} stopped with {problem.type_name}: {problem.text}"

    def notes(self) -> list[str]:
        """Return sentences about the source that a reader of the report should know."""
        notes = []
        for problem in self.problems[:MOST_NOTES]:
            lost = f" Not defined because of it: {', '.join(problem.lost[:10])}." if problem.lost else ""
            notes.append(self.told(problem).rstrip(".") + "." + lost)
        if self.loaded and self.loaded.stand_ins:
            names = ", ".join(self.loaded.stand_ins[:MOST_NOTES])
            notes.append(f"Not installed here and replaced by something that does nothing: {names}.")
        if self.unread:
            notes.append(self.unread)
        return notes

    def missing(self, name: str, words: str) -> StudentFailure:
        """Return the failure of a call to a name that is not there or cannot be called.

        Args:
            name: What was called.
            words: What the worker says about it.
        """
        cause = next((problem for problem in self.problems if name in problem.lost), None)
        if cause is not None and name not in {defined.name for defined in self.names}:
            return StudentFailure(
                cause.status,
                f"{name} is not defined. {self.told(cause).rstrip('.')}.",
                name=name,
                exception_type=cause.type_name,
                text=cause.text,
                line=cause.line,
                cell=cause.cell if self.notebook else None,
                line_text=cause.source,
            )
        return StudentFailure("missing", self._missing_sentence(name, words), name=name)

    def _missing_sentence(self, name: str, words: str) -> str:
        callables = [defined.name for defined in self.names if defined.kind in ("function", "class")]
        if name in {defined.name for defined in self.names}:
            return f"{words}; define a function or class of this name."
        sentence = f"{name} is not defined in {self.file_name}."
        folded = {other.casefold(): other for other in callables if other not in self.taken}
        near = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=CLOSE_ENOUGH)
        if near:
            return f"{sentence} Did you mean {folded[near[0]]}? Give it the name {name}."
        broken = next((problem for problem in self.problems if problem.type_name), None)
        if broken is not None:
            return f"{sentence} {self.told(broken).rstrip('.')}."
        return f"{sentence} Define it under exactly this name."
