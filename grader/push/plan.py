"""Plans a push: which score of a class Canvas is to have for whom, and who cannot be matched.

Whose a score is, is found as in a table of Canvas; nobody is matched by name. Where the roster has another identity
than Canvas, its columns may have slipped against each other, so nothing is sent for that student; but students change
their e-mail addresses themselves.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from decimal import Decimal

import msgspec

from grader.export.grades import people_of
from grader.export.roster import Person
from grader.results.grades import Grade
from grader.text import listed, name_shown

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


def plan_of(grades: Sequence[Grade], students: Iterable[Student]) -> Plan:
    plan, people = Plan(), people_of(grades, [])
    theirs = defaultdict[str, list[Student]](list)
    shared = set[str]()
    for student in students:
        row = Person(name=student.name, ids=student.ids)
        folders = {grades[place].student for place in people.find_row(row)}
        shared |= folders if len(folders) > 1 else set()
        for folder in folders:
            theirs[folder].append(student)
    for grade in grades:
        if grade.points is None and grade.status == "missing":
            continue  # what Canvas has stays
        if grade.points is None:
            plan.left_out[grade.student] = f"was not graded: {grade.why_none}"
        elif why := _why_not(grade, theirs[grade.student], shared):
            plan.left_out[grade.student] = why
        else:
            (student,) = theirs[grade.student]
            if student.score is None or abs(student.score - grade.points) >= TOLERANCE:
                plan.changes.append(Change(grade.student, student, grade.points))
            else:
                plan.unchanged += 1
    return plan


def _why_not(grade: Grade, students: Sequence[Student], shared: Collection[str]) -> str:
    """Return why nothing is sent of somebody with points; empty where it is."""
    if len(students) != 1:
        ids = listed([f"{kind} {name_shown(text)}" for kind, text in grade.ids.items()]) or "the name of the folder"
        return f"is {'several students' if students else 'nobody'} in Canvas by {ids}."
    if grade.student in shared:
        return "is the same student in Canvas as another folder."
    theirs = students[0].ids
    for kind, ours in grade.ids.items():
        if kind != "email" and theirs.get(kind, ours).casefold() != ours.casefold():
            return f"has the {kind} {name_shown(ours)} in the roster, but {name_shown(theirs[kind])} in Canvas."
    return "is excused in Canvas; take that back there first." if students[0].excused else ""
