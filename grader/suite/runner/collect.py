"""Has pytest collect the suite of an assignment, with only the plugins that a grading run needs."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.errors import CourseError, UsageError
from grader.suite.core import fixtures
from grader.suite.core.context import AssignmentContext
from grader.suite.core.course_faults import fault_in
from grader.suite.core.exercise_decorator import exercise
from grader.suite.core.manifest import Check, checks_of, in_order
from grader.suite.examples.checks import example_items
from grader.suite.examples.make import make_examples
from grader.suite.examples.model import ExerciseExamples
from grader.suite.rules.items import rule_items
from grader.system.stopping import raise_if_asked

INI = Path(__file__).resolve().parent / "suite.ini"


@dataclass
class Suite:
    """The checks of an assignment as pytest collected them, ready for one submission after the other.

    Attributes:
        checks: All of them in the order of a report.
        order: Those that are run, in the order in which they are: the visible ones, then the hidden ones. What the
            student's code prints in a visible check is shown to the student, so no input of a hidden check may have
            reached its process before.
    """

    course: AssignmentContext
    exercises: Sequence[str]
    pytest_session: pytest.Session
    checks: list[Check]
    order: list[Check]


def collect(
    course: AssignmentContext,
    exercises: Sequence[str],
    visible: Path,
    hidden: Path | None,
    use: Callable[[Suite], None],
    examples: Mapping[str, ExerciseExamples] | None = None,
) -> None:
    """Let pytest collect the suite of an assignment, and call `use` with it in pytest's session.

    Args:
        hidden: None for a student's own run, which needs no hidden checks and no raw report.
        examples: Those of each exercise in a student's own run; None to make them of contracts and the solution.

    Raises:
        CourseError: The suite could not be collected, or a check is broken.
        UsageError: Python leaves assertions out.
        BaseException: Whatever `use` raises.
    """
    if sys.flags.optimize:
        raise UsageError(
            "Python leaves out assertions and docstrings, which checks are made of (-O or PYTHONOPTIMIZE).",
            "Run it without -O, and unset that variable.",
        )
    suites = [visible] if hidden is None else [visible, hidden]
    root = os.path.commonpath([suite.parent for suite in suites])
    arguments = ["--rootdir", root, "--confcutdir", root, "-c", str(INI)]
    if hidden is not None:
        arguments += ["-p", "pytest_jsonreport.plugin", "--json-report", "--json-report-file=none"]
        arguments += ["--json-report-omit", "collectors", "keywords", "log", "streams", "traceback", "warnings"]
    else:
        arguments += ["--noconftest"]
    known = set(sys.modules)

    def use_session(session: pytest.Session) -> None:
        checks = checks_of(course.assignment, session.items, exercises, visible, graded=hidden is not None)
        use(Suite(course, exercises, session, checks, in_order(checks)))

    plugin = CollectingPlugin(use_session, course, examples)
    try:
        with pytest.MonkeyPatch.context() as patched:
            for name in [name for name in os.environ if name.startswith("PYTEST_")]:  # of a person's own tests
                patched.delenv(name)
            patched.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
            code = pytest.main([*arguments, "--", *map(str, suites)], [plugin, fixtures])
    finally:
        forget_modules(known, root)
    raise_if_asked()
    if plugin.error is not None:
        raise plugin.error
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise CourseError(f"pytest could not start on the suite in {root}.", "It says above which file to mend.")


@dataclass(eq=False)  # pytest's plugins are told apart by what they are
class CollectingPlugin:
    """Takes part in collecting the suite.

    Attributes:
        use: Called with the session once everything is collected; what it raises is kept in `error`.
        course: What the assignment brings to its checks.
        given: The examples in a student's own run.
    """

    use: Callable[[pytest.Session], None]
    course: AssignmentContext
    given: Mapping[str, ExerciseExamples] | None
    error: BaseException | None = None

    def pytest_pycollect_makeitem(self, collector: pytest.Collector, obj: object) -> list[pytest.Item] | None:
        if not isinstance(obj, exercise):
            return None
        items: list[pytest.Item] = []
        known = None if self.given is None else self.given.get(obj.name)
        if obj.declared is not None:
            items = rule_items(collector, obj, self.course.forbids.get(obj.name, []))
            if self.course.solution is not None:
                known = make_examples(obj.name, obj.declared, self.course.solution)
        if known is not None and known.examples:
            items += example_items(collector, obj.name, known, graded=self.given is None)
        return items or None

    def pytest_exception_interact(
        self, node: pytest.Collector, call: pytest.CallInfo[None], report: pytest.CollectReport | pytest.TestReport
    ) -> None:
        """Note why a suite could not be collected; this is asked when a check fails, too."""
        if isinstance(report, pytest.CollectReport) and call.excinfo is not None and self.error is None:
            error = call.excinfo.value
            wraps = isinstance(error, pytest.Collector.CollectError)  # pytest's own, around an ImportError
            self.error = fault_in(node.path, (error.__cause__ if wraps else None) or error, "it could not be read:")

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> bool:
        self.error = self.error or CourseError(f"pytest stopped: {excinfo.typename}: {excinfo.value}.")
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if self.error is None:
            try:
                self.use(session)
            except BaseException as error:  # pytest would tell of it in its own way
                self.error = error
        return True


def forget_modules(known: set[str], root: str) -> None:
    """Take back the modules that collecting brought in; suites and helpers of the same names would be the old ones."""
    # A package without a file asks the one above it where it is, so that one goes later.
    for name in sorted(set(sys.modules) - known, reverse=True):
        module = sys.modules[name]
        places = [*getattr(module, "__path__", ()), getattr(module, "__file__", None) or ""]
        if any(Path(place).is_relative_to(root) for place in places):
            del sys.modules[name]
