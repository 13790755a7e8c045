"""Has the first calls of all visible checks made together, and later those of all hidden ones.

Behind an exercise in which anything went wrong the next one begins on a fresh worker, and all that are left are asked
anew there; within such an exercise it is its own calls only. A check is run up to its first call. When its turn comes,
pytest runs it as a whole, with the answer at hand; one that only judges the answer (`judging.py`) was run to its end,
so judging is all that is left. An answer that came this way can only pass a check: whatever else comes of it, the check
asks by itself. The solution shows which checks take part: those that ask once, ask the same when they are begun again,
leave nothing behind, and find it right when they judge at the end. What a check does without an answer cannot depend on
the student. A check that asks something else the second time after all, or a submission whose calls do not all come
back in a moment, is graded as if none of this had been; so is an exercise that is a stub by its text, since the checks
that need the first one are not run at all then.
"""

import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from _pytest.fixtures import FixtureDef

from grader.inside.fresh import reset
from grader.suite.context import CourseSide, active
from grader.suite.manifest import Check
from grader.suite.run import Ahead, Group, Run
from grader.suite.surroundings import surroundings
from grader.suite.unchanged import Unchanged
from grader.workers.prefetch import FirstCalls, Request, alike
from grader.workers.session import Session

Maker = Callable[[], Any]
Body = Callable[[], None]
FEWEST = 2  # calls that go together


@dataclass(frozen=True)
class Question:
    """What a check asks first.

    Attributes:
        requests: As they would be sent.
        judge: Asks it again and judges the answer; None where the check does more with the answer than that.
        seen: What was to be seen when the judging was put off; None where nobody asked.
    """

    requests: list[Request]
    judge: Callable[[], Any] | None = None
    seen: Any = None

    def asks_as(self, other: "Question") -> bool:
        """Tell whether two questions ask the same, to the byte."""
        return alike(self.requests, other.requests)

    def stays_so(self, session: Session, before: Any) -> bool:
        """Tell whether judging asks the same when the check has come to its end, where all is as it was `before`."""
        if self.judge is None:
            return True
        again = first_calls(session, self.judge)
        return self.seen == before and again is not None and self.asks_as(again)


class Prefetch:
    """The checks of a suite whose first calls may be made ahead.

    Args:
        items: The suite's items, in the order in which they run.
        checks: The check of each, by pytest's id.
        ready: How to make the fixtures of each that need no pytest, by pytest's id.

    Attributes:
        chosen: The ids of the checks that take part; empty until the solution was graded.
    """

    def __init__(
        self, items: Iterable[pytest.Item], checks: Mapping[str, Check], ready: Mapping[str, Mapping[str, Maker]]
    ) -> None:
        self.chosen: frozenset[str] = frozenset()
        self._bodies: dict[str, list[tuple[Check, Body]]] = {}
        for item in items:
            check, body = checks[item.nodeid], body_of(item, ready[item.nodeid])
            if body is not None:
                self._bodies.setdefault(check.visibility, []).append((check, body))

    def harmless(self, run: Run, course: CourseSide, unchanged: Unchanged) -> list[str]:
        """Return the checks that may take part, after the solution was graded in this process.

        Args:
            run: The solution.
            course: What the assignment brings to its checks.
            unchanged: What the course's modules held before.
        """
        found: dict[str, tuple[Check, Question]] = {}
        active.session, active.look = run.session, surroundings
        reset()
        before = surroundings()
        for check, body in (each for bodies in self._bodies.values() for each in bodies):
            if check.id not in run.ask_once:
                continue
            first, again = (self._first_calls(run, course, check, body) for _ in range(2))
            if surroundings() != before:
                reset()
            elif first and again and first.asks_as(again) and again.stays_so(run.session, before):
                found[check.id] = check, again
        active.look = None
        harmless = found.keys() - self._misjudged(run, course, found)
        return sorted(harmless) if unchanged.holds() else []  # who keeps something may have been begun by another check

    @staticmethod
    def _misjudged(run: Run, course: CourseSide, found: Mapping[str, tuple[Check, Question]]) -> set[str]:
        """Return the checks that find the solution wrong when they judge at their turn.

        What they hold an answer against was changed in between, so it would say nothing of a wrong answer either.
        """
        judging = {name: (check, each) for name, (check, each) in found.items() if each.judge is not None}
        answers = run.session.prefetch([each.requests for _, each in judging.values()], run.finish) if judging else []
        misjudged = set()
        at_hand = {} if answers is None else dict(zip(judging, answers, strict=True))
        for name, (check, each) in judging.items():
            active.begin_check(check, run.seed_of(course, check.id))
            run.session.begin_check(run.finish, at_hand[name].taken_up() if name in at_hand else None)
            if not comes_to_its_end(each.judge):
                misjudged.add(name)
        run.session.close()
        return misjudged

    @staticmethod
    def _first_calls(run: Run, course: CourseSide, check: Check, body: Body) -> Question | None:
        active.begin_check(check, run.seed_of(course, check.id))
        return first_calls(run.session, body)

    def _may_be_asked(self, run: Run, check: Check) -> bool:
        known = check.id in run.verdicts or check.id in run.prefetched
        return check.id in self.chosen and not known and not active.text.is_unwritten(check.spec.exercise)

    def enter(self, run: Run, current: Check, course: CourseSide) -> None:
        """Have the first calls made of the checks that go with one, and keep the answers with the submission.

        Args:
            run: The submission.
            current: The check that is to run now; nothing is done unless it is the first one of its group.
            course: What the assignment brings to the checks.
        """
        group = group_of(current, run)
        if run.asks_singly or run.group == group or active.text.is_unwritten(current.spec.exercise):
            return
        run.group, active.session = group, run.session
        questions: dict[str, Question] = {}
        for check, body in self._bodies.get(current.visibility, []):
            if group[0] in ("", check.spec.exercise) and self._may_be_asked(run, check):
                asked = self._first_calls(run, course, check, body)
                if asked:
                    questions[check.id] = asked
        if len(questions) < FEWEST:
            return
        started = time.monotonic()
        found = run.session.prefetch([each.requests for each in questions.values()], run.finish)
        if found is None:
            run.asks_singly = True
            run.finish.put_off(time.monotonic() - started)  # the time was lost to this kit's own curiosity
        else:
            for (name, question), answers in zip(questions.items(), found, strict=True):
                run.prefetched[name] = Ahead(answers, question.judge)


