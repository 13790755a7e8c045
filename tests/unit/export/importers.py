"""Importers that keep the rules of the platforms' own, to read back what an export wrote.

They were written from what the platforms' sources and documentation say their importers do, traps included: Canvas
makes a new assignment of a heading that it does not know, Moodle ends a whole import at one bad row and gives a row
without a user to the user before, Brightspace cuts at the maximum, Blackboard makes a column of text.
"""

import csv
import io
import re
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal


class Refused(Exception):
    """The platform takes nothing of the file."""


# --- Canvas ---------------------------------------------------------------------------------------------------------


@dataclass
class CanvasCourse:
    """A course of Canvas: its students by id with name, SIS user id and login, its assignments by id with their title.

    Attributes:
        grades: What the course has, by assignment and user.
        new_students: Names that the last import would enrol anew.
        new_assignments: Headings that the last import would make assignments of.
    """

    students: dict[int, tuple[str, str, str]]
    assignments: dict[int, str]
    grades: dict[tuple[int, int], str] = field(default_factory=dict)
    new_students: list[str] = field(default_factory=list)
    new_assignments: list[str] = field(default_factory=list)

    def upload(self, data: bytes) -> None:
        """Import a gradebook."""
        text = data.decode("utf-8-sig")
        separator = self._separator(text)
        rows = [
            [self._normal(cell) for cell in row]
            for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
            if row and not re.fullmatch(r"[;, ]+", separator.join(row))
        ]
        columns, sis, login, first = self._header(rows[0])
        for row in rows[1:]:
            if "Points Possible" in row[0]:
                continue
            if all(re.fullmatch(r"\s*(Muted|Manual Posting.*)?\s*", cell, re.IGNORECASE) for cell in row):
                continue
            user = self._student(row, sis, login, first)
            for assignment, column in columns.items():
                self._enter(assignment, user, row[column].strip() if column < len(row) else "")

    def _enter(self, assignment: int, user: int | None, grade: str) -> None:
        if user is None or grade in ("", "-"):
            return
        old = self.grades.get((assignment, user), "")
        numbers = all(re.fullmatch(r"[\d.]+", text) for text in (old, grade))
        if not numbers or round(Decimal(old), 2) != round(Decimal(grade), 2):
            self.grades[assignment, user] = grade

    @staticmethod
    def _separator(text: str) -> str:
        lines = text.splitlines(keepends=True)[:3]
        counts = {}
        for sign in (";", ","):
            found = {len(next(csv.reader([line], delimiter=sign), [])) for line in lines}
            counts[sign] = found.pop() if len(found) == 1 else 0
        return ";" if counts[";"] > counts[","] else ","

    @staticmethod
    def _normal(cell: str) -> str:
        if not re.fullmatch(r"-?[0-9.,]+%?", cell):
            return cell
        *parts, last = re.split(r"[,.]", cell)
        return f"{''.join(parts)}.{last}" if parts else last

    def _header(self, row: list[str]) -> tuple[dict[int, int], int | None, int | None, int]:
        if len(row) > 4 and row[0] == "LastName" and row[1] == "FirstName" and "ID" in row[2]:
            names = 4
        elif len(row) > 3 and "Student" in row[0] and "ID" in row[1]:
            names = 3
        else:
            raise Refused("Invalid header row")
        count, sis, login = names, None, None
        if re.search(r"SIS\s+Login\s+ID", row[names - 1]):
            login, count = names - 1, names + 1
        elif re.search(r"SIS\s+User\s+ID", row[names - 1]) and re.search(r"SIS\s+Login\s+ID", row[names]):
            sis, login, count = names - 1, names, names + 2
            count += bool(re.search(r"Integration\s+ID", row[names + 1]))
            count += bool(re.search(r"Root\s+Account", row[count - 1]))
        if "Section" not in row[count - 1]:
            raise Refused("Invalid header row")
        computed = re.compile("(Current|Final) (Score|Points|Grade)|Override (Score|Grade|Status)")
        columns = {}
        for column, text in enumerate(row[count:], count):
            if not computed.search(text):
                columns[self._assignment(text)] = column
        return columns, sis, login, names - 2

    def _assignment(self, text: str) -> int:
        with_id = re.fullmatch(r"(.*)\s\((\d+)\)", text)
        if with_id and int(with_id[2]) in self.assignments:
            return int(with_id[2])
        for number, title in self.assignments.items():
            if title == text:
                return number
        self.new_assignments.append(text)
        return -len(self.new_assignments)

    def _student(self, row: list[str], sis: int | None, login: int | None, id_column: int) -> int | None:
        number = re.match(r"\s*(\d+)", row[id_column])
        if number and int(number[0]) in self.students:
            return int(number[0])
        for column, part in ((sis, 1), (login, 2)):
            if column is not None and row[column]:
                for user, known in self.students.items():
                    if known[part] == row[column]:
                        return user
        for user, known in self.students.items():
            if known[0] == row[0]:
                return user
        self.new_students.append(row[0])
        return None


