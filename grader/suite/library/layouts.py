"""Asks the same of tensors that do not lie in memory one number after the other.

A transposed tensor, a slice with gaps and an expanded tensor hold numbers as any other does. `view` refuses the first
two, and what works in place refuses the last.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, get_args

import torch
from torch import nn

from grader.suite.core import compare
from grader.suite.core.context import device
from grader.suite.core.failures import CheckFailed, require_value
from grader.suite.core.reference import Reference, answer_of
from grader.suite.library.modules.free_names import Renamed
from grader.tolerances import Kind
from grader.workers.calls.student import Given, ModuleHandle, Student
from grader.workers.process.failures import StudentFailure

from .reference_checks import function_probe

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


def laid_out_each(given: Given, layouts: Sequence[Layout]) -> list[Given]:
    """Return a call as it is, and then with all its tensors in each layout."""

    def other(value: Any, layout: Layout) -> Any:
        return laid_out(value, layout) if isinstance(value, torch.Tensor) else value

    def call(layout: Layout) -> Given:
        words = {name: other(value, layout) for name, value in given.kwargs.items()}
        return Given(tuple(other(value, layout) for value in given.args), words)

    return [given, *map(call, layouts)]


def any_layout(
    student: Student,
    reference: Reference,
    name: str,
    *args: Any,
    layouts: Sequence[Layout] = LAYOUTS,
    kind: Kind = "value",
    **kwargs: Any,
) -> None:
    """Ask for the solution's answer whatever the layout of the tensors in memory, all in one exchange.

    Args:
        *args: Passed by position to both, as they are and with all tensors in each layout.
        layouts: Those that are asked for. Leave out `expanded` where equal rows are a bad input, as for a batch norm.

    Raises:
        CheckFailed: One answer differs; the sentence names the layout.
        StudentFailure: One call gave no value.
    """
    cases = laid_out_each(Given(args, kwargs), layouts)
    probes = [function_probe(student, reference, name, case, kind) for case in cases]
    answers = getattr(student, name).on_each(cases)
    for layout, probe, answer in zip((None, *layouts), probes, answers, strict=True):
        with naming_layout(WORDS[layout] if layout else None):
            probe.judge(answer)


def module_any_layout(
    handle: ModuleHandle | Renamed,
    module: nn.Module,
    *args: Any,
    layouts: Sequence[Layout] = LAYOUTS,
    kind: Kind = "module",
    **kwargs: Any,
) -> None:
    """Ask the same of a module.

    Args:
        *args: Passed by position to both, as they are and with all tensors in each layout.
    """
    cases = laid_out_each(Given(args, kwargs), layouts)
    for layout, case, answer in zip((None, *layouts), cases, handle.on_each(cases), strict=True):
        expected, dtype = answer_of(module, case.args, case.kwargs), compare.lowest_precision(case.args)
        with naming_layout(WORDS[layout] if layout else None):
            compare.require_all_close(require_value(answer), expected, kind, dtype, device())


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
