"""Asks the same of tensors that do not lie in memory one number after the other.

A transposed tensor, a slice with gaps and an expanded tensor hold numbers as any other does. `view` refuses the first
two, and what works in place refuses the last.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, get_args

import torch

from grader.suite.core.failures import CheckFailed
from grader.workers.process.failures import StudentFailure

Layout = Literal["transposed", "sliced", "expanded"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)
WORDS: dict[Layout, tuple[str, str]] = {
    "transposed": ("a transposed view (not contiguous)", "전치된 뷰(transposed view, 메모리에서 연속적이지 않음)"),
    "sliced": ("a slice with gaps in memory (not contiguous)", "메모리에 빈틈이 있는 슬라이스(연속적이지 않음)"),
    "expanded": ("an expanded view (not contiguous)", "expand로 늘린 뷰(메모리에서 연속적이지 않음)"),
}
MIXED = "views that are not contiguous", "메모리에서 연속적이지 않은 뷰"


def laid_out(x: torch.Tensor, layout: Layout) -> torch.Tensor:
    """Return a tensor that lies in memory in another way.

    Args:
        x: Any tensor. One of too few dimensions comes back as it is.
        layout: `transposed`: the last two dimensions change places in memory. `sliced`: there are gaps between the
            numbers and between the rows. `expanded`: the first of at least two dimensions repeats what is its first
            entry, so the numbers are others; of the other two they are the same.
    """
    if x.dim() < (1 if layout == "sliced" else 2):
        return x
    if layout == "sliced":
        gaps = x.new_zeros(*x.shape[:-1], 2 * x.shape[-1] + 1)[..., :-1:2]
        return gaps.copy_(x)
    if layout == "expanded":
        return x[:1].expand(x.shape)
    return x.transpose(-2, -1).contiguous().transpose(-2, -1)


@contextmanager
def naming_layout(words: tuple[str, str] | None) -> Iterator[None]:
    """Say in a failure, also where an exception is the failure, what the inputs were; nothing of them as they are."""
    try:
        yield
    except (CheckFailed, StudentFailure) as failure:
        if words is None or (isinstance(failure, StudentFailure) and failure.status != "error"):
            raise
        said, said_ko = f"With {words[0]} as input", f"{words[1]}를 입력으로 주면"
        if isinstance(failure, CheckFailed):
            found, found_ko = failure.english, failure.korean
            advice = f"{said} the answer is another one.", f"{said_ko} 결과가 달라집니다."
        else:
            found = f"your code raised {failure.exception_type}: {failure.text}"
            found_ko = f"{failure.exception_type} 예외가 났습니다: {failure.text}"
            advice = f"{said} your code raises an exception.", f"{said_ko} 코드에서 예외가 납니다."
        raise CheckFailed(f"{said}: {found}", f"{said_ko}: {found_ko}", failure.diagnosis, advice) from failure