# --- Moodle ---------------------------------------------------------------------------------------------------------


def php_float(text: str, decimal_sign: str, *, strict: bool) -> float | None:
    """Read a number as Moodle's `unformat_float` does; None where it says that there is none."""
    text = text.strip().replace(" ", "").replace(decimal_sign, ".")
    if strict:
        return float(text) if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text) else None
    found = re.match(r"[+-]?(\d+\.?\d*|\.\d+)", text)
    return float(found[0]) if found else 0.0


@dataclass
class MoodleGradebook:
    """Grades > Import > CSV of a course of Moodle.

    Attributes:
        users: The users by the field that is mapped.
        unlimited: Whether the site takes grades above 100.
        decimal_sign: That of the site's language.
        grades: The grades of the item by user, feedback with them.
    """

    users: dict[str, str]
    unlimited: bool = False
    decimal_sign: str = "."
    grades: dict[str, tuple[float | None, str]] = field(default_factory=dict)

    def upload(self, data: bytes) -> None:
        """Import the columns identity, grade and feedback; one bad row ends everything."""
        entered: dict[str, tuple[float | None, str]] = {}
        user: str | None = None
        rows = list(csv.reader(io.StringIO(data.decode("utf-8"), newline=""), strict=True))
        for row in rows[1:]:
            if len(row) <= 1:
                continue
            identity, grade, feedback = (cell.strip() for cell in row)
            if identity not in ("", "0"):  # a blank one leaves the user of the row before
                if identity not in self.users:
                    raise Refused(f"no user {identity!r}")
                user = self.users[identity]
            if user is None:
                raise Refused("user not found")
            value = None
            if grade not in ("", "-"):
                value = php_float(grade, self.decimal_sign, strict=True)
                if value is None:
                    raise Refused(f"bad grade {grade!r}")
                if value > 100 and not self.unlimited:
                    raise Refused("grade value too big")
            entered[user] = value, feedback
        self.grades.update(entered)


WORKSHEET = {
    "en": ("Identifier", "Grade", "Last modified (grade)", "Feedback comments", "Participant "),
    "de": ("ID", "Bewertung", "Zuletzt geändert (Bewertung)", "Feedback als Kommentar", "Teilnehmer/in"),
}


