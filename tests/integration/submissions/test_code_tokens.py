"""Code in tokens: what a student may change without changing them, and that no text is too much for the expression."""

import pytest

from grader.inside.protocol.messages import Cell
from grader.submissions.code_tokens import tokens_of

PIECES = ['"', "'''", "(", "\\", " \n", "\\\n", "a ", "1", ".", "f'{", "class ", "#", "가", "x("]


@pytest.mark.parametrize("piece", PIECES)
def test_no_text_takes_long(piece):
    """A quarter of a megabyte of anything is split at once; in more than linear time it would not come to its end."""
    tokens_of([Cell(1, piece * (250_000 // len(piece)))])
