"""Says in a sentence which forbidden library call was found, in a student's text or in the record of a run."""

from collections.abc import Collection, Iterable, Mapping

import msgspec

from grader.inside import forbidden
from grader.inside.answers import Finding


class TextReading(msgspec.Struct, frozen=True):
    """What the reading of a submission's text came to.

    Attributes:
        findings: Forbidden calls, a sentence each, by exercise.
        unread: Why the text could not be read through; empty when it was.
        stubs: Exercises that can give no answer as they stand in the text.
        absent: Exercises that nothing in the text defines.
    """

    findings: dict[str, list[str]] = {}
    unread: str = ""
    stubs: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()

    def is_unwritten(self, exercise: str) -> bool:
        """Tell whether nothing in the text can give an answer of an exercise, unless it comes about while it runs."""
        return exercise in self.stubs or exercise in self.absent


def told(finding: Finding, notebook: bool) -> str:
    """Return a finding in the student's text as a sentence."""
    place = f"cell {finding.cell}, line {finding.line}" if notebook else f"line {finding.line}"
    return f"{finding.exercise} uses {finding.what} ({place}); this exercise asks you to write that yourself."


def forbidden_in_trace(groups: Iterable[str], calls: Collection[str], operations: Mapping[str, int]) -> str | None:
    """Return a sentence about the first forbidden call that the record of a run shows, or None.

    Args:
        groups: What the exercise forbids.
        calls: Dotted names of torch functions, as an Observation holds them.
        operations: How often each ATen operation was run.

    Raises:
        LookupError: A group is not known; the message lists those that are.
    """
    what = forbidden.forbidden_in_trace(groups, calls, operations)
    return None if what is None else f"{what} was called while it ran; this exercise asks you to write that yourself."
