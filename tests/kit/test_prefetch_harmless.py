"""Checks that would show that they were begun ahead of their turn are not."""

import random
import sys

import numpy as np
import pytest
import torch

from grader.inside.fresh import reset
from grader.suite.surroundings import surroundings

from .open_workers import close_sessions
from .prefetched_runs import ALL, ALL_PASSED, RIGHT, SUITE, Graded


@pytest.fixture(autouse=True)
def _no_session_stays():
    yield
    close_sessions()


def test_a_hook_of_the_suite_is_asked_about_every_check(tmp_path):
    (tmp_path / "hidden").mkdir()
    hooks = "def pytest_runtest_setup(item): item.was_set_up = True\n"
    (tmp_path / "hidden" / "conftest.py").write_text(hooks, encoding="utf-8")
    graded = Graded(tmp_path, RIGHT, chosen=ALL)
    assert graded.statuses == ALL_PASSED
    assert graded.exchanges == [1, 1, 1, 1]
    assert graded.harmless == []


HARMFUL = {
    "keeps something": ("SEEN = []", "SEEN.append(1)"),
    "draws from torch's own numbers": ("", "torch.rand(1)"),
    "draws from Python's own numbers": ("import random", "random.random()"),
    "draws from NumPy's own numbers": ("import numpy", "numpy.random.rand()"),
    "changes torch's default": ("", "torch.set_default_dtype(torch.float64)"),
    "switches gradients off": ("", "torch.set_grad_enabled(False)"),
    "changes the environment": ("import os", "os.environ['KIT_TEST_HARM'] = str(os.urandom(3))"),
    "asks another time": ("", "student.first(x)"),
    "asks with other numbers each time": ("import os", "x = x * int.from_bytes(os.urandom(2), 'big')"),
}


@pytest.mark.parametrize("harm", HARMFUL)
def test_a_check_that_leaves_something_behind_takes_no_part(tmp_path, harm, monkeypatch):
    monkeypatch.setenv("KIT_TEST_HARM", "")
    top, line = HARMFUL[harm]
    suite = SUITE.replace("first = ex", f"{top}\nfirst = ex", 1).replace(
        "    x = draw.normal(4)", f"    x = draw.normal(4)\n    {line}"
    )
    try:
        graded = Graded(tmp_path, RIGHT, suite=suite, chosen=())
    finally:
        torch.set_default_dtype(torch.float32)
        torch.set_grad_enabled(True)
    assert "first.two" not in graded.harmless
    assert ("first.one" in graded.harmless) == (harm != "keeps something")  # who keeps something may keep more


CHANGES = {
    "default dtype": lambda: torch.set_default_dtype(torch.float64),
    "gradients": lambda: torch.set_grad_enabled(False),
    "deterministic": lambda: torch.use_deterministic_algorithms(True),
    "anomalies": lambda: torch.autograd.set_detect_anomaly(True),
    "precision": lambda: torch.set_float32_matmul_precision("medium"),
    "recursion": lambda: sys.setrecursionlimit(1234),
    "autocast": lambda: torch.set_autocast_enabled("cpu", True),
    "torch's numbers": lambda: torch.rand(1),
    "Python's numbers": random.random,
    "NumPy's numbers": np.random.rand,
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_set_anew_for_a_submission_is_seen_when_a_check_changes_it(change):
    limit = sys.getrecursionlimit()
    reset()
    before = surroundings()
    try:
        CHANGES[change]()
        assert surroundings() != before
    finally:
        reset()
    assert surroundings()[:14] == before[:14]  # all but what torch itself leaves in the environment
    sys.setrecursionlimit(limit)


def test_a_check_with_a_fixture_of_the_suite_takes_no_part(tmp_path):
    fixture = "import pytest\n@pytest.fixture\ndef size(): return 4\n"
    suite = SUITE.replace("first = ex", f"{fixture}first = ex", 1).replace(
        "def test_two(student, draw)", "def test_two(student, draw, size)"
    )
    assert Graded(tmp_path, RIGHT, suite=suite, chosen=()).harmless == ["first.one", "first.three", "second.four"]


def test_parameters_of_a_check_are_given_to_it(tmp_path):
    suite = SUITE.replace(
        '@first.check("value", ko="둘")', '@pytest.mark.parametrize(\'size\', [4, 6])\n@first.check("value", ko="둘")'
    )
    suite = suite.replace("import torch", "import pytest\nimport torch", 1)
    suite = suite.replace("def test_two(student, draw)", "def test_two(student, draw, size)").replace(
        "draw.normal(4)", "draw.normal(size)"
    )
    graded = Graded(tmp_path, RIGHT, suite=suite, chosen=("first.one", "first.two[4]", "first.two[6]", "first.three"))
    assert graded.exchanges == [4, 1]
    assert set(graded.statuses.values()) == {"passed"}
    assert set(graded.harmless) == set(graded.verdicts)
