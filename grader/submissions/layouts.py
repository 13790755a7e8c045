"""Whose each file of a download is: by regular expressions, matched with the file's path in it.

Their groups are `student` and `file`, and where the platform says so `id` (which tells two of one name apart),
`assignment`, `when` or `number` (of several attempts the newest counts) and `late`. A course adds its own in
`course.toml`: `[layouts] ours = "(?P<student>[^/]+)/hw/(?P<file>.+)"`.
"""

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from grader.errors import CourseError, UsageError
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
EXCHANGE = re.compile(r"[^/]+\+[^/+]+\+\d{4}-\d\d-\d\d[^/]*/.+")  # what `nbgrader collect` reads
METADATA = "submission_metadata.yml"
OF_PLATFORMS = (METADATA, "index.html", "timestamp.txt")
MOST_METADATA = 256 * 1024 * 1024
RECEIPT_NAME = re.compile(r"[^\n]*\(([^()\n]+)\)\s*")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


class Attempt(msgspec.Struct, frozen=True):
    """What a student handed in at one time.

    Attributes:
        assignment: As the platform calls it; empty where it does not say.
        when: When that was, as far as the platform says it.
        number: Which attempt it was, where the platform counts them.
        late: True where the platform says so.
        uploaded: Its name in the download, or that of the first of its files.
    """

    student: str
    assignment: str
    files: tuple[File, ...]
    when: datetime | None = None
    number: int | None = None
    late: bool | None = None
    uploaded: str = ""

    @property
    def order(self) -> float | None:
        """What is larger of a later attempt; None where nothing says which is later."""
        if self.number is not None or self.when is None:
            return self.number
        return (self.when if self.when.tzinfo else self.when.replace(tzinfo=UTC)).timestamp()


class Download(msgspec.Struct, frozen=True):
    """What a download holds.

    Attributes:
        nobodys: The files that match no student.
        missing: The students of whom the platform names a folder that is not there.
    """

    attempts: list[Attempt]
    nobodys: list[File] = []
    missing: dict[str, str] = {}


def looks_like(listing: Listing) -> str | None:
    """Return the platform whose download a class looks like, by a name that fits or the platform's own file.

    nbgrader's folder is none such: any teacher lays out a class like that.
    """
    for inner in listing.ways:
        if fits := _fits(inner):
            return max(fits, key=lambda name: fits[name])
    return None


def _fits(listing: Listing) -> dict[str, int]:
    """Return how many names fit each platform's patterns; all of them where its own file is there."""
    if any(file.where == METADATA for file in listing.files):
        return {"gradescope": len(listing.files)}
    compiled = {name: [*map(re.compile, patterns)] for name, patterns in LAYOUTS.items() if name != "nbgrader"}
    fits = {
        name: sum(_fit(signs, file.where) is not None for file in listing.files) for name, signs in compiled.items()
    }
    return {name: count for name, count in fits.items() if count}


def refuse_exchange(listing: Listing, shown: str) -> None:
    """Refuse nbgrader's exchange, where anybody may write under any name.

    Raises:
        UsageError: The names are those of its folder `inbound`.
    """
    if any(EXCHANGE.fullmatch(file.where) for inner in listing.ways for file in inner.files):
        raise UsageError(f"{shown} is nbgrader's exchange. Run `nbgrader collect`, and give the folder `submitted`.")


def read_download(
    listing: Listing, shown: str, layout: str, more: Mapping[str, str], is_assignment: Callable[[str], bool]
) -> Download:
    """Return what each student handed in.

    Args:
        shown: The folder or zip file, for sentences.
        layout: The platform, or one of the course's own layouts.
        more: The course's own layouts: a regular expression by name.
        is_assignment: Tells whether an assignment of the course is called so; a folder around all may fit, too.

    Raises:
        UsageError: There is no such layout, or nothing in the download fits it.
        CourseError: A layout of the course's is no such expression.
    """
    if layout not in LAYOUTS and layout not in more:
        known = ", ".join([*LAYOUTS, FOLDERS, *more])
        raise UsageError(f"--from {name_shown(layout)} is not a platform that is known. Write one of {known}.")
    if layout == "gradescope":
        return _gradescope(listing, shown)
    patterns = [_own_pattern(layout, more[layout])] if layout in more else [*map(re.compile, LAYOUTS[layout])]
    ways = [[(file, _fit(patterns, file.where)) for file in inner.files] for inner in listing.ways]
    ways = [way for way in ways if any(fit is not None for _, fit in way)]
    if not ways:
        raise UsageError(f"{shown} holds no file with a name as in a download from {layout}. Check --from.")

    def says_known(fit: dict[str, str] | None) -> bool:
        return fit is not None and (not fit["assignment"] or is_assignment(fit["assignment"]))

    read = next((way for way in ways if any(says_known(fit) for _, fit in way)), ways[0])
    nobodys = [file for file, fit in read if fit is None and file.name not in OF_PLATFORMS]
    fits = [(file, fit) for file, fit in read if fit is not None]
    others = {name: count for inner in listing.ways for name, count in _fits(inner).items()}
    if layout in LAYOUTS and (more_likely := [name for name, count in others.items() if count > len(fits)]):
        raise UsageError(
            f"{shown} holds {len(fits)} files with names as in a download from {layout}, and {others[more_likely[0]]} "
            f"as in one from {more_likely[0]}. Check --from."
        )
    if layout == "blackboard":
        receipts = {fit["student"]: file for file, fit in fits if fit["file"] == file.where}
        users = _users({fit["student"] for _, fit in fits}, receipts)
        titles = sorted({head.removesuffix(f"_{user}") for head, user in users.items()})
        if len(titles) > 1 and receipts:
            raise UsageError(
                f"{shown} holds attempts at {' and '.join(map(name_shown, titles[:2]))}. Give the download of one "
                "assignment."
            )
        for _, fit in fits:
            fit["student"] = users[fit["student"]]
    grouped: defaultdict[tuple[str, ...], list[tuple[File, dict[str, str]]]] = defaultdict(list)
    for file, fit in fits:
        grouped[fit["student"], fit["assignment"], fit["when"], fit["number"]].append((file, fit))
    return Download([_attempt(handed, layout) for handed in grouped.values()], nobodys)