@dataclass
class MoodleAssignment:
    """The offline grading worksheet of an assignment in Moodle.

    Attributes:
        participants: The users by the number of the participant.
        maximum: The assignment's maximum grade.
        language: That of the site.
        grades: The grades by user.
        feedback: The comments by user.
        modified: When a grade was changed in Moodle, by user.
        locked: Users whose grade cannot be changed.
        skipped: Users whose row the last import passed over without a word.
    """

    participants: dict[int, str]
    maximum: float
    language: str = "en"
    grades: dict[str, float] = field(default_factory=dict)
    feedback: dict[str, str] = field(default_factory=dict)
    modified: dict[str, datetime] = field(default_factory=dict)
    locked: set[str] = field(default_factory=set)
    skipped: list[str] = field(default_factory=list)

    def upload(self, data: bytes) -> None:
        """Import a worksheet."""
        heads, *rows = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
        identifier, grade, modified, comments, prefix = WORKSHEET[self.language]
        if not {identifier, grade, modified} <= set(heads):
            raise Refused("invalid grade import")
        for row in rows:
            number = row[heads.index(identifier)][len(prefix) :]
            user = self.participants.get(int(number)) if number.isdigit() else None
            if user is None:
                continue
            stale = self._stale(user, row[heads.index(modified)])
            self._grade(user, row[heads.index(grade)], stale)
            if not stale and comments in heads:
                self.feedback[user] = row[heads.index(comments)]

    def _stale(self, user: str, told: str) -> bool:
        if user not in self.modified:
            return False
        then = datetime.strptime(told, "%A, %d %B %Y, %I:%M %p") if told != "-" else datetime(1970, 1, 1)
        return (self.modified[user] - then).total_seconds() > 60

    def _grade(self, user: str, cell: str, stale: bool) -> None:
        value = php_float(cell, "," if self.language == "de" else ".", strict=False) if cell.strip() else None
        if self.grades.get(user) == value:
            return
        if value is None or value < 0 or value > self.maximum or stale or user in self.locked:
            self.skipped.append(user)
            return
        self.grades[user] = value


# --- Brightspace and Blackboard ---------------------------------------------------------------------------------------


@dataclass
class Brightspace:
    """The import of grades into a course of Brightspace.

    Attributes:
        users: Users by OrgDefinedId and by user name.
        items: The maximum of each grade item.
        grades: The grades by item and user.
        errors: Rows that the import could not use.
    """

    users: dict[str, str]
    items: dict[str, float]
    grades: dict[tuple[str, str], float] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)

    def upload(self, data: bytes) -> None:
        """Import a file."""
        heads, *rows = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
        keys = [heads.index(name) for name in ("OrgDefinedId", "Username") if name in heads]
        if not keys or heads[-1].strip() != "End-of-Line Indicator":
            raise Refused("no key field or no end of the line")
        for column, text in enumerate(heads):
            found = re.fullmatch(r"(.+) Points Grade(?: <.*>)?", text)
            if found and found[1] not in self.items:
                raise Refused(f"no grade item {found[1]!r}")
            if found:
                self._enter(found[1], column, keys, rows)

    def _enter(self, item: str, column: int, keys: list[int], rows: list[list[str]]) -> None:
        for row in rows:
            if row[-1] != "#":
                raise Refused("a line does not end")
            users = {self.users.get(row[key].removeprefix("#")) for key in keys if row[key]} - {None}
            if len(users) != 1:
                self.errors.append(row[keys[0]])
            elif row[column]:
                (user,) = users
                self.grades[item, str(user)] = min(float(row[column]), self.items[item])


@dataclass
class Blackboard:
    """The upload of Work Offline into a course of Blackboard.

    Attributes:
        users: Users by user name.
        columns: The names of the columns by their number.
        grades: The grades by column and user.
        text_columns: Headings of which new columns of text were made.
    """

    users: set[str]
    columns: dict[str, str]
    grades: dict[tuple[str, str], float] = field(default_factory=dict)
    text_columns: list[str] = field(default_factory=list)

    def upload(self, data: bytes) -> None:
        """Upload a file, in UTF-16 with its mark or in UTF-8."""
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
        separator = "\t" if "\t" in text.splitlines()[0] else ","
        heads, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        name = heads.index("Username")
        for column, heading in enumerate(heads):
            if heading in ("Last Name", "First Name", "Username", "Student ID", "Last Access", "Availability"):
                continue
            number = re.search(r"\|\s*(\d+)$", heading)
            if number is None or number[1] not in self.columns:
                self.text_columns.append(heading)
                continue
            for row in rows:
                if row[name] in self.users and row[column]:
                    self.grades[number[1], row[name]] = float(row[column])
