"""Where a kernel cannot be copied, a check runs in it, ends what hangs, and leaves all else as it was."""

import pytest

from ...support.notebooks.kernels import interrupted, told

RIGHT = "def shares(x):\n    return x / x.sum()\n"
SETTINGS = """\
import random, sys
import numpy
from torch import nn
model = nn.Sequential(nn.Linear(2, 2))
torch.set_default_dtype(torch.float64), torch.use_deterministic_algorithms(True, warn_only=True)
torch.set_num_threads(2), sys.setrecursionlimit(2000)
def state():
    return (
        torch.get_rng_state().tolist(), random.getstate(), str(numpy.random.get_state()), numpy.random.get_state()[2],
        torch.get_default_dtype(), torch.is_grad_enabled(), torch.get_num_threads(), sys.getrecursionlimit(),
        torch.get_deterministic_debug_mode(), torch.is_anomaly_enabled(), sys.stdout, sys.stderr, sys.stdin,
        sys.__stdout__, input, sys.modules["grader"], hasattr(torch, "pretended"), model.training, model[0].training,
    )
before = state()
def shares(x):
    print("printed")
    torch.manual_seed(7), random.seed(7), numpy.random.seed(7)
    torch.set_default_dtype(torch.float32), torch.use_deterministic_algorithms(False), torch.set_grad_enabled(False)
    torch.set_num_threads(1), torch.autograd.set_detect_anomaly(True), sys.setrecursionlimit(500), model.eval()
    return x / x.sum()
"""
BACK = "torch.set_default_dtype(torch.float32), torch.use_deterministic_algorithms(False), sys.setrecursionlimit(3000)"


@pytest.fixture
def alone(running):
    """The kernel, as one that cannot be copied."""
    assert running.run("from grader.student_check import kernel_runs\nreal = kernel_runs.possible\n"
                       "kernel_runs.possible = lambda: False").status == "ok"  # fmt: skip
    yield running
    assert running.run("kernel_runs.possible = real").status == "ok"


def test_live_functions_are_checked_and_a_note_tells_what_is_not_looked_for(alone):
    text = told(alone, RIGHT)
    assert "shares  ok  (2 of 2)" in text
    assert "note: Calls that an exercise forbids, and what a GPU refuses, are not looked for in this kernel." in text
    assert "the result is 0.5, expected 0.25" in told(alone, "def shares(x):\n    return x / x.max()\n")


def test_everything_is_left_as_it_was(alone):
    assert "(2 of 2)" in told(alone, SETTINGS)
    done = alone.run("assert state() == before, [str((a, b))[-300:] for a, b in zip(state(), before) if a != b]")
    assert done.status == "ok", done.outputs
    assert alone.run(BACK).status == "ok"


@pytest.mark.parametrize("wait", ["pass", "time.sleep(60)", "try:\n            time.sleep(60)\n        finally: 1 / 0"])
def test_what_hangs_is_interrupted_and_the_rest_of_its_exercise_is_not_run(alone, in_a_second, wait):
    loop = f"    global calls\n    calls += 1\n    while True:\n        {wait}\n"
    text = told(alone, f"import time\ncalls = 0\ndef shares(x):\n{loop}")
    assert "shares did not finish in the time that a check has" in text and "(0 of 2)" in text
    assert alone.run("assert calls == 1, calls").status == "ok"
    assert "(2 of 2)" in told(alone, RIGHT)


def test_an_interrupt_by_a_person_ends_the_check_and_not_only_the_call(alone, folder):
    code = "import time\ndef shares(x):\n    open('begun', 'w').close()\n    while True: time.sleep(0.01)\n"
    assert alone.run(code).status == "ok"
    (error,) = interrupted(alone, 'check("shares")', folder / "begun").outputs
    assert error["ename"] == "KeyboardInterrupt"
    assert "(2 of 2)" in told(alone, RIGHT)
