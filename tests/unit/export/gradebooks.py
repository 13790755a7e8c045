"""A class of hard names and gradebooks as platforms hand them out, to put its grades into."""

from pathlib import Path

import msgspec

from grader.export.grades import CLASS, ClassFiles, ClassGrades, read_grades
from grader.export.roster import Person

from ...support.reports.lms_reports import report_of, write_class

NAMES = {
    "alee": "Lee, Ann",
    "bfox": 'Fox, Ben "the"',
    "ckim": "김철수",
    "dmue": "Müßig; Jürgen",
    "eone": "O'Neil\nEve",
    "fbad": "Bad, Fritz",
    "gout": "Out, Gil",
}
GRADED = ["alee", "bfox", "ckim", "dmue", "eone"]
PEOPLE = [
    Person(
        name=name,
        ids={"login": login, "email": f"{login}@x.example", "sis_id": f"00{n}7", "canvas_id": f"10{n}",
             "participant": f"900{n}"},
    )
    for n, (login, name) in enumerate(NAMES.items())
]  # fmt: skip
TOP = "5.5"


def class_of(folder: Path) -> ClassGrades:
    """Write and read a class: five are graded, one could not be, one is on the roster alone, one on none."""
    graded = [report_of(login, {"shares.open": "failed"} if login == "bfox" else {}) for login in GRADED]
    write_class(folder, [*graded, report_of("fbad", problem="Not UTF-8."), report_of("stray")])
    (folder / CLASS).write_bytes(msgspec.json.encode({"class": ClassFiles(people=PEOPLE)}))
    return read_grades(folder)


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _table(rows: list[list[str]], separator: str, end: str) -> str:
    return end.join([*(separator.join(row) for row in rows), ""])


def canvas(separator: str = ",", end: str = "\r\n") -> str:
    rows = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Old (12)", "HW1 (4711)", "Current Score"]]
    rows.append(["    Points Possible", "", "", "", "", "10", TOP, "(read only)"])
    for person in PEOPLE:
        ids = person.ids
        rows.append([quoted(person.name), ids["canvas_id"], ids["sis_id"], ids["login"], "S1", "9.00", "", "88.1"])
    rows.append(['"Student, Test"', "999", "", "0a" * 20, "S1", "", "", ""])
    return _table(rows, separator, end)


def moodle_worksheet(separator: str = ",", end: str = "\n") -> str:
    rows = [["Identifier", "Full name", "Email address", "Status", "HW1", "Maximum Grade", "Grade can be changed",
             "Last modified (grade)", "Feedback comments"]]  # fmt: skip
    for person in PEOPLE:
        ids = person.ids
        row = [f'"Participant {ids["participant"]}"', quoted(person.name), ids["email"], "Submitted", "", "5.50", "Yes"]
        rows.append([*row, '"Sunday, 1 March 2026, 10:00 AM"', '"two\nlines"'])
    return _table(rows, separator, end)


def moodle_report(separator: str = ",", end: str = "\n") -> str:
    rows = [['"First name"', '"Last name"', '"ID number"', '"Email address"', '"Assignment: HW1 (Real)"', '"Total"']]
    rows += [[quoted(person.name), "X", person.ids["sis_id"], person.ids["email"], "-", "-"] for person in PEOPLE]
    return _table(rows, separator, end)


def brightspace(separator: str = ",", end: str = "\r\n") -> str:
    rows = [["OrgDefinedId", "Username", "HW1 Points Grade <Numeric MaxPoints:5.5 Weight:10>", "End-of-Line Indicator"]]
    rows += [[f"#{person.ids['sis_id']}", f"#{person.ids['login']}", "", "#"] for person in PEOPLE]
    return _table(rows, separator, end)


def blackboard(separator: str = "\t", end: str = "\r\n") -> str:
    heading = '"HW1 [Total Pts: 5.5 Score] |12345"'
    rows = [['"Last Name"', '"First Name"', '"Username"', '"Student ID"', heading, '"Total [Total Pts: 9 Score] |99"']]
    for person in PEOPLE:
        rows.append([quoted(person.name), '"X"', quoted(person.ids["login"]), quoted(person.ids["sis_id"]), '""', '""'])
    return _table(rows, separator, end)


BOOKS = {
    "canvas": (canvas, 6),
    "moodle worksheet": (moodle_worksheet, 4),
    "moodle report": (moodle_report, 4),
    "brightspace": (brightspace, 2),
    "blackboard": (blackboard, 4),
}
"""The gradebooks, and in which column each has the assignment."""
