"""Which device is chosen, and what is said when it is not there."""

import pytest
import torch

from grader.errors import UsageError
from grader.inside.worker import reset_state
from grader.system import devices


@pytest.mark.parametrize(
    ("asked", "course", "gpu", "chosen"),
    [
        (None, "cpu", True, "cpu"),
        ("cpu", "cuda", True, "cpu"),
        ("cuda", "cpu", True, "cuda"),
        ("auto", "cpu", True, "cpu"),
        ("auto", "auto", True, "cuda"),
        (None, "auto", True, "cuda"),
        ("auto", "cuda", False, "cpu"),
        ("pretended", "cpu", False, "pretended"),
    ],
)
def test_the_command_line_wins_and_auto_takes_a_gpu_where_the_course_asks_and_there_is_one(
    monkeypatch, asked, course, gpu, chosen
):
    monkeypatch.setattr(devices, "why_no_cuda", lambda: None if gpu else "there is none.")
    assert devices.choose_device(asked, course) == chosen


def test_a_missing_gpu_is_one_clear_sentence(monkeypatch, refuses):
    monkeypatch.setattr(devices, "why_no_cuda", lambda: "there is none.")
    with refuses(UsageError) as caught:
        devices.choose_device("cuda", "cpu")
    assert caught.value.exit_code == 2


def test_tf32_and_cudnn_are_switched_off_before_anything_runs_on_a_gpu(monkeypatch):
    monkeypatch.setattr(reset_state, "_manual_seed", lambda _: None)  # without a GPU there is nothing to seed
    torch.backends.cuda.matmul.allow_tf32 = True
    reset_state.reset("cuda")
    enabled, torch.backends.cudnn.enabled = torch.backends.cudnn.enabled, True
    assert not torch.backends.cuda.matmul.allow_tf32
    assert not enabled


def test_a_kernel_keeps_how_exact_its_products_are_by_whichever_switch_it_said_so():
    products = torch.backends.cuda.matmul
    for how_exact in (torch.get_float32_matmul_precision, lambda: products.fp32_precision):
        torch.set_float32_matmul_precision("high")
        if how_exact() != "high":
            products.fp32_precision = "ieee"  # from now on the older switch cannot be read
        before = how_exact()
        with reset_state.unchanged():
            reset_state.reset()
        assert how_exact() == before
        torch.set_float32_matmul_precision("highest")
