"""Labels for the rows and columns of a wrong answer, such as the tokens of a sentence, for its picture."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec

from grader.errors import CourseError
from grader.results.verdict import LONGEST_LABEL
from grader.suite.core.failures import CheckFailed
from grader.text import one_line


@contextmanager
def labelled(expected: Any, rows: Sequence[str], columns: Sequence[str]) -> Iterator[None]:
    """Put labels into a failure that shows an answer.

    Args:
        expected: What is expected: something with a shape, or a tuple of such.
        rows: A label for each row of the last two dimensions; none where rows have no name.
        columns: A label for each entry of the last dimension, likewise.

    Raises:
        CourseError: There are more or fewer labels than rows or columns.
    """
    for axis, labels in ((-2, rows), (-1, columns)):
        for value in expected if isinstance(expected, tuple) else (expected,):
            _require_as_many(value, axis, labels)
    try:
        yield
    except CheckFailed as failure:
        if failure.values is not None:
            fields = {"row_labels": _bounded(rows), "column_labels": _bounded(columns)}
            failure.values = msgspec.structs.replace(failure.values, **fields)
        raise


def _bounded(labels: Sequence[str]) -> list[str]:
    return [one_line(label, LONGEST_LABEL) for label in labels]


def _require_as_many(expected: Any, axis: int, labels: Sequence[str]) -> None:
    if not labels:
        return
    shape = tuple(expected.shape)
    if len(shape) < -axis or shape[axis] != len(labels):
        raise CourseError(
            f"{len(labels)} labels are given for the {'rows' if axis == -2 else 'columns'} of an answer of the shape "
            f"{shape}: {', '.join(labels)}.",
            "Give one label for each, or none.",
        )
