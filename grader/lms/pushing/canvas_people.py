"""Finds the students of a roster among those of a course in Canvas."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from grader.errors import UsageError
from grader.export.roster import Person
from grader.text import name_shown

IDENTITIES: Final = (("canvas_id", "id"), ("sis_id", "sis_user_id"), ("login", "login_id"))  # in the order of weight
NOTHING_SENT = "Put the roster right; nothing was sent."


def find_people(users: Sequence[Any], people: Mapping[str, Person]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Return the user of each student who was found, and a reason for each who was not.

    The first identity that the roster gives of a student decides. Where Canvas shows another one that differs, the
    rows of the roster may have slipped against each other, so no identity is trusted.

    Args:
        users: The students of the course, as canvasapi returns them.
        people: The roster's identities, by student.

    Raises:
        UsageError: The identities of one student are those of two.
    """
    unique = {identity(user, "id"): user for user in users}.values()
    index = {field: _by_value((identity(user, field), user) for user in unique) for _, field in IDENTITIES}
    found: dict[str, Any] = {}
    left_out: list[tuple[str, str]] = []
    for student, person in people.items():
        user, why = _look_for(person, index)
        if user is None:
            left_out.append((student, why))
        else:
            _refuse_contradiction(student, person, user)
            found[student] = user
    owners = _by_value((identity(user, "id"), student) for student, user in found.items())
    for students in owners.values():
        for student in students if len(students) > 1 else ():
            other = next(each for each in students if each != student)
            left_out.append((student, f"is also {name_shown(other)}: the same student in Canvas."))
            del found[student]
    return found, left_out


def _look_for(person: Person, index: Mapping[str, Mapping[str, list[Any]]]) -> tuple[Any | None, str]:
    """Return a user, or None and the reason."""
    for name, field in IDENTITIES:
        value = _identity_of(person, name)
        if not value:
            continue
        users = index[field].get(value, [])
        if len(users) == 1:
            return users[0], ""
        if users:
            return None, f"two students of the course have the {name} {name_shown(value)}."
        if index["id"] and not index[field]:
            return None, f"Canvas shows no {name} to the owner of this token; use another identity or token."
        return None, f"no student of the course in Canvas has the {name} {name_shown(value)}."
    return None, "the roster gives neither canvas_id nor sis_id nor login."


def _refuse_contradiction(student: str, person: Person, user: Any) -> None:
    for name, field in IDENTITIES:
        ours, theirs = _identity_of(person, name), identity(user, field)
        if ours and theirs and ours.casefold() != theirs.casefold():
            raise UsageError(
                f"Who {name_shown(student)} is in Canvas was looked for.",
                f"The roster gives the {name} {name_shown(ours)}, and Canvas has {name_shown(theirs)} for the "
                "student whom the row's first identity names.",
                NOTHING_SENT,
            )


def _identity_of(person: Person, name: str) -> str:
    """Return an identity of the roster; the institution's number may be called by either name."""
    return person.ids.get(name) or (person.ids.get("number", "") if name == "sis_id" else "")


def identity(user: Any, field: str) -> str:
    """Return an identity of a user as text; empty where Canvas does not show it."""
    value = getattr(user, field, None)
    return "" if value is None else str(value)


def called(user: Any) -> str:
    """Return how Canvas calls a user, for a person who compares."""
    return f"{name_shown(getattr(user, 'name', None) or '?')} {identity(user, 'id')}"


def _by_value(pairs: Iterable[tuple[str, Any]]) -> dict[str, list[Any]]:
    found: defaultdict[str, list[Any]] = defaultdict(list)
    for value, thing in pairs:
        if value:
            found[value].append(thing)
    return found
