"""What suites ask of a module that remembers: running statistics are right only when a whole history is.

A wrong momentum or a statistic that moves in eval shows after several batches, not in one call. So a history of steps
is run on the student's module and on the solution's, and for a diagnosis on each known mistake as well.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import nn

from grader.suite.core import compare
from grader.suite.core.context import device
from grader.suite.core.failures import CheckFailed
from grader.suite.core.reference import widened
from grader.suite.diagnosis.by_answer import copies, diagnose
from grader.tolerances import Kind, Tolerance, tolerance
from grader.words import Words
from grader.workers.calls.student import HistoryStep, ModuleHandle

from .module_checks import load

OUTPUT = ""
"""Stands for what a call gives, beside the names of what a module keeps."""


def history_matches(
    handle: ModuleHandle, module: nn.Module, steps: Sequence[HistoryStep], *buffers: str, outputs: bool = True,
    kind: Kind = "value",
) -> None:  # fmt: skip
    """Ask that a module gives over a whole history of calls what the solution's gives.

    Args:
        handle: The student's module, new, as `twin` returns it.
        module: The solution's, new, with the same parameters.
        steps: The mode and the input of each call, in their order; the mode is set where it changes.
        *buffers: The buffers to compare after every step.
        outputs: Whether the outputs are compared, too.

    Raises:
        CheckFailed: A step differs; the diagnosis names the known mistake that does the same over the same history.
    """
    watched = (*([OUTPUT] if outputs else []), *buffers)
    theirs = handle.history([(mode, copies(x)) for mode, x in steps], keeps=bool(buffers))
    ours = list(lived(module, [(mode, widened(x)) for mode, x in steps]))
    for number, (_, x) in enumerate(steps):
        value, kept = next(theirs)
        for name in watched:
            answer, expected = value if name == OUTPUT else require_kept(kept, name), ours[number][name]
            dtype = compare.lowest_precision(x)
            try:
                compare.require_all_close(answer, expected, kind, dtype, device())
            except CheckFailed as failure:
                bound = tolerance(kind, dtype)
                past = [step[name] for step in ours[:number]]

                def run_mistake(
                    mistake: Any, name: str = name, past: list[Any] = past, bound: Tolerance = bound
                ) -> Any:
                    init, options = handle.built_with
                    wrong = mistake.make(*init, **options)
                    load(wrong, dict(module.named_parameters()))
                    *before, result = [step[name] for step in lived(wrong, steps[: len(past) + 1])]
                    right = map(compare.is_close, before, past, [compare.scaled(bound, tensor) for tensor in past])
                    return result if all(right) else None  # a mistake that shows earlier is another one

                failure.diagnosis = diagnose(answer, expected, dtype, run_mistake, handle.name)
                raise


def lived(module: nn.Module, steps: Sequence[HistoryStep]) -> Iterator[Mapping[str, Any]]:
    """Call a new module, which is in training mode, step by step.

    Yields:
        What each call gives and, by name, the buffers after it.
    """
    mode = "train"
    for wanted, x in steps:
        if wanted != mode:
            mode = wanted
            module.train(mode == "train")
        with torch.no_grad():
            output = module(copies(x))
        yield {OUTPUT: copies(output), **{name: copies(buffer) for name, buffer in module.named_buffers()}}


def remembered(handle: ModuleHandle, *names: str) -> dict[str, torch.Tensor]:
    """Return tensors that the student's module keeps by name, whether as buffers or otherwise in its state_dict.

    Raises:
        CheckFailed: It keeps none of a name.
    """
    kept = handle.kept()
    return {name: require_kept(kept, name) for name in names}


def require_kept(kept: Mapping[str, torch.Tensor], name: str) -> torch.Tensor:
    """Return the tensor of a name among all that a module keeps."""
    if name not in kept:
        raise CheckFailed(
            Words("The module keeps nothing named {name}; it keeps {kept}.", name=name, kept=sorted(kept)),
            code=f"not_kept {name} {sorted(kept)}",
        )
    return kept[name]
