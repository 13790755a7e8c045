"""A roster to fill in: a line for each student of a reports folder, with empty identities."""

from .formats import Choice, Filled
from .reports import ClassReports
from .roster import Identity, roster_csv


def export(reports: ClassReports, choice: Choice) -> Filled:
    """Return the roster."""
    people = [Identity(student=student) for student in reports.students]
    return Filled(roster_csv(people), len(people), unit="student")