def _own_pattern(name: str, text: str) -> re.Pattern[str]:
    try:
        pattern = re.compile(text)
    except re.error as problem:
        raise CourseError(f"The layout {name!r} in course.toml is not a regular expression: {problem}.") from None
    if missing := {"student", "file"} - {*pattern.groupindex}:
        raise CourseError(f"The layout {name!r} in course.toml has no group {missing.pop()!r}. Write (?P<student>...).")
    return pattern


def _fit(patterns: Iterable[re.Pattern[str]], where: str) -> dict[str, str] | None:
    """Return what the first pattern that fits says; two of one name are told apart by their number."""
    match = next(filter(None, (pattern.fullmatch(where) for pattern in patterns)), None)
    if match is None:
        return None
    fit = dict.fromkeys(("student", "file", "id", "assignment", "when", "number", "late"), "")
    fit |= {name: text for name, text in match.groupdict().items() if text}
    fit["student"] += f"_{fit['id']}" if fit["id"] else ""
    return fit


def _attempt(handed: Sequence[tuple[File, dict[str, str]]], layout: str) -> Attempt:
    first, fit = handed[0]
    stamps = [file for file, _ in handed if layout == "nbgrader" and file.name == "timestamp.txt"]
    return Attempt(
        student=fit["student"],
        assignment=fit["assignment"],
        files=tuple(msgspec.structs.replace(file, where=its["file"]) for file, its in handed if file not in stamps),
        when=time_of(fit["when"] or (_text(stamps[0], 1000) if stamps else "")),
        number=int(fit["number"]) if fit["number"].isdecimal() else None,
        late=True if any(its["late"] for _, its in handed) else None,
        uploaded=first.where,
    )


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


def _users(heads: set[str], receipts: Mapping[str, File]) -> dict[str, str]:
    """Return the user in each name of Blackboard's, `TITLE_USER`, both of which may hold an underscore.

    A receipt of that name that begins with `Name: Ann Lee (alee)` says it; else the title is what all of them begin
    with.
    """
    shared = os.path.commonprefix([f"{head}_" for head in heads])  # noqa: RUF071 - of names, not of paths
    title = shared[: shared.rfind("_") + 1] if len(heads) > 1 else ""
    users = {head: head.removeprefix(title) if title else head.rpartition("_")[2] for head in heads}
    for head, file in receipts.items():
        named = RECEIPT_NAME.match(_text(file, 100_000))
        if named and head.endswith(f"_{named[1]}"):
            users[head] = named[1]
    return users


def _text(file: File, limit: int) -> str:
    try:
        return file.read(limit)[0].decode("utf-8-sig", "replace")
    except OSError:
        return ""


def _gradescope(listing: Listing, shown: str) -> Download:
    """Return what Gradescope exported: a folder for each submission, and a file that says whose each is."""
    import yaml

    inner = next((tree for tree in listing.ways if any(f.where == METADATA for f in tree.files)), None)
    if inner is None:
        raise UsageError(f"{shown} holds no {METADATA}, so nothing says whose what is. Export again.")
    text = _text(next(file for file in inner.files if file.where == METADATA), MOST_METADATA)
    try:
        told = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        people = {str(folder): (_submitters(folder, entry), entry.get(":created_at")) for folder, entry in told.items()}
    except (yaml.YAMLError, AttributeError, TypeError, ValueError, RecursionError):
        raise UsageError(f"{METADATA} is not as Gradescope writes it. Export the submissions again.") from None
    by_folder: defaultdict[str, list[File]] = defaultdict(list)
    for file in inner.files:
        folder, _, rest = file.where.partition("/")
        if rest:
            by_folder[folder].append(msgspec.structs.replace(file, where=rest))
    attempts = [
        Attempt(name, "", tuple(by_folder[folder]), when if isinstance(when, datetime) else None, uploaded=folder)
        for folder, (names, when) in people.items()
        for name in names
    ]
    known = {METADATA, *(attempt.uploaded for attempt in attempts)}
    nobodys = [file for file in inner.files if file.where.partition("/")[0] not in known]
    gone = {attempt.student: attempt.uploaded for attempt in attempts if attempt.uploaded not in inner.folders}
    return Download([attempt for attempt in attempts if attempt.files], nobodys, gone)


def _submitters(folder: str, told: Mapping[str, Any]) -> list[str]:
    """Return what to call the people of a submission: e-mail, number, or name and number of the submission."""
    number = str(folder).removeprefix("submission_")
    names = []
    for person in told.get(":submitters") or []:
        email, sid, name = (
            str(word) if isinstance(word := person.get(key), str | int) else "" for key in (":email", ":sid", ":name")
        )
        names.append(email.lower() or sid or f"{name}_{number}")
    return [name if names.index(name) == at else f"{name} ({at + 1})" for at, name in enumerate(names)]
