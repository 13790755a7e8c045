"""Has pytest collect the suite of an assignment, with only the plugins that a grading run needs."""

import io
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr
from pathlib import Path

import pytest

from grader.errors import CourseError, UsageError
from grader.suite.core import fixtures
from grader.suite.core.context import AssignmentContext
from grader.suite.core.manifest import make_manifest, of_exercise, only_with_needs, shuffled
from grader.suite.examples.model import ExerciseExamples
from grader.system.stopping import raise_if_asked

from .plugin import GradingPlugin
from .suite import Suite

INI = Path(__file__).resolve().parent / "suite.ini"

# Nothing of a suite prints, logs or caches; each of these costs milliseconds a check, or writes beside the tests.
UNUSED = (
    *("cacheprovider", "capture", "debugging", "doctest", "faulthandler", "junitxml", "logging", "pastebin"),
    *("recwarn", "setuponly", "setupplan", "stepwise", "subtests", "threadexception", "tmpdir"),
    *("unittest", "unraisableexception", "warnings"),
)


def collect(
    course: AssignmentContext,
    exercises: Sequence[str],
    suites: list[Path],
    visible_root: Path,
    use: Callable[[Suite], None],
    *,
    graded: bool = True,
    examples: Mapping[str, ExerciseExamples] | None = None,
    shuffle: int | None = None,
    only: str | None = None,
    exercise: str | None = None,
) -> None:
    """Let pytest collect the suites of an assignment, and call `use` with them in its session.

    Args:
        visible_root: Checks in it or below it are visible.
        graded: False for a student's own run, which needs no hidden checks and no raw report.
        examples: Those of each exercise in a student's own run, which has no solution.
        shuffle: What another order of the checks is drawn from; None for the order of the suites.
        only: The id of the one check to run, with those that it needs; None for all.
        exercise: The exercise whose checks are run; None for all.

    Raises:
        CourseError: The suite could not be collected, or a check is broken.
        UsageError: Python leaves assertions out, or there is no check `only`.
        BaseException: Whatever `use` raises.
    """
    if sys.flags.optimize:
        raise UsageError(
            "Python leaves out assertions and docstrings, which checks are made of (-O or PYTHONOPTIMIZE).",
            "Run it without -O, and unset that variable.",
        )
    root = str(suites[0].parent) if len(suites) == 1 else os.path.commonpath(suites)
    arguments = ["--rootdir", root, "--confcutdir", root, "-c", str(INI), "--import-mode=importlib", "--tb=native"]
    arguments += [argument for name in UNUSED for argument in ("-p", f"no:{name}")]
    if graded:
        arguments += ["-p", "pytest_jsonreport.plugin", "--json-report", "--json-report-file=none"]
        arguments += ["--json-report-omit", "collectors", "keywords", "log", "streams", "traceback", "warnings"]
    else:
        arguments += ["--noconftest"]
    known, told, spoken = set(sys.modules), io.StringIO(), sys.stderr

    def use_session(session: pytest.Session) -> None:
        manifest, items = make_manifest(course.assignment, session.items, exercises, visible_root, graded=graded)
        items = items if only is None else only_with_needs(manifest, items, only)
        items = items if exercise is None else of_exercise(manifest, items, exercise)
        items = items if shuffle is None else shuffled(manifest, items, shuffle)
        raise_if_asked()
        with redirect_stderr(spoken):
            use(Suite(course, exercises, session, plugin, manifest, items))

    plugin = GradingPlugin(use_session, course, examples)
    try:
        with clean_environment(), redirect_stderr(told):
            pytest.main([*arguments, "--", *map(str, suites)], [plugin, fixtures])
    finally:
        forget_modules(known, root, suites)
    raise_if_asked()
    if plugin.error is not None:
        raise plugin.error
    if not plugin.was_used:
        words = " ".join(told.getvalue().split()) or "it gives no reason."
        raise CourseError(f"pytest could not start on the suite: {words}")


@contextmanager
def clean_environment() -> Iterator[None]:
    """Keep what a person set up for pytests of their own, such as PYTEST_ADDOPTS, out of this one."""
    before = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("PYTEST_")}
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    try:
        yield
    finally:
        del os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"]
        os.environ.update(before)


def forget_modules(known: set[str], root: str, suites: Sequence[Path]) -> None:
    """Take back the modules that collecting brought in; suites and helpers of the same names would be the old ones."""
    above = {folder for path in suites for folder in path.parents if folder.is_relative_to(root)}

    def is_theirs(folder: Path) -> bool:
        return folder in above or any(folder.is_relative_to(path) for path in suites)

    brought = []
    for name in set(sys.modules) - known:
        module = sys.modules[name]
        file = getattr(module, "__file__", None)
        folders = [*map(Path, getattr(module, "__path__", ())), *([Path(file).parent] if file else [])]
        if any(map(is_theirs, folders)):
            brought.append(name)
    for name in brought:  # a package without a file asks the one above it where it is
        del sys.modules[name]
