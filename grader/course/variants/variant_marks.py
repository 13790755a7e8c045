"""The marks of a file of variants: `@mistake`, `@right` and `@helper`, and `solution` for the answer they build on.

A mark leaves its function or class as it is and only notes it, while a file of variants is read.
"""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from types import ModuleType
from typing import Any, Final, Literal, TypeVar

from grader.errors import CourseError
from grader.faults import did_you_mean

Thing = TypeVar("Thing")
Marks = Literal["slip", "library", "point", "trivial", "device"]
SHARES: Final[dict[Marks, tuple[Fraction, Fraction]]] = {
    "slip": (Fraction(25, 100), Fraction(60, 100)),
    "library": (Fraction(0), Fraction(30, 100)),
    "point": (Fraction(0), Fraction(85, 100)),
    "trivial": (Fraction(0), Fraction(0)),
    "device": (Fraction(90, 100), Fraction(95, 100)),
}
"""The least and the most that a mistake may earn of its exercise's points, by what kind of mistake it is said to be."""


@dataclass
class Register:
    """What the decorators note while a file of variants is run."""

    notes: list[dict[str, Any]] = field(default_factory=list)
    solution: ModuleType | None = None


register_here: ContextVar[Register | None] = ContextVar("register", default=None)


def mistake(
    *,
    hint: str = "",
    ko: str = "",
    marks: Marks | None = None,
) -> Callable[[Thing], Thing]:
    """Mark a function or class as a wrong answer that a student might write to the exercise of its file.

    Args:
        hint: A sentence that puts the student right without giving the answer.
        ko: The same in Korean; without it the English is read.
        marks: What it may earn, which `grader verify` asks for (`SHARES`): `slip` is an own answer with one plain slip,
            `library` one by a forbidden call, `point` one without something that the text names as its point, `trivial`
            one that looks at nothing, `device` one that is right on the CPU alone. None where it only has to lose
            points.
    """
    if marks is not None and marks not in SHARES:
        raise CourseError(f"A mistake has the unknown marks {marks!r}.", did_you_mean(str(marks), SHARES))
    return _note(kind="mistake", hint=hint, ko=ko or hint, why="", marks=marks)


def right(*, why: str = "") -> Callable[[Thing], Thing]:
    """Mark a function or class as a right answer to the exercise of its file, in another style than the solution's.

    Args:
        why: What is special about it.
    """
    return _note(kind="right", hint="", ko="", why=why, marks=None)


def helper(thing: Thing) -> Thing:
    """Mark a function or class that variants use; it travels with each that names it."""
    return thing


def _note(**values: Any) -> Callable[[Thing], Thing]:
    def keep(thing: Thing) -> Thing:
        register = register_here.get()
        if register is not None:
            register.notes.append({**values, "thing": thing})
        return thing

    return keep


class _Solution:
    """Stands for the solution's names while a file of variants is run, so that a class can derive from one."""

    def __getattr__(self, name: str) -> Any:
        register = register_here.get()
        if register is None or register.solution is None:
            raise AttributeError(f"`solution.{name}` can be used only in a file of variants that the grader reads")
        return getattr(register.solution, name)


solution: Any = _Solution()
