"""`make gpu-report`: its page, and what it says on a machine without a GPU."""

from dataclasses import replace
from decimal import Decimal

import pytest

from benchmarks import devices
from benchmarks.compare_devices import Answer, Compared
from grader.errors import UsageError

DEVICES = ["cpu", "pretended", "cuda"]


def answer(name: str, kind: str, *statuses: str) -> Answer:
    """Return an answer with two checks: one that passes on every device, and one with these verdicts."""
    names = DEVICES[: len(statuses)]
    scores = {device: Decimal(status == "passed") for device, status in zip(names, statuses, strict=True)}
    verdicts = {
        device: {"mask.first": "passed", "mask.second": status} for device, status in zip(names, statuses, strict=True)
    }
    return Answer("mask", name, kind, scores, verdicts)


EQUAL = answer("the-solution", "solution", "passed", "passed", "passed")
OTHER_WORD = answer("too_wide", "mistake", "failed", "failed", "error")
ON_CPU = answer("on_the_cpu", "mistake", "passed", "error", "error")
COST = {"cpu": 0.5, "pretended": 2.0, "cuda": 4.0}
SET_UPS = {"pretended": (12.0, ""), "cuda": (300.0, "a GPU")}
COMPARED = Compared("01_masks", [EQUAL, OTHER_WORD, ON_CPU], 7, COST)


def test_the_page_counts_what_is_equal_and_names_what_differs_with_every_verdict() -> None:
    page = devices.render([COMPARED], DEVICES, SET_UPS, 2)
    assert "| `01_masks` | 3 | 2 | 1 |" in page
    assert "| answer | CPU | pretended | CUDA | checks |" in page
    assert "| mask, mistake `too_wide` | failed | failed | error | `second` |" in page
    assert "| mask, mistake `on_the_cpu` | passed | error | error | `second` |" in page
    assert "`first`" not in page
    assert "| `01_masks` | 7 | 0.50 | 2.00 | 4.00 |" in page
    assert ", a GPU." in page and "CUDA is missing" not in page
    assert "its first tensor on the device pretended, 12 ms pass (asked: at most 50 ms)." in page


def test_the_page_says_that_there_are_no_differences_and_that_no_gpu_was_tried() -> None:
    equal = answer("the-solution", "solution", "passed", "passed")
    page = devices.render([replace(COMPARED, answers=[equal])], DEVICES[:2], {"pretended": (12.0, "")}, 2)
    assert "No check differs." in page and "CUDA is missing" in page
    assert "| | submissions | CPU | pretended |\n" in page


def test_without_a_gpu_it_ends_with_one_sentence_and_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(devices, "why_no_cuda", lambda: "there is none.")
    monkeypatch.setattr(devices, "compare", lambda *_: pytest.fail("it graded"))
    assert devices.main([]) == 2
    assert capsys.readouterr().err.startswith("gpu-report: This report needs a machine with an NVIDIA GPU")


def test_a_device_that_does_not_work_is_named_before_anything_is_graded() -> None:
    with pytest.raises(UsageError, match="The device nothing cannot be used here: RuntimeError"):
        devices.set_up("nothing")
