"""Whose each file of a download is: by regular expressions, matched with the file's path in it.

Their groups are `student` and `file`, and where the platform says so `id` (which tells two of one name apart),
`assignment`, `when` or `number` (of several attempts the newest counts) and `late`. A course adds its own in
`course.toml`: `[layouts] ours = "(?P<student>[^/]+)/hw/(?P<file>.+)"`.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from grader.errors import CourseError, UsageError
from grader.language import N_
from grader.text import name_shown

from .files import File, Listing

FOLDERS = "folders"
CANVAS = r"(?P<student>[^/]+?)(?:_(?P<late>LATE))?_(?P<id>[1-9]\d*)_"
BLACKBOARD = r"(?P<student>[^/]+?)_[^\W\d_]+_(?P<when>\d{4}(?:-\d\d){5})"
NO_DASH = r"(?:(?! - )[^/])*"
LAYOUTS: dict[str, tuple[str, ...]] = {
    "blackboard": (BLACKBOARD + r"_(?P<file>[^/]+)", rf"(?=(?P<file>[^/]+)$){BLACKBOARD}\.txt"),
    "brightspace": (rf"(?P<student>\d+-\d+ - [^/]+?) - (?P<when>{NO_DASH}\d{{4}}{NO_DASH})(?:/| - )(?P<file>.+)",),
    "canvas": (
        r"(?:(?P<late>LATE)_)?(?P<student>anon_[A-Za-z0-9]{5})_(?:\d+_|(?=(?:text|link)\.html))(?P<file>[^/]+)",
        CANVAS + r"[1-9]\d*_(?P<file>[^/]+)",
        CANVAS + r"(?P<file>(?:text|link)\.html)",
    ),
    "gradescope": (r"(?P<student>submission_\d+)/(?P<file>.+)",),
    "moodle": (r"(?P<student>[^/]+?_\d+)_assignsubmission_[a-z]+(?:_?/|_)(?P<file>.+)",),
    "nbgrader": (r"(?P<student>[^/]+)/(?P<assignment>[^/]+)/(?P<file>.+)",),
}
EXCHANGE = r"[^/]+\+[^/+]+\+\d{4}-\d\d-\d\d[^/]*/.+"  # where anybody may write under any name
SIGNS = {name: [*map(re.compile, patterns)] for name, patterns in {**LAYOUTS, "nbgrader": (EXCHANGE,)}.items()}
"""What a download looks like. nbgrader's folder `submitted` is not told by its names: any class in folders has such."""
METADATA = "submission_metadata.yml"
OF_PLATFORMS = (METADATA, "index.html", "timestamp.txt")
MOST_METADATA = 256 * 1024 * 1024
RECEIPT_NAME = re.compile(r"[^\n]*\(([^()\n]+)\)\s*")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


class Attempt(msgspec.Struct, frozen=True):
    """What a student handed in at one time.

    Attributes:
        order: What is larger of a later attempt; None where nothing says which is later.
        when: When it was handed in, as far as the platform says it.
        late: True where the platform says so.
        uploaded: Its name in the download, or that of the first of its files.
    """

    student: str
    assignment: str
    files: tuple[File, ...]
    order: float | None
    when: datetime | None
    late: bool | None
    uploaded: str


Fits = dict[File, dict[str, str]]
"""The files whose names fit a layout, each with what the groups of the pattern say."""


def looks_like(listing: Listing) -> str | None:
    """Return the platform whose download a class looks like, by the platform's own file or by most names."""
    for inner in listing.ways():
        if any(file.where == METADATA for file in inner.files):
            return "gradescope"
        fits = {
            name: sum(_match(signs, file.where) is not None for file in inner.files) for name, signs in SIGNS.items()
        }
        likeliest = max(fits, key=lambda name: fits[name])
        if fits[likeliest]:
            return likeliest
    return None


