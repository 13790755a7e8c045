"""Asks the same of tensors that do not lie in memory one number after the other.

A transposed tensor, a slice with gaps and an expanded tensor hold numbers as any other does. `view` refuses the first
two, and what works in place refuses the last.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, get_args

import torch

from grader.suite.core.failures import CheckFailed
from grader.words import Words
from grader.workers.process.failures import StudentFailure

Layout = Literal["transposed", "sliced", "expanded"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)


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
def naming_views() -> Iterator[None]:
    """Say in a failure, or of an exception, that the inputs were views; nothing of them as they are."""
    try:
        yield
    except (CheckFailed, StudentFailure) as failure:
        if isinstance(failure, CheckFailed):
            sentence = Words("With views that are not contiguous as input: {found}", found=failure.found)
            advice = Words("With views that are not contiguous as input the answer is another one.")
        elif failure.status == "error":
            sentence = Words(
                "With views that are not contiguous as input: your code raised {exception}: {text}",
                exception=failure.exception_type,
                text=failure.text,
            )
            advice = Words("With views that are not contiguous as input your code raises an exception.")
        else:
            raise
        raise CheckFailed(sentence, failure.diagnosis, advice) from failure
