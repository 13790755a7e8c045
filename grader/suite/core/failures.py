"""What a check says when an answer is not what was asked."""

from typing import Any, Self

from grader.results.verdict import Diagnosis, Values
from grader.words import Words, joined
from grader.workers.process.failures import StudentFailure

NOTHING = joined()


class CheckFailed(AssertionError):
    """The student's answer is not what was asked.

    Args:
        sentence: What was expected and what was found; shown for a visible check, kept for the teacher of a hidden one.
        advice: A fixed sentence that may be read of a hidden check too; empty where there is none.
        values: The answer beside the right one, where it is small; shown of a visible check alone.
    """

    def __init__(self, sentence: Words, advice: Words = NOTHING, values: Values | None = None) -> None:
        super().__init__(sentence)
        self.found = sentence
        self.diagnosis: Diagnosis | None = None
        self.advice = advice
        self.values = values

    @classmethod
    def for_students(cls, sentence: Words) -> Self:
        """Return a failure whose sentence may be read of a hidden check too; it must hold nothing of the inputs."""
        return cls(sentence, advice=sentence)


def require_value(outcome: Any) -> Any:
    """Return what one of several calls gave, and raise the failure that stands in the place of a value."""
    if isinstance(outcome, StudentFailure):
        raise outcome
    return outcome