def group_of(check: Check, run: Run) -> Group:
    """Return what checks have in common whose calls may go together.

    What the student's code prints in a visible check is shown to the student, so no input of a hidden one may have
    been in its process by then.
    """
    return check.spec.exercise if run.suspect else "", check.visibility


def first_calls(session: Session, body: Body) -> Question | None:
    """Run a check as far as it goes without an answer; returns what it asks, None where it does not ask once."""
    session.stops_at_calls, active.ahead = True, sys._getframe()
    try:
        body()
    except FirstCalls as stop:
        return Question(stop.requests)
    except (KeyboardInterrupt, pytest.exit.Exception):
        raise
    except BaseException:  # whatever it is, it comes again when the check is run as a whole
        return None
    finally:
        session.stops_at_calls, active.ahead = False, None
    if len(active.put_off) != 1:
        return None
    (only,) = active.put_off
    return Question(only.stop.requests, only.judge, only.seen)


def comes_to_its_end(judge: Callable[[], Any] | None) -> bool:
    """Judge an answer and tell whether it was found right."""
    try:
        if judge is not None:
            judge()
    except (KeyboardInterrupt, pytest.exit.Exception):
        raise
    except BaseException:  # whatever it is, the check would not have passed
        return False
    return True


def body_of(item: pytest.Item, ready: Mapping[str, Maker]) -> Body | None:
    """Return what runs a check without pytest.

    Args:
        item: The check.
        ready: How to make the fixtures that need no pytest.

    Returns:
        None where the check needs more than these and its parameters.
    """
    if not isinstance(item, pytest.Function) or item.cls is not None:
        return None
    parameters = dict(item.callspec.params) if hasattr(item, "callspec") else {}
    info = item._fixtureinfo
    given = {name for name in parameters if all(map(is_parameter, info.name2fixturedefs.get(name, ())))}
    if not set(info.names_closure) <= {*ready, *given}:
        return None
    function, names = item.obj, info.argnames

    def body() -> None:
        function(**{name: ready[name]() if name in ready else parameters[name] for name in names})

    return body


def is_parameter(fixture: FixtureDef[Any]) -> bool:
    """Tell whether a fixture is what pytest makes of a parameter, and no fixture that is given one."""
    return fixture.func.__module__ == "_pytest.python"