def read_download(
    listing: Listing, shown: str, layout: str, patterns: Sequence[re.Pattern[str]], id_of: Callable[[str], str | None]
) -> tuple[list[Attempt], list[File]]:
    """Return what each student handed in, and the files that match no student.

    Args:
        shown: The folder or zip file, for sentences.
        patterns: Those of the layout.
        id_of: Returns the assignment that is called so, or the one that is graded for an empty name.

    Raises:
        UsageError: Nothing in the download fits, or nothing says whose what is.
    """
    for inner in listing.ways():
        fits = {file: fit for file in inner.files if (fit := _fit(patterns, file.where, id_of))}
        if fits:
            break
    else:
        hint = " Give the folder that `nbgrader collect` fills." if layout == "nbgrader" else ""
        raise UsageError(f"{shown} holds no file with a name as in a download from {layout}. Check --from.{hint}")
    people = {fit["student"]: [fit["student"]] for fit in fits.values()}
    if layout == "gradescope":
        people = _submitters(inner, fits, shown)
    elif layout == "blackboard":
        people = _users(fits, shown)
    grouped: defaultdict[tuple[str, ...], list[File]] = defaultdict(list)
    for file, fit in fits.items():
        for student in people[fit["student"]]:
            grouped[student, fit["assignment"], fit["when"], fit["number"]].append(file)
    attempts = []
    for (student, id, time, number), files in grouped.items():
        when = time_of(time or _timestamp(files, layout))
        order = None if when is None else when.replace(tzinfo=UTC).timestamp()
        attempts.append(
            Attempt(
                student=student,
                assignment=id,
                files=tuple(msgspec.structs.replace(file, where=fits[file]["file"]) for file in files),
                order=int(number) if number.isdecimal() else order,
                when=when,
                late=any(fits[file]["late"] for file in files) or None,
                uploaded=fits[files[0]]["student"] if layout == "gradescope" else files[0].where,
            )
        )
    known = {file for files in grouped.values() for file in files}
    return attempts, [file for file in inner.files if file not in known and file.name not in OF_PLATFORMS]


def patterns_of(layout: str, more: Mapping[str, str]) -> list[re.Pattern[str]]:
    """Return the patterns of a platform or of one of the course's own layouts.

    Raises:
        UsageError: There is no such layout.
        CourseError: It is no regular expression, or lacks a group.
    """
    if layout in more:
        try:
            pattern = re.compile(more[layout])
        except re.error as problem:
            raise CourseError(f"The layout {layout!r} in course.toml is not a regular expression: {problem}.") from None
        if missing := {"student", "file"} - {*pattern.groupindex}:
            raise CourseError(
                f"The layout {layout!r} in course.toml has no group {missing.pop()!r}. Write (?P<student>...)."
            )
        return [pattern]
    if layout not in LAYOUTS:
        known = ", ".join([*LAYOUTS, FOLDERS, *more])
        raise UsageError(f"--from {name_shown(layout)} is not a platform that is known. Write one of {known}.")
    return [*map(re.compile, LAYOUTS[layout])]


def _match(patterns: Iterable[re.Pattern[str]], where: str) -> re.Match[str] | None:
    return next(filter(None, (pattern.fullmatch(where) for pattern in patterns)), None)


def _fit(patterns: Iterable[re.Pattern[str]], where: str, id_of: Callable[[str], str | None]) -> dict[str, str] | None:
    """Return what the first pattern that fits says; two of one name are told apart by their number."""
    match = _match(patterns, where)
    if match is None:
        return None
    fit = dict.fromkeys(("student", "file", "id", "assignment", "when", "number", "late"), "")
    fit |= {name: text for name, text in match.groupdict().items() if text}
    fit["student"] += f"_{fit['id']}" if fit["id"] else ""
    fit["assignment"] = id_of(fit["assignment"]) or ""
    return fit if fit["assignment"] else None


def newest_of(attempts: Sequence[Attempt]) -> Attempt | None:
    """Return the newest of one student's attempts at one assignment; None where nothing says which that is."""
    orders = [attempt.order for attempt in attempts]
    if len(attempts) > 1 and (None in orders or len({*orders}) < len(orders)):
        return None
    return max(attempts, key=lambda attempt: attempt.order or 0)


