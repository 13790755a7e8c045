"""A class of 120 made-up students with every mess that classes have, as six platforms hand it over.

Whose a file is can be read off its answer, which is the student's number, so that a test sees who was lost, doubled or
mixed up. Names of files follow the platforms' sources: Canvas's `content_zipper.rb`, Moodle's `downloader.php`; of
the others, what programs that read their downloads expect.
"""

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

STUB = "def softmax(x):\n    raise NotImplementedError\n"
STEM, ID = "simple_attention", "01_simple_attention"
GIVEN = ["Ann", "Ben", "Chloé", "민준", "서연", "Dmitri", "Emma-Lou", "지우", "Jean Luc", "Kofi 2"]
FAMILY = ["Lee", "O'Neil", "김", "Garcia Marquez", "Müller", "박"]
LATE, AGAIN, ODD, DATED, NOTEBOOK, PDF, ZIP, MISSING, FOREIGN, HELPER, PICTURE, NUMBERED = range(12)
NO_ANSWER = (PDF, FOREIGN, PICTURE)


@dataclass(frozen=True)
class Person:
    """A student, by number; those 60 apart have the same name."""

    number: int

    @property
    def name(self) -> str:
        return f"{GIVEN[self.number % 60 % 10]} {FAMILY[self.number % 60 // 10]}"

    @property
    def mess(self) -> int:
        """What is the matter with what they handed in."""
        return self.number % 12

    @property
    def answer(self) -> str:
        return f"def softmax(x):\n    return {self.number}\n"

    def files(self) -> dict[str, bytes]:
        name, text = f"{STEM}.py", self.answer.encode()
        return {
            ODD: {"my final (2) ver_3.py": text},
            DATED: {"lab_2026_11.py": text},
            NOTEBOOK: {f"{STEM}.ipynb": notebook(self.answer)},
            PDF: {"report.pdf": b"%PDF-1.7"},
            ZIP: {"homework.zip": zipped({f"hw 1/{name}": text, "hw 1/__MACOSX/._x.py": b"", "hw 1/.DS_Store": b""})},
            MISSING: {},
            FOREIGN: {"multi_head_attention.py": text},
            HELPER: {name: text, "helper.py": b"def help():\n    return 1\n", "data.csv": b"1,2\n"},
            PICTURE: {name: STUB.encode(), "screenshot.png": b"\x89PNG"},
            NUMBERED: {f"{STEM}-2.py": text},
        }.get(self.mess, {name: text})

    def attempts(self) -> list[dict[str, bytes]]:
        """Return all that they handed in, the oldest first, where a platform packs older attempts too."""
        older = {f"{STEM}.py": b"def softmax(x):\n    return 'an older attempt'\n"}
        return [older, older, self.files()] if self.mess == AGAIN else [self.files()]


CLASS = [Person(number) for number in range(120)]


@dataclass
class Download:
    """A download: its files, and what is to come of each student: the number of the answer, None for none."""

    files: dict[str, bytes] = field(default_factory=dict)
    wanted: dict[str, int | None] = field(default_factory=dict)
    late: set[str] = field(default_factory=set)
    times: bool = False
    assignment: str | None = ID

    def add(self, person: Person, student: str, start: str, files: dict[str, bytes] | None = None) -> None:
        """Add a student's files under a beginning of their names."""
        if person.mess == MISSING:
            return
        assert student not in self.wanted or files is not None
        self.wanted[student] = None if person.mess in NO_ANSWER else person.number
        for name, data in (person.files() if files is None else files).items():
            self.files[start + name] = data

    def write(self, place: Path, packed: bool) -> Path:
        """Write it as a zip file or as a folder, and return which."""
        if packed:
            path = place / "download.zip"
            path.write_bytes(zipped(self.files))
            return path
        for name, data in self.files.items():
            path = place / "download" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return place / "download"


