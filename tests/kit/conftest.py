"""How `make test` deals the tests out to processes that run side by side (pytest-xdist).

The tests of a file share what its fixtures made, so they go to one process together, but for the files named here. What
takes longest starts first, so that no process is left with it at the end; among the others the order stays random. By
file, port, folder or name no test may meet another one: each has a course, a class and a secret of its own, or grades a
copy of the frozen course with `--fresh`.
"""

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from .support.kept_jails import KeptOpen

# How fast a busy machine makes examples says nothing about the kit.
settings.register_profile("kit", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kit")

if TYPE_CHECKING:
    from xdist.scheduler.loadscope import LoadScopeScheduling

sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
"""Beside JupyterLab every import of jsonschema or nbformat would take 1 s for a grammar of web addresses."""

collect_ignore = ["support/course"]
"""Suites of a course are no tests of the kit."""

BY_FIRST_PARAMETER = ("test_attacks_on_each_tier.py",)
"""Each arena has a class of its own, and what is common to the tests of one is their first parameter."""
TOGETHER = {"nbgrader": ("test_nbgrader_", "test_push_nbgrader"), "jail": ("test_jail_",)}
"""Files whose names begin so share a course that takes a minute to make, or three jails, so they go to one process."""
EACH_ALONE = ("test_verify_command.py", "test_grade_command.py", "test_regrade.py")
"""Their tests share nothing."""
LONG = (
    "test_nbgrader_",
    "test_push_nbgrader",
    "test_jail_",
    "test_attacks_on_each_tier.py",
    "test_example_class.py",
    "test_sizes_of_answers.py",
    "test_cluster_run.py",
    "test_killed_runs.py",
    "test_spoilt_solutions.py",
    "test_verify_command.py",
    "test_regrade.py",
    "test_release_holds_no_answer.py",
    "test_release.py",
    "test_grade_command.py",
    "test_docs_are_true.py",
    "test_new_course.py",
)
"""Files whose names begin so start first, in this order."""
LAST = (
    "test_block_checks.py",
    "test_calls_in_place.py",
    "test_calls_student.py",
    "test_classes.py",
    "test_module_history_checks.py",
    "test_module_input_use.py",
    "test_torch_parts.py",
)
"""These run a backward pass in the tests' own process. torch refuses another one in every process forked later from it,
and suites are run in such processes."""


@pytest.fixture(scope="session")
def kept_open() -> Iterator[KeptOpen]:
    """Jails that serve all tests of a process that ask for no jail of their own."""
    jails = KeptOpen()
    yield jails
    jails.close()


@pytest.fixture
def kept_jails(kept_open: KeptOpen, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let runs that a test starts in its own process share their jails with other tests."""
    monkeypatch.setattr("grader.grading.jails.open_jail", kept_open.open)


@pytest.fixture
def warm_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a student's own run in the tests' process have forked workers; one of its own would import torch."""
    from .support.open_workers import shared_workers

    # The one that imports the name comes first, so that it is not imported with what stands in for it.
    for module in ("grader.student_check.visible_checks", "grader.workers.process.local_process"):
        monkeypatch.setattr(f"{module}.LocalWorkers", lambda *_, **__: nullcontext(shared_workers()))


def share_of(nodeid: str) -> str:
    """Return the name of the tests that go to one process together with this one."""
    path, _, test = nodeid.partition("::")
    name = path.rpartition("/")[2]
    if name in EACH_ALONE:
        return nodeid
    for shared, beginnings in TOGETHER.items():
        if name.startswith(beginnings):
            return shared
    if name in BY_FIRST_PARAMETER:
        return f"{path} {test.partition('[')[2].removesuffix(']').partition('-')[0]}"
    return path


def rank_of(nodeid: str) -> int:
    """Return when a test's file starts: the long ones from 0, then those of random order, then the last."""
    name = nodeid.partition("::")[0].rpartition("/")[2]
    if name in LAST:
        return len(LONG) + 1
    return next((rank for rank, long in enumerate(LONG) if name.startswith(long)), len(LONG))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the files in order where processes share the work; one process alone runs the last ones last and no more."""
    first = 0 if hasattr(config, "workerinput") else len(LONG)
    items.sort(key=lambda item: max(first, rank_of(item.nodeid)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> "LoadScopeScheduling | None":
    """Return what deals the tests out with `--dist loadscope`.

    The marks of `--dist loadgroup` would say the same, but pytest-xdist 3.8 does not see them with pytest 9.2.
    """
    if config.getvalue("dist") != "loadscope":
        return None
    from xdist.scheduler.loadscope import LoadScopeScheduling

    class Dealer(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return share_of(nodeid)

    config.option.loadscopereorder = False
    return Dealer(config, log)
