"""Has pytest collect the suite of an assignment, with only the plugins that a grading run needs."""

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from grader.errors import CourseError, UsageError
from grader.faults import fault
from grader.suite.core.context import AssignmentContext, current_check
from grader.suite.core.course_faults import fault_in
from grader.suite.core.exercise_decorator import CheckSpec, exercise, spec_of
from grader.suite.core.manifest import Check, checks_of
from grader.suite.examples.checks import example_items
from grader.suite.examples.make import make_examples
from grader.suite.examples.model import ExerciseExamples
from grader.suite.library import fixtures
from grader.suite.rules.items import rule_items
from grader.system.stopping import raise_if_asked

INI = Path(__file__).resolve().parent / "suite.ini"


@dataclass(eq=False)  # pytest's plugins are told apart by what they are
class Collection:
    """Has pytest collect the checks of an assignment, as a plugin of it.

    Attributes:
        hidden: None for a student's own run, which needs no hidden checks and no raw report.
        use: Called with the checks, in the order of a report, in pytest's session.
        examples: Those of each exercise in a student's own run; None to make them of contracts and the solution.
    """

    course: AssignmentContext
    visible: Path
    hidden: Path | None
    use: Callable[[list[Check]], None]
    examples: Mapping[str, ExerciseExamples] | None = None
    _error: BaseException | None = None
    _marked: list[tuple[CheckSpec, Any]] = field(default_factory=list)

    def run(self) -> None:
        """Collect, and hand the checks on.

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
        suites, options = [self.visible], ["--noconftest"]
        if self.hidden is not None:
            suites.append(self.hidden)
            options = ["-p", "pytest_jsonreport.plugin", "--json-report", "--json-report-file=none"]
            options += ["--json-report-omit", "collectors", "keywords", "log", "streams", "traceback", "warnings"]
        root = os.path.commonpath([suite.parent for suite in suites])
        options += ["--rootdir", root, "--confcutdir", root, "-c", str(INI), "--", *map(str, suites)]
        known = set(sys.modules)
        try:
            with pytest.MonkeyPatch.context() as patched:
                for name in [name for name in os.environ if name.startswith("PYTEST_")]:  # of a person's own tests
                    patched.delenv(name)
                patched.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
                patched.setenv("PY_COLORS", "0")
                code = pytest.main(options, [self, fixtures])
        finally:
            forget_modules(known, root)
        raise_if_asked()
        if self._error is not None:
            raise self._error
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED):
            raise CourseError(f"pytest could not start on the suite in {root}.", "It says above which file to mend.")

    # -- what pytest asks --------------------------------------------------------------------------------------------

    def pytest_pycollect_makeitem(self, collector: pytest.Collector, obj: object) -> list[pytest.Item] | None:
        if not isinstance(obj, exercise):
            return None
        self._marked += obj.marked
        items: list[pytest.Item] = []
        known = None if self.examples is None else self.examples.get(obj.name)
        if obj.declared is not None:
            items = rule_items(collector, obj.name, obj.declared, self.course.forbids.get(obj.name, []))
            if self.course.solution is not None:
                known = make_examples(obj.name, obj.declared, self.course.solution)
        if known is not None and known.examples:
            items += example_items(collector, obj.name, known, graded=self.examples is None)
        return items or None

    def pytest_exception_interact(self, node: pytest.Collector | pytest.Item, call: pytest.CallInfo[None]) -> None:
        """Note why a suite could not be collected; this is asked when a check fails, too."""
        if isinstance(node, pytest.Collector) and call.excinfo is not None and self._error is None:
            error = call.excinfo.value
            wraps = isinstance(error, pytest.Collector.CollectError)  # pytest's own, around an ImportError
            self._error = fault_in(node.path, (error.__cause__ if wraps else None) or error, "it could not be read:")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if self._error is None:
            try:
                graded, course = self.hidden is not None, self.course
                require_all_collected(self._marked, session.items)
                self.use(checks_of(course.assignment, session.items, course.exercises, self.visible, graded=graded))
            except BaseException as error:  # pytest would tell of it in its own way
                self._error = error
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Only call what no suite writes out: without fixtures and marks, nothing is to be set up or taken down."""
        spec, hook = spec_of(getattr(item, "function", None)), item.config.hook
        if spec is None or not spec.is_rule:
            return None
        call = pytest.CallInfo.from_call(item.runtest, "call", KeyboardInterrupt)
        hook.pytest_runtest_logreport(report=hook.pytest_runtest_makereport(item=item, call=call))
        return True

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_call(self) -> None:
        if (session := current_check.get().session) is not None:
            session.do_what_was_told()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> None:
        current_check.get().stages.append(call)


def require_all_collected(marked: Iterable[tuple[CheckSpec, Any]], items: Iterable[pytest.Item]) -> None:
    """Refuse a check that pytest passes over: of another name, in a class, or with another one of its name below it."""
    collected = {id(spec_of(getattr(item, "function", None))) for item in items}
    for spec, function in marked:
        if id(spec) not in collected:
            code = getattr(function, "__code__", None)
            problem = f"pytest does not find the check `{function.__name__}` of {spec.exercise}."
            hint = "Give it a name of its own that begins with test_, outside of classes."
            if code is None:
                raise CourseError(problem, hint)
            raise fault(Path(code.co_filename), code.co_firstlineno, problem, hint)


def forget_modules(known: set[str], root: str) -> None:
    """Take back the modules that collecting brought in; suites and helpers of the same names would be the old ones."""
    # A package without a file asks the one above it where it is, so that one goes later.
    for name in sorted(set(sys.modules) - known, reverse=True):
        module = sys.modules[name]
        places = [*getattr(module, "__path__", ()), getattr(module, "__file__", None) or ""]
        if any(Path(place).is_relative_to(root) for place in places):
            del sys.modules[name]
