"""Hints for a student's own run: which wrong answer to a visible check is which known mistake.

A student's folder has neither the mistakes nor the solution. It has the hint of each known mistake, beside hashes of
what that mistake gives in the visible checks, whose inputs are fixed. An answer that hashes to one of them gets its
hint at once. From a hash nobody reads an answer, and the right one is not among them.
"""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from grader.results.report import Detail
from grader.results.verdict import CheckVerdict, Diagnosis
from grader.text import sanitise

NAME = "hints.json"
ZERO = 1e-5  # what is closer to 0 may be a rounding error


class Hint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hint and the answers that get it.

    Attributes:
        answers: Hashes of wrong answers, each with its check.
    """

    hint: str
    ko: str
    answers: list[Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{16}$")]]


Hints = dict[str, list[Hint]]
"""The hints of each exercise."""


def answer_hash(check: str, answer: CheckVerdict | Detail) -> str | None:
    """Return what stands for a wrong answer to a check, and nothing of the words in which it is said.

    Args:
        answer: What came of the check, as the run or a report has it.

    Returns:
        A hash of its numbers to three digits or else of its shape, of the exception, or of the code of what is wrong;
        None where it is described in words alone.
    """
    if answer.values is not None:
        rows = [" ".join(_rounded(number) for number in row.split()) for row in answer.values.yours]
        words = [str(answer.values.shape), str(answer.values.place), *rows]
    elif answer.shapes is not None:
        words = [str(answer.shapes.yours)]
    elif answer.exception_type:
        words = [answer.exception_type, sanitise(answer.exception_text)]
    elif answer.code:
        words = [sanitise(answer.code)]
    else:
        return None
    return hashlib.sha256("\n".join([check, *words]).encode()).hexdigest()[:16]


def _rounded(number: str) -> str:
    value = float(number)
    return "0" if abs(value) < ZERO else f"{value:.3g}"


def with_hints(verdicts: Iterable[CheckVerdict], known: Sequence[Hint]) -> list[CheckVerdict]:
    """Return the verdicts of an exercise, each wrong answer that is known with its hint."""
    by_answer = {answer: each for each in known for answer in each.answers}
    hinted = []
    for verdict in verdicts:
        unexplained = verdict.status in ("failed", "error") and verdict.diagnosis is None
        answer = answer_hash(verdict.id, verdict) if unexplained else None
        hint = by_answer.get(answer) if answer else None
        diagnosis = verdict.diagnosis if hint is None else Diagnosis([], hint.hint, hint.ko)
        hinted.append(msgspec.structs.replace(verdict, diagnosis=diagnosis))
    return hinted


def read_hints(file: Path) -> Hints:
    """Return the hints of a file; none where it is not there or is not whole, since a check can do without."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=Hints)
    except (OSError, msgspec.MsgspecError):
        return {}


def hints_text(hints: Hints) -> str:
    """Return hints as the text of their file, a line for each hint."""
    encode = msgspec.json.Encoder().encode
    parts = [
        f'"{exercise}": [\n' + ",\n".join(encode(each).decode() for each in known) + "\n]"
        for exercise, known in hints.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"