def canvas() -> Download:
    """`lastnamefirst_LATE_12345_67890_file-2.py`; the newest attempt only."""
    made = Download(files={".DS_Store": b"", "__MACOSX/._x": b""})
    for person in CLASS:
        given, _, family = person.name.rpartition(" ")
        name = "".join(letter for letter in f"{family}{given}".lower() if letter.isalnum())
        user, late = f"{name}_{5000 + person.number}", person.mess == LATE
        start = f"{name}_{'LATE_' * late}{5000 + person.number}_{90000 + 7 * person.number}_"
        made.add(person, user, start)
        made.late |= {user} if late else set()
    return made


def moodle() -> Download:
    """`Name_12345_assignsubmission_file/...`, with texts typed online beside the files of some."""
    made = Download()
    for person in CLASS:
        user = f"{person.name}_{7000 + person.number}"
        made.add(person, user, f"{user}_assignsubmission_file{'_' * (person.number % 2)}/")
        if person.mess == HELPER:
            made.files[f"{user}_assignsubmission_onlinetext/onlinetext.html"] = b"<p>See the file.</p>"
    return made


def gradescope() -> Download:
    """`submission_N` folders, and a file that says whose they are; all in one folder, as it is packed."""
    made, told = Download(times=True), []
    for person in CLASS:
        if person.mess == MISSING:
            continue
        mail = f"user{person.number}@example.edu" if person.number % 3 else ""
        folder = f"submission_{3000 + person.number}"
        made.add(person, mail or f"s{person.number}", f"assignment_17_export/{folder}/")
        told.append(
            f"{folder}:\n  :submitters:\n  - :name: {json.dumps(person.name)}\n    :sid: s{person.number}\n"
            f"    :email: {mail}\n  :created_at: 2026-11-03 11:31:02.123456789 Z\n  :score: 0.0\n  :history: []\n"
        )
    made.files["assignment_17_export/submission_metadata.yml"] = b"---\n" + "".join(told).encode()
    return made


def brightspace() -> Download:
    """`123-456 - Name - Nov 3, 2026 1131 AM/...`, one folder for each attempt."""
    made = Download(files={"index.html": b"<html>"}, times=True)
    for person in CLASS:
        user = f"{1000 + person.number}-456 - {person.name}"
        for hour, files in enumerate(person.attempts(), 9):
            clock = f"{hour}31 AM" if hour < 11 else "131 PM"
            made.add(person, user, f"{user} - Nov 3, 2026 {clock}/", files)
    return made


def blackboard() -> Download:
    """`HW_1_student_attempt_2026-11-03-11-31-02_file.py`, and a receipt with every attempt."""
    made = Download(times=True)
    for person in CLASS:
        user = f"user_{person.number}" if person.number % 2 else f"u{person.number}"
        for hour, files in enumerate(person.attempts(), 9):
            start = f"HW_1_{user}_attempt_2026-11-03-{hour:02}-31-02"
            made.add(person, user, f"{start}_", files)
            if person.mess != MISSING:
                made.files[f"{start}.txt"] = f"Name: {person.name} ({user})\nAssignment: HW_1\n".encode()
    return made


def submitted() -> Download:
    """nbgrader's own folder, `submitted/ann/01_simple_attention/...`, with the time in a file."""
    made = Download(times=True, assignment=None)
    for person in CLASS:
        start = f"{person.name} {person.number}/{ID}/"
        made.add(person, f"{person.name} {person.number}", start)
        if person.mess != MISSING:
            made.files[f"{start}timestamp.txt"] = b"2026-11-05 11:02:33 UTC\n"
    return made


PLATFORMS = {
    "blackboard": blackboard, "brightspace": brightspace, "canvas": canvas, "gradescope": gradescope, "moodle": moodle,
    "nbgrader": submitted,
}  # fmt: skip


def notebook(*sources: str) -> bytes:
    cells = [
        {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": None}
        for source in sources
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def zipped(files: Mapping[str, bytes | str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()
