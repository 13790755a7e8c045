"""Plans a push: which score of a class Canvas is to have for whom, and who cannot be matched.

Nobody is matched by name. Where Canvas shows another identity of a student than the roster, the roster's columns may
have slipped against each other, so nothing is sent at all; but students change their e-mail addresses themselves.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

import msgspec

from grader.errors import UsageError
from grader.results.grades import Grade
from grader.text import name_shown

IDENTITIES = ("canvas_id", "sis_id", "login", "email")  # the first that roster and Canvas both have decides
TOLERANCE = Decimal("0.01")  # Canvas keeps two decimal places


class Student(msgspec.Struct, frozen=True):
    """A student of the course in Canvas.

    Attributes:
        ids: The identities that Canvas shows, by kind; `canvas_id` is always one.
        score: What the student has in the assignment, before Canvas takes anything off for lateness; None for nothing.
    """

    name: str
    ids: dict[str, str]
    score: Decimal | None = None
    excused: bool = False


class Change(msgspec.Struct, frozen=True):
    """A score that the student of a folder is to have in Canvas."""

    folder: str
    student: Student
    score: Decimal


class Plan(msgspec.Struct):
    """What a push would do: the changes, and by their folders who gets nothing sent, with the reason."""

    changes: list[Change] = []
    unchanged: int = 0
    left_out: dict[str, str] = {}
    missing: list[str] = []  # who handed nothing in; what Canvas has for them stays


def plan_of(grades: Sequence[Grade], students: Iterable[Student]) -> Plan:
    """Return what would be sent; a UsageError says where the roster contradicts what Canvas shows of a student."""
    known: defaultdict[str, dict[str, list[Student]]] = defaultdict(dict)
    for student in students:
        for kind, identity in student.ids.items():
            known[kind].setdefault(identity.casefold(), []).append(student)
    plan, matched = Plan(), list[Change]()
    for grade in grades:
        if grade.points is None and grade.status == "missing":
            plan.missing.append(grade.student)
        elif grade.points is None:
            plan.left_out[grade.student] = f"was not graded: {grade.problem or 'the report says why.'}"
        elif isinstance(match := _match(grade, known), Student):
            matched.append(Change(grade.student, match, grade.points))
        else:
            plan.left_out[grade.student] = match
    folders = Counter(change.student.ids["canvas_id"] for change in matched)
    for change in matched:
        if folders[change.student.ids["canvas_id"]] > 1:
            plan.left_out[change.folder] = "is the same student in Canvas as another folder."
        elif change.student.excused:
            plan.left_out[change.folder] = "is excused in Canvas; take that back there first."
        elif change.student.score is None or abs(change.student.score - change.score) >= TOLERANCE:
            plan.changes.append(change)
        else:
            plan.unchanged += 1
    return plan


def _match(grade: Grade, known: Mapping[str, Mapping[str, Sequence[Student]]]) -> Student | str:
    """Return who somebody is in Canvas, or why that is not known."""
    given = {kind: grade.ids[kind] for kind in IDENTITIES if grade.ids.get(kind)}
    kind = next((kind for kind in given if kind in known), None)
    if kind is None:
        return f"has none of {', '.join(IDENTITIES)} in the roster that Canvas shows to the token's owner."
    students = known[kind].get(given[kind].casefold(), ())
    if len(students) != 1:
        return f"is {'several students' if students else 'nobody'} in Canvas by the {kind} {name_shown(given[kind])}."
    for other, ours in given.items():
        theirs = students[0].ids.get(other, ours)
        if theirs.casefold() != ours.casefold() and other != "email":
            raise UsageError(
                f"The roster gives {name_shown(grade.student)} the {other} {name_shown(ours)}, but Canvas has "
                f"{name_shown(theirs)} for the student with the {kind} {name_shown(given[kind])}.",
                hint="Put the roster right and grade again; nothing was sent.",
            )
    return students[0]
