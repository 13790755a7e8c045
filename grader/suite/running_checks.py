"""What suites ask of a module that remembers: running statistics are right only when a whole history is.

A wrong momentum or a statistic that moves in eval shows after several batches, not in one call. So a history of steps
is run on the student's module and on the solution's, and for a diagnosis on each known mistake as well.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import torch
from torch import nn

from grader.suite import compare
from grader.suite.context import device
from grader.suite.diagnosis import copies, diagnose
from grader.suite.failures import CheckFailed
from grader.suite.module_checks import load
from grader.suite.reference import widened
from grader.tolerances import Kind, Tolerance, tolerance
from grader.workers.student import ModuleHandle

Mode = Literal["train", "eval"]
Step = tuple[Mode, torch.Tensor]


def history_matches(
    handle: ModuleHandle, module: nn.Module, steps: Sequence[Step], buffer: str = "", kind: Kind = "value"
) -> None:
    """Ask that a module gives over a whole history of calls what the solution's gives.

    Args:
        handle: The student's module, new, as `twin` returns it.
        module: The solution's, new, with the same parameters.
        steps: The mode and the input of each call, in their order; the mode is set where it changes.
        buffer: The buffer to compare after every step; the outputs are compared when it is not given.
        kind: Which row of the tolerances applies.

    Raises:
        CheckFailed: A step differs; the diagnosis names the known mistake that does the same over the same history.
    """
    past: list[Any] = []
    theirs, ours = outputs(handle, steps), outputs(module, [(mode, widened(x)) for mode, x in steps])
    for number, (_, x) in enumerate(steps, start=1):
        answer, expected = next(theirs), next(ours)
        if buffer:
            answer, expected = remembered(handle, buffer), dict(module.named_buffers())[buffer].clone()
        dtype = compare.lowest_precision(x)
        try:
            compare.require_all_close(answer, expected, kind, dtype, device())
        except CheckFailed as failure:
            bound = tolerance(kind, dtype)
            scaled = [compare.scaled(bound, value) for value in past]

            def attempt(mistake: Any, done: int = number, bounds: list[Tolerance] = scaled) -> Any:
                init, options = handle.built_with
                wrong = mistake.make(*init, **options)
                load(wrong, dict(module.named_parameters()))
                *before, result = [
                    copies(dict(wrong.named_buffers())[buffer] if buffer else each)
                    for each in outputs(wrong, steps[:done])
                ]
                right = map(compare.same, before, past, bounds)
                return result if all(right) else None  # a mistake that shows earlier is another one

            failure.diagnosis = diagnose(answer, expected, dtype, attempt, handle.name)
            raise
        past.append(copies(expected))


def outputs(module: Any, steps: Sequence[Step]) -> Iterator[Any]:
    """Call a new module step by step.

    Args:
        module: A handle or an nn.Module, in training mode.
        steps: The mode and the input of each call.

    Yields:
        What each call gives.
    """
    mode: Mode = "train"
    for wanted, x in steps:
        if wanted != mode:
            mode = wanted
            getattr(module, mode)()
        with torch.no_grad():
            output = module(copies(x))
        yield output


def remembered(handle: ModuleHandle, name: str) -> torch.Tensor:
    """Return a tensor that the student's module keeps, whether as a buffer or otherwise in its state_dict.

    Raises:
        CheckFailed: It keeps none of that name.
    """
    kept = {**handle.state_dict(), **handle.buffers()}
    if name not in kept:
        raise CheckFailed(
            f"The module keeps nothing named {name}; it keeps {sorted(kept)}.",
            f"모듈에 {name}이라는 것이 없습니다. 있는 것은 {sorted(kept)}입니다.",
        )
    return kept[name]
