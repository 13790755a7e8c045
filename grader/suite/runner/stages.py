"""Takes one item through pytest's stages, and makes the reports of what was run and of what needed no running."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

import pytest

from grader.errors import CourseError
from grader.results.verdict import CheckVerdict
from grader.suite.core.failures import CheckFailed
from grader.workers.process.failures import StudentFailure

from . import pytest_internals
from .overtime import Overtime
from .suite_errors import last_line_in

Stage = Literal["setup", "call", "teardown"]
NOT_CAUGHT = pytest.exit.Exception, KeyboardInterrupt, Overtime
"""What ends more than a check."""
STAGES: tuple[Stage, ...] = ("setup", "call", "teardown")


def run_stages(
    item: pytest.Item, nextitem: pytest.Item | None, makers: Mapping[str, Callable[[], Any]]
) -> list[pytest.TestReport]:
    """Take an item through set-up, call and teardown as pytest's own runner does.

    Args:
        makers: Make the fixtures that pytest need not look up.

    Returns:
        The reports of the call and of every stage that went wrong. One that only went well says nothing, and describing
        it takes pytest as long as the stage itself.
    """
    reports: list[pytest.TestReport] = []
    pytest_internals.begin(item)
    for name, make in makers.items():
        item.funcargs[name] = make()  # type: ignore[attr-defined]  # pytest.Function alone has them
    for when in STAGES:
        if when == "call" and reports:
            continue
        done = pytest.CallInfo.from_call(runner_of(item, when, nextitem), when=when, reraise=NOT_CAUGHT)
        if when == "call" or done.excinfo is not None:
            reports.append(item.ihook.pytest_runtest_makereport(item=item, call=done))
    pytest_internals.end(item)
    return reports


def runner_of(item: pytest.Item, when: Stage, nextitem: pytest.Item | None) -> Callable[[], object]:
    """Return what takes an item through a stage.

    That is pytest's hook. Before and after a check, where no plugin and no conftest.py has a say but pytest's own
    runner, it is what that one does: asking around takes as long as doing it.
    """
    hook = getattr(item.ihook, f"pytest_runtest_{when}")
    alone = [each.plugin_name for each in hook.get_hookimpls()] == ["runner"]
    if when == "setup":
        return partial(pytest_internals.set_up if alone else hook, item=item)
    if when == "teardown":
        return partial(pytest_internals.tear_down if alone else hook, item=item, nextitem=nextitem)
    return partial(hook, item=item)


def report_of_refusal(item: pytest.Item, verdict: CheckVerdict) -> pytest.TestReport:
    """Return the report of an item that nothing is run of, as pytest makes it of one that ends in its set-up."""
    reason = verdict.reason or verdict.found
    path, line, _ = item.location
    skipped = verdict.status == "skipped"
    return pytest.TestReport(
        nodeid=item.nodeid,
        location=item.location,
        keywords={},
        outcome="skipped" if skipped else "failed",
        longrepr=(path, line or 0, f"Skipped: {reason}") if skipped else reason,
        when="setup",
    )


def leave_module(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Tear down what the next item does not share, after an item of which nothing was run, or not all.

    Raises:
        CourseError: A fixture of the suite raised in its end.
    """
    if nextitem is not None and nextitem.parent is item.parent and not pytest_internals.is_set_up(item):
        return
    try:
        pytest_internals.tear_down(item, nextitem)
    except Exception as error:  # a fixture is the author's code and raises what it likes
        raise CourseError(
            f"A fixture of {item.path.name} raised in its end: {type(error).__name__}: {error}."
        ) from error


def shorten_failures(item: pytest.Item) -> None:
    """Have the failures that say all in their words described by these and their place, without a traceback.

    pytest's traceback of one takes as long as ten checks that pass. Every other exception keeps it.
    """
    usual = item.repr_failure

    def shortly(excinfo: pytest.ExceptionInfo[BaseException], *args: Any) -> Any:
        error = excinfo.value
        if not isinstance(error, CheckFailed | StudentFailure):
            return usual(excinfo, *args)
        words = f"{type(error).__name__}: {error}"
        return pytest_internals.failure_in_a_line(str(item.path), last_line_in(item.path, excinfo.tb), words)

    item.__dict__["repr_failure"] = shortly
