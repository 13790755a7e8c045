"""Every use of a private part of pytest; `tests/unit/house/test_pytest_parts.py` names what a new version broke.

pytest's own `main` collects and runs at once. Here the collected session stays open, so that grading can take one
submission after the other through it. And a check that is tried twice is an item that is run twice, which pytest's
runner does not do by itself.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from _pytest._code.code import ReprExceptionInfo, ReprFileLocation, ReprTracebackNative, TerminalRepr
from _pytest.config import _prepareconfig

from grader.errors import CourseError


@contextmanager
def open_session(arguments: Sequence[str], plugins: Sequence[object]) -> Iterator[pytest.Session]:
    """Start pytest, and end it when the session that was started is left.

    Raises:
        CourseError: pytest does not start, as where a conftest.py cannot be run.
    """
    try:
        config = _prepareconfig(list(arguments), plugins)
    except Exception as error:
        words = " ".join(str(error).split())
        raise CourseError(f"pytest could not start on the suite: {type(error).__name__}: {words}") from None
    try:
        config._do_configure()
        session = pytest.Session.from_config(config)
        session.exitstatus = pytest.ExitCode.OK
        config.hook.pytest_sessionstart(session=session)
        yield session
        config.hook.pytest_sessionfinish(session=session, exitstatus=pytest.ExitCode.OK)
    finally:
        config._ensure_unconfigure()


def begin(item: pytest.Item) -> None:
    """Give an item its fixtures anew."""
    item._initrequest()  # type: ignore[attr-defined]  # pytest.Function alone has it


def end(item: pytest.Item) -> None:
    """Leave an item as pytest's own runner does."""
    item._request = False  # type: ignore[attr-defined]
    item.funcargs = None  # type: ignore[attr-defined]


def set_up(item: pytest.Item) -> None:
    """Set up an item and the modules and packages that it is in, where they are not."""
    item.session._setupstate.setup(item)


def tear_down(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Tear down an item, and what the next one is not in."""
    item.session._setupstate.teardown_exact(nextitem)


def is_set_up(item: pytest.Item) -> bool:
    """Tell whether an item is set up."""
    return item in item.session._setupstate.stack


def fixtures_of(item: pytest.Item) -> Mapping[str, Sequence[pytest.FixtureDef[Any]]]:
    """Return the definitions of each fixture that an item needs, those of its parameters included."""
    info = getattr(item, "_fixtureinfo", None)
    return {} if info is None else info.name2fixturedefs


def names_needed(item: pytest.Function) -> tuple[set[str], tuple[str, ...]]:
    """Return the names of all fixtures that an item needs, and of those that its function asks for itself."""
    return set(item._fixtureinfo.names_closure), item._fixtureinfo.argnames


def is_parameter(fixture: pytest.FixtureDef[Any]) -> bool:
    """Tell whether a fixture is what pytest makes of a parameter, and no fixture that is given one."""
    return fixture.func.__module__ == "_pytest.python"


def function_that_asks(error: pytest.FixtureLookupError) -> Callable[..., Any]:
    """Return the test function for which a fixture was looked up in vain."""
    function: Callable[..., Any] = error.request._pyfuncitem.obj
    return function


def reporter_of(config: pytest.Config) -> Any:
    """Return what pytest-json-report writes its report with; None where it does not take part."""
    return getattr(config, "_json_report", None)


def failure_in_a_line(path: str, line: int, words: str) -> TerminalRepr:
    """Return the description of a failure that is its words and its place, without a traceback."""
    place = ReprFileLocation(path, line, words)
    return ReprExceptionInfo(reprtraceback=ReprTracebackNative([f"{path}:{line}: {words}"]), reprcrash=place)
