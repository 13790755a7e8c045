"""What a new course, assignment or exercise may be called.

An exercise's name becomes a function, a file and a row in every report, so it must be Python's kind of name, in ASCII,
and must not be mistaken for another one. Two names that differ by one typing slip are refused.
"""

import keyword
import sys
from collections.abc import Iterable

from grader.course.layout import ASSIGNMENT_ID, Course
from grader.errors import UsageError
from grader.text import name_shown

IMPORTED = ("torch", "numpy", "einops", "pytest", "grader")
"""Modules that a student's file of the same name would hide."""
RESERVED = {"student", "reference", "draw", "golden", "checks", "exercise", "check", "solution", "mistake", "right"}
RESERVED |= {"helper", "torch", "nn", "math", "F"}
"""Names that mean something else in a source, a suite or a file of mistakes."""
MOST_NUMBERED = 99


def new_assignment_id(course: Course, name: str) -> str:
    """Return the id of a new assignment: its name behind the number after the last."""
    numbers = [int(assignment_id[:2]) for assignment_id in course.assignments]
    new = f"{max(numbers) + 1:02d}_{name}"
    if not name.isascii() or keyword.iskeyword(name) or ASSIGNMENT_ID.fullmatch(f"01_{name}") is None:
        hint = "Write small letters, digits and `_`, such as `averages`."
        hint = "Leave out the number; it is added." if ASSIGNMENT_ID.fullmatch(name) else hint
        raise UsageError(f"{name_shown(name)} cannot be the name of an assignment.", hint)
    if name in IMPORTED or name in sys.stdlib_module_names:
        problem = f"The students' file `{name}.py` would hide the module `{name}` from all their imports."
        raise UsageError(problem, "Choose another name.")
    if max(numbers) >= MOST_NUMBERED:
        raise UsageError(f"There is no number after {max(numbers)} for a new assignment.", hint="Renumber one.")
    _refuse_taken("assignment", name, [assignment.name for assignment in course.assignments.values()], "solutions/")
    return new


def check_exercise_name(course: Course, name: str) -> None:
    """Refuse a name that cannot be a new exercise's."""
    if not (name.isascii() and name.isidentifier() and name[0].isalpha()) or keyword.iskeyword(name):
        problem = f"{name_shown(name)} cannot be the name of a function or class in Python."
        raise UsageError(problem, "Write letters, digits and `_`, such as `mean_token`.")
    if name in RESERVED:
        raise UsageError(f"`{name}` means something else in a source or a suite.", hint="Choose another name.")
    for assignment in course.assignments.values():
        _refuse_taken("exercise", name, [other.id for other in assignment.exercises], assignment.id)


def _refuse_taken(kind: str, name: str, known: Iterable[str], place: str) -> None:
    for other in known:
        if other == name:
            raise UsageError(f"The {kind} `{name}` exists already, in {place}.", hint="Choose another name.")
        if other.casefold() == name.casefold() or one_slip_apart(name, other):
            problem = f"`{name}` would be taken for the {kind} `{other}`, which exists in {place}."
            raise UsageError(problem, "Choose a name that differs by more.")


def one_slip_apart(first: str, second: str) -> bool:
    """Tell whether two names differ by one letter that is missing, wrong or swapped with the next.

    Another digit is not a slip: `Attention_v1` and `Attention_v2` are meant.
    """
    short, long = sorted((first, second), key=len)
    if len(long) == len(short) + 1:
        return any(long[:i] + long[i + 1 :] == short and not long[i].isdigit() for i in range(len(long)))
    differing = [pair for pair in zip(short, long, strict=False) if pair[0] != pair[1]]
    if len(long) != len(short) or not 1 <= len(differing) <= 2:
        return False
    (a, b), (c, d) = differing[0], differing[-1]
    return (a, b) == (d, c) if len(differing) == 2 else not (a.isdigit() and b.isdigit())
