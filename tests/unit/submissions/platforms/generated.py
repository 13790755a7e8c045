"""Downloads of a class of 120 as each platform packs them, with the mess that classes make, and who handed in what."""

import io
import re
import unicodedata
import zipfile
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

ONE, FILE = "01_simple_attention", "simple_attention.py"
NAMES = [
    "Ann Lee", "Ann Lee", "김민준", unicodedata.normalize("NFD", "이서연"), "Kim-Lee, Jo", "van der Berg", "O'Neil",
    "José García", "가" * 40, "x_y", "Bo",
]  # fmt: skip


class Person(NamedTuple):
    """Somebody in the class, by a number."""

    number: int

    @property
    def name(self) -> str:
        return NAMES[self.number % len(NAMES)]

    @property
    def login(self) -> str:
        return f"s_{self.number}" if self.number % 2 else f"k-lee{self.number}"

    @property
    def email(self) -> str:
        return f"{self.login}@example.edu"

    def code(self, older: int = 0) -> bytes:
        """Return an answer that only this person gives, and a different one in each older attempt."""
        return f"def scores():\n    return {self.number + 1000 * older}\n".encode()


CLASS = [Person(number) for number in range(120)]


class Laid(NamedTuple):
    """A download: its folder's name, its files, whose code is to be graded (None: a problem), how it is called."""

    title: str
    files: Mapping[str, bytes]
    code: Mapping[str, bytes | None]
    called: str


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return a zip file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in files.items():
            archive.writestr(name, raw)
    return packed.getvalue()


JUNK = (".DS_Store", "__MACOSX/._x.py", "Thumbs.db", "desktop.ini")
WAYS = ("folder", "zip", "zip of its folder", "zip of Windows")


def lay(root: Path, laid: Laid, way: str) -> Path:
    """Write a download as a folder or as a zip file of some kind, with what systems add."""
    files = {**laid.files, **dict.fromkeys(JUNK, b"\0")}
    place = root / f"{laid.title}{'.zip' * (way != 'folder')}"
    if way == "folder":
        for name, raw in files.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(raw)
    elif way == "zip of Windows":
        with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, raw in files.items():
                info = zipfile.ZipInfo(name.replace("/", "\\"))
                info.create_system = 0
                archive.writestr(info, raw)
    else:
        top = f"{laid.title}/" * (way == "zip of its folder")
        place.write_bytes(zipped({top + name: raw for name, raw in files.items()}))
    return place


def canvas(anonymous: bool = False) -> Laid:
    files: dict[str, bytes] = {}
    code: dict[str, bytes | None] = {}
    for each in CLASS:
        late, plain = each.number % 7 == 0, re.sub(r"\W", "", each.name).lower()
        known = f"{plain}_{'LATE_' * late}{each.number + 100}"
        begin = f"{'LATE_' * late}anon_{each.number:04x}Z" if anonymous else known
        student = f"anon_{each.number:04x}Z" if anonymous else f"{plain}_{each.number + 100}"
        again = "-1" * (each.number % 5 == 0)
        code[student] = each.code()
        if each.number % 11 == 3:
            files[f"{begin}_{each.number + 5000}_hw.zip"] = zipped(
                {f"hw/{FILE}": each.code(), "__MACOSX/hw/._x.py": b"\0"}
            )
        elif each.number % 13 == 4:
            files[f"{begin}_text.html"] = b"<p>my answer</p>"
            code[student] = None
        else:
            files[f"{begin}_{each.number + 5000}_simple_attention{again}.py"] = each.code()
    return Laid("submissions", files, code, "Canvas")


def moodle(folders: bool) -> Laid:
    files: dict[str, bytes] = {}
    code: dict[str, bytes | None] = {}
    end = "/" if folders else ""
    for each in CLASS:
        begin = f"{each.name}_{9000 + each.number}_assignsubmission_"
        code[f"{begin}file_"] = each.code()
        if each.number % 11 == 3:
            files[f"{begin}file_{end}과제.zip"] = zipped({f"Colab Notebooks/{FILE}": each.code()})
        elif each.number % 11 == 4 and folders:
            files[f"{begin}file_/{ONE}/{ONE}/{FILE}"] = each.code()
        else:
            files[f"{begin}file_{end}{FILE}"] = each.code()
    return Laid("CS101-HW1-4711", files, code, "Moodle")


