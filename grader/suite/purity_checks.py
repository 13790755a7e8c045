"""What suites ask of what a call was given: every tensor holds the same numbers after it."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import torch

from grader.suite.failures import CheckFailed
from grader.suite.judging import judged
from grader.workers.student import ModuleHandle, Observation, Student


def input_unchanged(student: Student, name: str, *args: Any, **kwargs: Any) -> Observation:
    """Ask that a call of a function leaves every tensor that it was given as it was, those given by keyword too.

    Returns:
        What was seen of the call.
    """
    ask = partial(getattr(student, name).observe, *args, echo=True, **kwargs)
    return judged(ask, partial(_unchanged, args, kwargs))


def module_input_unchanged(module: ModuleHandle, *args: Any, **kwargs: Any) -> Observation:
    """Ask that a call of a module leaves every tensor that it was given as it was, those given by keyword too.

    Returns:
        What was seen of the call.
    """
    return _unchanged(args, kwargs, module.observe(*args, echo=True, **kwargs))


def _unchanged(args: Sequence[Any], kwargs: Mapping[str, Any], seen: Observation) -> Observation:
    for position, (before, after) in enumerate(zip(args, seen.inputs_after, strict=True), start=1):
        if not _same(before, after):
            only = len(args) == 1
            raise _changed(*(("The input", "입력이") if only else (f"Argument {position}", f"{position}번째 인자가")))
    for name, before in kwargs.items():
        if not _same(before, seen.keywords_after[name]):
            raise _changed(f"`{name}`", f"`{name}`의 값이")
    return seen


def _same(before: Any, after: Any) -> bool:
    return not isinstance(before, torch.Tensor) or (type(after) is torch.Tensor and torch.equal(before, after))


def _changed(what: str, korean: str) -> CheckFailed:
    sentence = f"{what} was changed by the call; work on a copy."
    korean_sentence = f"{korean} 호출 뒤에 바뀌었습니다. 사본으로 계산하세요."
    return CheckFailed.for_students(sentence, korean_sentence)