def time_of(text: str) -> datetime | None:
    """Return the time that a name says, such as `Nov 3, 2026 1131 AM`, `2026-11-05 11:02:33 UTC`; None without one."""
    numbers = [int(number) for number in re.findall(r"\d+", text)[:6]]
    month = re.search(rf"\b({'|'.join(MONTHS)})", text.lower())
    try:
        if month and len(numbers) > 2:
            day, year, *clock = numbers
            numbers = [year, MONTHS.index(month[1]) + 1, day, *clock]
        if len(numbers) == 4:  # the clock without a colon
            numbers[3:] = divmod(numbers[3], 100)
        half = re.search(r"(?<![A-Z])([AP])\.? ?M\b|오전|오후", text.upper())
        if half and len(numbers) > 3:
            numbers[3] = numbers[3] % 12 + 12 * (half[0].startswith("P") or half[0] == "오후")
        zone = UTC if re.search(r"UTC|Z\b", text) else None
        return datetime(*numbers[:6], tzinfo=zone) if len(numbers) > 3 else None  # type: ignore[arg-type, misc]  # mypy counts no list
    except ValueError:
        return None


def _timestamp(files: Iterable[File], layout: str) -> str:
    """Return what nbgrader noted of the time."""
    return next((_text(file, 1000) for file in files if layout == "nbgrader" and file.name == "timestamp.txt"), "")


def _text(file: File, limit: int) -> str:
    try:
        return file.read(limit)[0].decode("utf-8-sig", "replace")
    except OSError:
        return ""


def _users(fits: Fits, shown: str) -> dict[str, list[str]]:
    """Return the user in each name of Blackboard's, `TITLE_USER`, both of which may hold an underscore.

    A receipt of that name that begins with `Name: Ann Lee (alee)` says it.
    """
    receipts = {fit["student"]: _text(file, 100_000) for file, fit in fits.items() if fit["file"] == file.where}
    users: dict[str, list[str]] = {}
    titles: set[str] = set()
    for head in sorted({fit["student"] for fit in fits.values()}):
        receipt = RECEIPT_NAME.match(receipts.get(head, ""))
        if receipt is None or not head.endswith(f"_{receipt[1]}"):
            raise UsageError(f"{shown} holds no receipt that names the user of {name_shown(head)}. Download it again.")
        users[head] = [receipt[1]]
        titles.add(head.removesuffix(f"_{receipt[1]}"))
    if len(titles) > 1:
        names = " and ".join(map(name_shown, sorted(titles)[:2]))
        raise UsageError(f"{shown} holds attempts at {names}. Give the download of one assignment.")
    return users


def _submitters(inner: Listing, fits: Fits, shown: str) -> dict[str, list[str]]:
    """Return what to call the people of each folder of Gradescope: e-mail, number, or name and number of the folder.

    The times, and the folders that are named and not there, are added to what is in the download.
    """
    import yaml

    file = next((file for file in inner.files if file.where == METADATA), None)
    if file is None:
        raise UsageError(f"{shown} holds no {METADATA}, so nothing says whose what is. Export again.")
    people = {fit["student"]: list[str]() for fit in fits.values()}
    fit = next(iter(fits.values()))
    try:  # as texts alone, since a number may begin with 0
        told = yaml.load(_text(file, MOST_METADATA), Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
        for folder, entry in told.items():
            names = [
                person.get(":email", "").lower()
                or str(person.get(":sid") or f"{person.get(':name')}_{folder.removeprefix('submission_')}")
                for person in entry.get(":submitters") or []
            ]
            people[folder] = [*dict.fromkeys(names)]
            if folder not in inner.folders:
                gone = msgspec.structs.replace(file, where=folder, kind=N_("a folder that is not in the download"))
                fits[gone] = {**fit, "student": folder, "file": folder}
        for fit in fits.values():
            fit["when"] = str(told.get(fit["student"], {}).get(":created_at", ""))
    except (yaml.YAMLError, AttributeError, TypeError, ValueError, RecursionError):
        raise UsageError(f"{METADATA} is not as Gradescope writes it. Export the submissions again.") from None
    return people
