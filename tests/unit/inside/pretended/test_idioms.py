"""The pretended device computes and refuses what a GPU does; where there is one, the same list is tried on it."""

import contextlib
import functools
from typing import Any

import pytest
import torch

from grader.inside.pretended import torch_backend
from grader.inside.pretended.device import entered, set_up

from ....support.exercises import idioms
from ....support.exercises.idioms import OTHERWISE, REFUSED, RIGHT
from ....support.needed import NEEDS_GPU

if torch_backend.is_there():
    set_up()  # before any test of this process takes a gradient: torch counts its devices then

DEVICES = ["pretended", pytest.param("cuda", marks=NEEDS_GPU)]


@functools.cache
def outcomes(device: str) -> dict[str, Any]:
    with entered() if device == "pretended" else contextlib.nullcontext():
        return {expression: idioms.outcome(expression, device) for expression in (*RIGHT, *REFUSED, *OTHERWISE)}


def devices_in(value: Any) -> set[str]:
    """Return the devices that a result names."""
    if isinstance(value, list):
        return set().union(*map(devices_in, value))
    return {value} if value in ("cpu", "cuda", "pretended") else set()


def numbers_in(value: Any) -> list[float]:
    """Return the numbers of a result."""
    if isinstance(value, list):
        return [number for entry in value for number in numbers_in(entry)]
    return [value] if isinstance(value, float | int) else []


@pytest.mark.parametrize("device", DEVICES)
def test_what_works_on_a_gpu_gives_the_numbers_of_the_processor(subtests: pytest.Subtests, device: str) -> None:
    for expression in RIGHT:
        with subtests.test(expression=expression):
            outcome, expected = outcomes(device)[expression], outcomes("cpu")[expression]
            assert "raised" not in outcome, outcome
            assert numbers_in(outcome["value"]) == pytest.approx(numbers_in(expected["value"]), abs=1e-5, rel=1e-4)


@pytest.mark.parametrize("device", DEVICES)
def test_what_a_gpu_refuses_is_refused_in_its_words(subtests: pytest.Subtests, device: str) -> None:
    for expression, words in REFUSED.items():
        with subtests.test(expression=expression):
            assert "raised" not in outcomes("cpu")[expression]
            assert words in outcomes(device)[expression]["raised"]


@pytest.mark.parametrize("device", DEVICES)
def test_a_result_is_on_the_device_unless_it_was_moved(device: str) -> None:
    moved = {"torch.tensor([x.sum(), x.mean()])", "x.detach().cpu()", "torch.zeros(2, 3, 4).copy_(x)"}
    for expression in RIGHT:
        named = devices_in(outcomes(device)[expression]["value"])
        assert named <= {"cpu" if expression in moved else device}, expression


@pytest.mark.skipif(torch.version.cuda is not None, reason="this torch is built for CUDA, where .cuda() says otherwise")
def test_what_differs_from_a_gpu_is_what_the_page_lists(subtests: pytest.Subtests) -> None:
    for expression, told in OTHERWISE.items():
        with subtests.test(expression=expression):
            outcome = outcomes("pretended")[expression]
            for kind, expected in told.items():
                assert outcome[kind] == expected if kind == "value" else expected in outcome[kind]
