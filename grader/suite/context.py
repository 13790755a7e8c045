"""What the checks of one submission share, and which check is running.

The forked child of a grading session sets `active` once for its submission; the plugin points `check` at each check in
turn. The comparison library reads it to find the mistakes of the exercise and the device, so that a suite's lines stay
as short as what they ask.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Any, Protocol

from grader.course import variants
from grader.suite.manifest import Check
from grader.suite.memories import Memories
from grader.suite.reference import Reference
from grader.workers.asking import Given
from grader.workers.policy import TextReading
from grader.workers.session import Session

if TYPE_CHECKING:
    from grader.suite.judging import PutOff


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

    def made_mistakes(self) -> list[Callable[..., Any]]:
        """Return the known mistakes' functions and classes, which are run on a wrong answer."""
        return [mistake.make for each in self.mistakes.values() for mistake in each]

    def memories(self) -> Memories:
        """Return what the known mistakes remember now."""
        return Memories(self.made_mistakes(), variants.module_name(self.assignment))


@dataclass
class Active:
    """The submission and check that are being graded in this process.

    Attributes:
        course: What the assignment brings.
        seed: What the inputs of the running check are drawn from.
        session: The submission's untrusted side.
        text: What the reading of its text came to.
        check: The check that is running.
        earlier: What the calls of the running check had to give so far.
        inputs: What the exercise that is named was called with so far in the running check, where the answer was right.
        put_off: What the running check would judge, where it is run ahead of its turn.
        ahead: The frame that runs a check ahead of its turn; None where that is not done.
        look: Asked for what a check may change, where that has to be known of the moment at which judging is put off.
        will_be_repeated: Whether the check is run once more on a fresh worker if it does not pass now, so that nobody
            will read why it did not.
        found_out: What checks found out about the student's modules by experiment; a key names the worker, too.
    """

    course: CourseSide | None = None
    seed: int = 0
    session: Session | None = None
    text: TextReading = field(default_factory=TextReading)
    check: Check | None = None
    earlier: list[Any] = field(default_factory=list)
    inputs: list[tuple[str, Given]] = field(default_factory=list)
    put_off: "list[PutOff]" = field(default_factory=list)
    ahead: FrameType | None = None
    look: Callable[[], Any] | None = None
    will_be_repeated: bool = False
    found_out: dict[Any, Any] = field(default_factory=dict)

    def mistakes_of(self, exercise: str) -> list[Mistake]:
        """Return the known mistakes that may explain a failure; none where nobody will read the explanation."""
        if self.course is None or self.will_be_repeated:
            return []
        return self.course.mistakes.get(exercise, [])

    def begin(self, session: Session) -> None:
        """Forget the submission before, and point at the next one."""
        self.session, self.text, self.found_out = session, TextReading(), {}
        self.begin_check(None, 0)

    def begin_check(self, check: Check | None, seed: int) -> None:
        """Forget the check before, and point at the next one, or at the same once more."""
        self.check, self.seed, self.earlier, self.inputs, self.put_off = check, seed, [], [], []


active = Active()


def device() -> str:
    """Return the device that student code runs on in this session."""
    return active.course.device if active.course else "cpu"
