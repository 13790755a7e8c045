"""What the checks of one submission share, and which check is running.

The forked child of a grading session sets `active` once for its submission; `checking` is the check that is running.
The comparison library reads them to find the mistakes of the exercise and the device, so that a suite's lines stay as
short as what they ask.
"""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Protocol

from grader.suite.manifest import Check
from grader.suite.reference import Reference
from grader.workers.asking import Given
from grader.workers.policy import TextReading
from grader.workers.session import Session


class Mistake(Protocol):
    """A named wrong variant of an exercise, as a course's mistakes file declares it."""

    @property
    def name(self) -> str: ...
    @property
    def exercise(self) -> str: ...
    @property
    def hint(self) -> str: ...
    @property
    def ko(self) -> str: ...
    @property
    def make(self) -> Callable[..., Any]: ...


@dataclass
class CourseSide:
    """What one assignment brings to its checks; the same for every submission.

    Attributes:
        assignment: The assignment's id.
        module_name: The name that student code runs under.
        reference: The solution in float64, or None where it must not exist (a student's own run).
        mistakes: The named wrong variants by exercise.
        forbids: The groups of forbidden calls by exercise.
        figures: The notes' figures by id.
        secret: The key that inputs are drawn from.
        device: Where student code runs.
    """

    assignment: str
    module_name: str
    solution: ModuleType | None
    mistakes: dict[str, list[Mistake]]
    forbids: dict[str, list[str]]
    figures: dict[str, Any]
    secret: bytes
    device: str = "cpu"
    reference: Reference | None = field(init=False)

    def __post_init__(self) -> None:
        self.reference = None if self.solution is None else Reference(self.solution)


@dataclass
class CheckState:
    """One try of a check, from its first line to its last.

    Attributes:
        check: The check.
        seed: What its inputs are drawn from.
        earlier: What its calls had to give so far.
        inputs: What the exercise that is named was called with so far, where the answer was right.
        will_be_repeated: Whether the check is run once more on a fresh worker if it does not pass now, so that nobody
            will read why it did not.
    """

    check: Check | None = None
    seed: int = 0
    earlier: list[Any] = field(default_factory=list)
    inputs: list[tuple[str, Given]] = field(default_factory=list)
    will_be_repeated: bool = False


OUTSIDE = CheckState()
checking: ContextVar[CheckState] = ContextVar("checking", default=OUTSIDE)
"""The check that is running; each greenlet has its own, so checks that take turns do not see each other's."""


@dataclass
class Active:
    """The submission that is being graded in this process.

    Attributes:
        course: What the assignment brings.
        session: The submission's untrusted side.
        text: What the reading of its text came to.
        found_out: What checks found out about the student's code; a key of what holds for one worker names it.
    """

    course: CourseSide | None = None
    session: Session | None = None
    text: TextReading = field(default_factory=TextReading)
    found_out: dict[Any, Any] = field(default_factory=dict)

    def mistakes_of(self, exercise: str) -> list[Mistake]:
        """Return the known mistakes that may explain a failure; none where nobody will read the explanation."""
        if self.course is None or checking.get().will_be_repeated:
            return []
        return self.course.mistakes.get(exercise, [])

    def begin(self, session: Session) -> None:
        """Forget the submission before, and point at the next one."""
        self.session, self.text, self.found_out = session, TextReading(), {}
        checking.set(CheckState())


active = Active()


def device() -> str:
    """Return the device that student code runs on in this session."""
    return active.course.device if active.course else "cpu"
