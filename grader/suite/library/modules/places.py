"""Says where in a module a mistake lies that no known one explains: what comes right once a part of it is silent.

A place is never a guess. It says only what was measured: with these parameters set to zero the student's module gives
what the solution's gives, so the rest is right. Whatever names the mistake itself takes precedence.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import nn

from grader.results.verdict import Diagnosis
from grader.suite.core import compare
from grader.suite.core.context import current_check, device
from grader.suite.core.failures import CheckFailed
from grader.suite.core.reference import answer_of
from grader.tolerances import tolerance
from grader.workers.calls.student import ModuleHandle
from grader.workers.process.failures import StudentFailure

from .module_checks import load

PLACE = "place"


def place(english: str, korean: str) -> Diagnosis:
    """Return a place in words, a diagnosis that gives way to any known mistake."""
    return Diagnosis([PLACE], english, korean, "report")


class Twins:
    """A student's module and the solution's, asked on the same inputs with some parameters replaced.

    Args:
        handle: The student's; its parameters are overwritten, by the solution's names.
        module: The solution's; it holds the same parameters again afterwards.
        *args: The inputs.
    """

    def __init__(self, handle: ModuleHandle, module: nn.Module, *args: torch.Tensor) -> None:
        self.handle, self.module, self.args = handle, module, args
        self.values = {name: value.detach().float().clone() for name, value in module.named_parameters()}

    def agree(self, *args: torch.Tensor, **parts: float | torch.Tensor) -> bool:
        """Tell whether both give the same once parameters are replaced.

        Args:
            *args: Inputs in the place of the first ones.
            **parts: What parameters whose names begin so are multiplied by.
        """
        args, values = args or self.args, dict(self.values)
        for name in values:
            for part, factor in parts.items():
                if name.startswith(part):
                    values[name] = values[name] * factor
        self.handle.load(values)
        load(self.module, values)
        expected = answer_of(self.module, args)
        load(self.module, self.values)
        try:
            compare.require_all_close(self.handle(*args), expected, "module", "float32", device())
        except CheckFailed:
            return False
        return True


def near(answer: torch.Tensor, expected: torch.Tensor) -> bool:
    """Tell whether two tensors of one shape are the same but for rounding, as a module's answer may be rounded."""
    wide = expected.double()
    return compare.is_close(answer, wide, compare.scaled(tolerance("module", "float32", device()), wide))


@contextmanager
def placed(exercise: str, find: Callable[[], Diagnosis | None]) -> Iterator[None]:
    """Let a failure that nothing explains so far say where the mistake lies; it is looked for once.

    Args:
        exercise: Whose checks share what is found.
        find: Looks for the place.
    """
    try:
        yield
    except CheckFailed as failure:
        state = current_check.get()
        if failure.diagnosis is None and state.explains:
            if (PLACE, exercise) not in state.findings:
                state.findings[PLACE, exercise] = outcome(find)
            failure.diagnosis = state.findings[PLACE, exercise]
        raise


def outcome(find: Callable[[], Diagnosis | None]) -> Diagnosis | None:
    """Return the place, or None where a call of the student's gives nothing, or something of another form."""
    try:
        return find()
    except (CheckFailed, StudentFailure):  # the check has its own verdict
        return None
