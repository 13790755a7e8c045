"""Starts pytest on the suite of an assignment, with only the plugins that a grading run needs."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from grader.errors import CourseError, UsageError
from grader.stopping import raise_if_asked
from grader.suite import fixtures
from grader.suite.context import CourseSide
from grader.suite.plugin import GradingPlugin

INI = Path(__file__).resolve().parent / "suite.ini"

# Nothing of a suite prints, logs or caches; each of these costs milliseconds a check, or writes beside the tests.
UNUSED = (
    *("cacheprovider", "capture", "debugging", "doctest", "faulthandler", "junitxml", "logging", "pastebin"),
    *("recwarn", "setuponly", "setupplan", "stepwise", "subtests", "terminal", "threadexception", "tmpdir"),
    *("unittest", "unraisableexception", "warnings"),
)


def run_suite(
    course: CourseSide,
    exercises: Sequence[str],
    suites: list[Path],
    visible_root: Path,
    on_collected: Callable[[GradingPlugin, pytest.Session], None],
    *,
    graded: bool = True,
    shuffle: int | None = None,
    only: str | None = None,
    together: bool = False,
) -> GradingPlugin:
    """Collect the suites once and hand the session over.

    Args:
        course: What the assignment brings to its checks.
        exercises: The exercises in order.
        suites: Files and folders of checks.
        visible_root: Checks in it or below it are visible.
        on_collected: Runs the submissions.
        graded: False for a student's own run, which needs no hidden checks and no raw report.
        shuffle: What another order of the checks is drawn from; None for the order of the suites.
        only: The id of the one check to run, with those that it needs; None for all.
        together: Whether checks pause at their questions and ask together.

    Returns:
        The plugin, with the manifest.

    Raises:
        CourseError: The suite could not be collected, or a check is broken.
        UsageError: Python leaves assertions out.
    """
    if sys.flags.optimize:
        raise UsageError(
            "The assertions and docstrings that checks are made of were looked for.",
            "Python was told to leave them out, by -O or the variable PYTHONOPTIMIZE.",
            "Run it without, and unset that variable.",
        )
    plugin = GradingPlugin(course, exercises, visible_root, on_collected, graded=graded, shuffle=shuffle, only=only,
                           together=together)  # fmt: skip
    root = str(suites[0].parent) if len(suites) == 1 else os.path.commonpath(suites)
    arguments = ["--rootdir", root, "--confcutdir", root, "-c", str(INI), "--import-mode=importlib"]
    arguments += [argument for name in UNUSED for argument in ("-p", f"no:{name}")]
    if graded:
        arguments += ["-p", "pytest_jsonreport.plugin", "--json-report", "--json-report-file=none"]
        arguments += ["--json-report-omit", "collectors", "keywords", "log", "streams", "warnings"]
    else:
        arguments += ["--noconftest"]
    known = set(sys.modules)
    try:
        with own_pytest():
            code = pytest.main([*arguments, "--", *map(str, suites)], plugins=[plugin, fixtures])
    except SystemExit as leave:
        raise CourseError(
            f"A file of the suites around {root} ended the whole process: SystemExit({leave.code})."
        ) from None
    finally:
        forget(known)
    if plugin.stopped is not None:
        raise plugin.stopped
    raise_if_asked()  # pytest itself takes a Ctrl-C while it collects for the end of its session
    if plugin.error is not None:
        raise plugin.error
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) or plugin.manifest is None:
        raise CourseError(
            f"pytest could not run the suite {suites[0]}.",
            f"It ended with {code!r}.",
            "Run pytest on the folder to see what it says.",
        )
    return plugin


@contextmanager
def own_pytest() -> Iterator[None]:
    """Keep what a person set up for pytests of their own, such as PYTEST_ADDOPTS, out of this one."""
    before = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("PYTEST_")}
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    try:
        yield
    finally:
        del os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"]
        os.environ.update(before)


def forget(known: set[str]) -> None:
    """Take back the modules that collecting brought in; a suite of the same name would otherwise be the old one."""
    for name in set(sys.modules) - known:
        if name.rpartition(".")[2].startswith(("test_", "conftest")):
            del sys.modules[name]
