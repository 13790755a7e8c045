"""The checks of an assignment as pytest collected them, and the way of a submission through them.

`Suite.grade` goes from visible checks to hidden ones. Of each kind it runs the bodies side by side first
(`paused_checks.py`). Then every item has its turn in pytest (`plugin.py`), which tries a check again where it did not
pass (`attempts.py`).
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec
import pytest

from grader.results.verdict import CheckVerdict, Visibility
from grader.suite.core.context import AssignmentContext, current_check
from grader.suite.core.manifest import ORDER, Check, Manifest
from grader.suite.diagnosis.call_text import call_text
from grader.suite.diagnosis.shown_calls import shown_calls

from . import shortcuts
from .attempts import Tries
from .outcomes import out_of_time_verdict
from .overtime import Overtime
from .paused_checks import Body, body_of, run_together
from .plugin import GRADE_ITEM, GradeItem
from .skipping import costs_points, may_still_run, reason_not_to_run, unmet_need
from .stages import leave_module, report_of_refusal
from .submission_run import BodyResult, Run


@dataclass
class Suite:
    """The checks of an assignment, ready for one submission after the other.

    Attributes:
        items: pytest's items in the order in which they run.
        checks: The checks by the id of their item.
        first_loss: Whether the checks of an exercise end at the first one that costs points.
        by_stem: The checks by their id without parameters.
    """

    course: AssignmentContext
    exercises: Sequence[str]
    pytest_session: pytest.Session
    manifest: Manifest
    items: list[pytest.Item]
    together: bool
    first_loss: bool = False
    checks: dict[str, Check] = field(init=False)
    by_stem: dict[str, list[Check]] = field(init=False)
    _makers: dict[str, dict[str, Callable[[], Any]]] = field(init=False)
    _bodies: dict[Visibility, list[tuple[Check, Body]]] = field(init=False)

    def __post_init__(self) -> None:
        self.checks = {check.node: check for check in self.manifest.checks}
        self.by_stem = {}
        for check in self.manifest.checks:
            self.by_stem.setdefault(check.stem, []).append(check)
        self._makers = {item.nodeid: shortcuts.own_fixtures(item) for item in self.items}
        self._bodies = {visibility: [] for visibility in ORDER}
        for item in self.items if self.together else ():
            check = self.checks[item.nodeid]
            paused = shortcuts.is_run_plainly(item) and not check.spec.alone
            body = body_of(item, self._makers[item.nodeid]) if paused else None
            if body is not None:
                self._bodies[check.visibility].append((check, body))

    def warm(self) -> None:
        """Work out what pytest and the figures would otherwise work out anew for every submission."""
        shortcuts.prepare(self.pytest_session, self.items)
        for figure in self.course.figures.values():
            if figure.kind != "unseeded":
                _ = (figure.value, figure.float32, figure.half_unit)

    def grade(self, run: Run, exercise: str | None = None) -> None:
        """Take a submission through its checks; `run.verdicts` has what came of them.

        Raises:
            GraderError: The suite or the machine is at fault.
        """
        items = [item for item in self.items if exercise in (None, self.checks[item.nodeid].spec.exercise)]
        grade_item: GradeItem = partial(self._grade_item, run)
        self.pytest_session.stash[GRADE_ITEM] = grade_item
        visibility: Visibility | None = None
        for item, following in zip(items, [*items[1:], None], strict=True):
            if visibility != self.checks[item.nodeid].visibility:
                visibility = self.checks[item.nodeid].visibility
                self._run_bodies(run, visibility, exercise)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)  # the plugin's: `_grade_item`

    def _run_bodies(self, run: Run, visibility: Visibility, exercise: str | None) -> None:
        """Run the checks of one visibility together, before the first of them has its turn.

        What the student's code prints in a visible check is shown to the student, so no input of a hidden check may
        have reached the process before then.
        """
        bodies = [
            (check, body)
            for check, body in self._bodies[visibility]
            if exercise in (None, check.spec.exercise)
            and may_still_run(run, check, self.by_stem)
            and not run.text.is_unwritten(check.spec.exercise)
        ]
        if bodies and not run.asks_alone and not run.deadline.is_over():
            run.retried_exercise = ""
            run_together(run, bodies)

    def _grade_item(self, run: Run, item: pytest.Item, nextitem: pytest.Item | None) -> list[pytest.TestReport]:
        """Run a check, or record why it is not run; returns pytest's reports of it."""
        check, started = self.checks[item.nodeid], time.monotonic()
        body_result = run.results.pop(check.id, None)
        refusal = reason_not_to_run(
            run, check, self.by_stem, has_passed=body_result is not None and body_result.error is None
        )
        if refusal is None:
            try:
                verdict, reports = self._run_check(run, check, body_result, item, nextitem)
                if check.spec.category == "policy" and verdict.status != "forbidden":
                    refusal = unmet_need(run, check, self.by_stem)  # any other was asked for it before
            except Overtime:
                refusal = out_of_time_verdict(check.id, "overtime", seconds=run.limits.submission_wall_s)
        if refusal is not None:
            verdict, reports = refusal, [report_of_refusal(item, refusal)]
            leave_module(item, nextitem)
        seconds = time.monotonic() - started + (body_result.seconds if body_result else 0.0)
        verdict = msgspec.structs.replace(verdict, duration_s=round(seconds, 6))
        run.verdicts[check.id] = verdict
        if self.first_loss and costs_points(check, verdict):
            run.lost.add(check.spec.exercise)
        run.on_verdict(verdict)
        for report in reports:
            details = report.__dict__.setdefault("_json_report_extra", {})
            details["metadata"] = {"check": check.id, "status": verdict.status}
        return reports

    def _run_check(
        self, run: Run, check: Check, body_result: BodyResult | None, item: pytest.Item, nextitem: pytest.Item | None
    ) -> tuple[CheckVerdict, list[pytest.TestReport]]:
        """Run a check, as often as it may be tried."""
        tries = Tries(run, check, item, nextitem, self._makers[item.nodeid])
        verdict, reports = tries.result(body_result)
        if verdict.status == "missing":
            run.missing.add(check.spec.exercise)
        run.hangs[check.spec.exercise] += verdict.status == "timeout"
        output, dropped = run.session.take_output()
        called = run.session.attempt.called
        if (compared := current_check.get().compared) is not None:
            run.shown[check.id] = shown_calls(run.session.attempt.calls or [], compared, run.course.solution)
        shown = called is not None and check.visibility == "visible" and verdict.status in ("failed", "error")
        return msgspec.structs.replace(
            verdict,
            output=output,
            call=call_text(*called) if shown else "",
            output_dropped=dropped,
            attempts=2 if tries.repeated and verdict.status == "passed" else 1,
            input_seed=f"{run.seed_of(check):032x}",
        ), reports
