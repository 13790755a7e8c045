"""What suites ask of calls that come one after the other: each is computed from what its tensors hold by then.

A parameter is the same object before and after an optimizer's step, and so is a buffer that is filled anew. Whoever
keeps an answer for the object that it was computed from gives the old one then.
"""

from collections.abc import Sequence
from typing import Any

from torch import nn

from grader.suite.core import compare
from grader.suite.core.context import device
from grader.suite.core.failures import CheckFailed
from grader.suite.core.reference import Reference, answer_of
from grader.suite.diagnosis.by_measurement import EARLIER, is_earlier, remember_expected
from grader.tolerances import Kind
from grader.workers.calls.student import Given, ModuleHandle, Observation, Student

from .reference_checks import function_probe


def computed_anew(
    student: Student,
    reference: Reference,
    name: str,
    *args: Any,
    before: Sequence[Any],
    kind: Kind = "value",
) -> Any:
    """Ask for the right answer in a second call with the same tensors, which held other numbers in the first one.

    Args:
        *args: Passed by position to both, with what the tensors hold in the second call.
        before: What they hold in the first one: for each argument a tensor of its shape and dtype, or anything else.

    Raises:
        CheckFailed: It is not the solution's; the diagnosis says so where it is the first answer.
        CourseError: What the tensors hold first does not fit them.
    """
    probe = function_probe(student, reference, name, Given(args, {}), kind)
    (seen,) = getattr(student, name).observe_each([probe.case], before=before)
    remember_expected(getattr(reference, name)(*before))
    answer = seen.value if isinstance(seen, Observation) else seen
    probe.judge(answer)
    return answer


def module_computed_anew(
    handle: ModuleHandle, module: nn.Module, *args: Any, before: Sequence[Any], kind: Kind = "module"
) -> Any:
    """Ask the same of a module, in the mode that it is in and then in eval, which it is left in.

    In eval answers are kept more often: by the inputs' shape, say, where nothing is to be learned any more.

    Args:
        *args: Passed by position to both, with what the tensors hold in the second call.
        before: What they hold in the first one, as for `computed_anew`.

    Returns:
        The answer in eval.

    Raises:
        CheckFailed: An answer is not the solution's; the diagnosis says so where it is the earlier one.
        CourseError: What the tensors hold first does not fit them.
    """
    _later_answer(handle, module, args, before, kind)
    handle.eval()
    module.eval()
    return _later_answer(handle, module, before, args, kind)


def _later_answer(
    handle: ModuleHandle, module: nn.Module, args: Sequence[Any], before: Sequence[Any], kind: Kind
) -> Any:
    """Return a module's right answer for tensors that held other numbers in the call before."""
    answer = handle.observe(*args, before=before).value
    earlier, expected = (answer_of(module, inputs) for inputs in (before, args))
    dtype = compare.lowest_precision(args)
    try:
        compare.require_all_close(answer, expected, kind, dtype, device())
    except CheckFailed as failure:
        remember_expected(earlier)
        if is_earlier(answer, expected, dtype):
            failure.diagnosis = EARLIER
        raise
    return answer
