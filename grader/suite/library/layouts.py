"""Asks the same of tensors that do not lie in memory one number after the other.

A tensor that is expanded, and one that is transposed and has gaps, hold numbers as any other does. What works in place
refuses the first, and `view` the second.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, get_args

import torch

from grader.suite.core.failures import CheckFailed
from grader.words import Words
from grader.workers.process.failures import StudentFailure

Layout = Literal["expanded", "strided"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)


def laid_out(x: torch.Tensor, layout: Layout) -> torch.Tensor:
    """Return a tensor that lies in memory in another way.

    Args:
        x: Any tensor. One of too few dimensions comes back as it is.
        layout: `expanded`: the first of at least two dimensions repeats what is its first entry, so the numbers are
            others. `strided`: there are gaps between the numbers, and the last two of at least two dimensions change
            places in memory.
    """
    if x.dim() < (1 if layout == "strided" else 2):
        return x
    if layout == "expanded":
        return x[:1].expand(x.shape)
    rows = x.mT if x.dim() > 1 else x
    strided = rows.new_zeros(*rows.shape[:-1], 2 * rows.shape[-1] + 1)[..., :-1:2].copy_(rows)
    return strided.mT if x.dim() > 1 else strided


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