def blackboard(receipts: bool = True) -> Laid:
    files: dict[str, bytes] = {}
    code: dict[str, bytes | None] = {}
    for each in CLASS:
        login = each.login if receipts else each.login.replace("_", "")
        for older in range(1 + (each.number % 5 == 0)):
            when = datetime(2026, 11, 5, 11, 2, 33) - timedelta(days=40 * older)
            begin = f"Homework_1_{login}_attempt_{when:%Y-%m-%d-%H-%M-%S}"
            if receipts:
                files[f"{begin}.txt"] = f"Name: {each.name} ({login})\nAssignment: Homework_1\n(s_7)\n".encode()
            if each.number % 13 != 4 or older or not receipts:
                files[f"{begin}_{FILE}"] = each.code(older)
        code[login] = None if each.number % 13 == 4 and receipts else each.code()
    return Laid("gradebook_CS101_Homework_1", files, code, "Blackboard")


def brightspace(folders: bool) -> Laid:
    files: dict[str, bytes] = {"index.html": b"<html></html>"}
    code = {}
    for each in CLASS:
        student = f"{each.number}-456 - {each.name}"
        for older in range(1 + (each.number % 5 == 0)):
            when = datetime(2026, 11, 9, 23, 2) - timedelta(days=7 * older, hours=each.number)
            said = f"{when:%b} {when.day}, {when.year} {int(f'{when:%I}')}{when:%M %p}"
            files[f"{student} - {said}{'/' if folders else ' - '}{FILE}"] = each.code(older)
        code[student] = each.code()
    return Laid("HW1 Download", files, code, "Brightspace")


def gradescope() -> Laid:
    files: dict[str, bytes] = {}
    code = {}
    lines = ["---"]
    for each in CLASS:
        files[f"submission_{each.number}/{FILE}"] = each.code()
        members = [each, Person(500 + each.number)] if each.number % 20 == 0 else [each]
        lines += [f"submission_{each.number}:", "  :submitters:"]
        for one in members:
            lines += [f'  - :name: "{one.name}"', f"    :sid: '{one.number}'", f"    :email: {one.email}"]
            code[one.email] = each.code()
        lines += ["  :created_at: 2026-11-05 11:02:33.912304000 Z", "  :score: 1.0", "  :history:", "  - :id: 7",
                  "    :created_at: 2020-01-01 00:00:00.0 Z"]  # fmt: skip
    files["submission_metadata.yml"] = "\n".join(lines).encode()
    return Laid("assignment_7_export", files, code, "Gradescope")


def inbound() -> Laid:
    files: dict[str, bytes] = {}
    code = {}
    for each in CLASS:
        for older in range(1 + (each.number % 5 == 0)):
            when = datetime(2026, 11, 5, 11, 2, 33) - timedelta(days=40 * older)
            files[f"{each.login}+{ONE}+{when} UTC+{each.number:032x}/{FILE}"] = each.code(older)
        code[each.login] = each.code()
    return Laid("inbound", files, code, "nbgrader's exchange")


def github() -> Laid:
    files = {f"hw-1-{each.login}/{'src/' * (each.number % 2)}{FILE}": each.code() for each in CLASS}
    files |= {f"hw-1-{each.login}/.git/config": b"[core]" for each in CLASS}
    return Laid("hw-1-submissions", files, {each.login: each.code() for each in CLASS}, "GitHub Classroom")


def google(front: bool) -> Laid:
    files, code = {}, {}
    for each in CLASS:
        who = f"{each.name} {each.number}"
        files[f"{who} - {FILE}" if front else f"simple_attention - {who}.py"] = each.code()
        code[who] = each.code()
    return Laid("HW1 (File responses)", files, code, "Google Drive")


def autolab() -> Laid:
    files = {}
    for each in CLASS:
        for version in range(1, 2 + 10 * (each.number % 5 == 0)):
            older = 0 if version == 1 + 10 * (each.number % 5 == 0) else version
            files[f"{version}_{each.email}_{FILE}"] = each.code(older)
    return Laid("course_f26_hw1_submissions", files, {each.email: each.code() for each in CLASS}, "Autolab")


def prairielearn() -> Laid:
    files = {}
    for each in CLASS:
        for older in range(1 + (each.number % 5 == 0)):
            id = 99 + each.number if older else 1000 + each.number
            files[f"{each.email}_1_att_q1_1_{2 - older}_{id}_{FILE}"] = each.code(older)
    return Laid("HW1", files, {each.email: each.code() for each in CLASS}, "PrairieLearn")


DOWNLOADS = {
    "canvas": canvas(), "canvas anonymous": canvas(anonymous=True), "moodle": moodle(folders=True),
    "moodle flat": moodle(folders=False), "blackboard": blackboard(), "blackboard without receipts": blackboard(False),
    "brightspace": brightspace(folders=True), "brightspace flat": brightspace(folders=False),
    "gradescope": gradescope(), "inbound": inbound(), "github": github(), "forms": google(front=False),
    "classroom": google(front=True), "autolab": autolab(), "prairielearn": prairielearn(),
}  # fmt: skip
