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
from grader.text import composed, name_shown

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


class HandedIn(msgspec.Struct, frozen=True):
    """A file that somebody handed in.

    Attributes:
        file: It, by its path in what was handed in with it.
        attempt: When that was, or which attempt of several, as the platform writes it; empty where it does not say.
        late: Whether the platform says that it came late.
        uploaded: Its path in the download, or that of the folder of all that was handed in with it.
    """

    student: str
    assignment: str
    file: File
    attempt: str
    late: bool
    uploaded: str

    @property
    def place(self) -> tuple[str, str]:
        """Whose it is, and for which assignment."""
        return self.student, self.assignment


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
) -> tuple[list[HandedIn], list[File]]:
    """Return what was handed in, and the files that match no student.

    Args:
        shown: The folder or zip file, for sentences.
        patterns: Those of the layout.
        id_of: Returns the assignment that is called so, or the one that is graded for an empty name.

    Raises:
        UsageError: Nothing in the download fits, or nothing says whose what is.
    """
    for inner in listing.ways():
        handed = [fit for file in inner.files if (fit := _fit(patterns, file, id_of))]
        if handed:
            break
    else:
        hint = " Give the folder that `nbgrader collect` fills." if layout == "nbgrader" else ""
        raise UsageError(f"{shown} holds no file with a name as in a download from {layout}. Check --from.{hint}")
    likeliest = looks_like(listing)
    if layout in LAYOUTS and layout != "nbgrader" and likeliest not in (None, layout):
        raise UsageError(f"{shown} has most names as in a download from {likeliest}. Check --from.")
    if layout == "blackboard":
        handed = _of_users(handed, shown)
    elif layout == "gradescope":
        handed = _of_submitters(handed, inner, shown)
    elif layout == "nbgrader":
        times = {work.place: _text(work.file, 1000) for work in handed if work.file.where == "timestamp.txt"}
        handed = [msgspec.structs.replace(work, attempt=times.get(work.place, "")) for work in handed]
    known = {(work.file.path, work.file.inside) for work in handed}
    return handed, [
        file for file in inner.files if (file.path, file.inside) not in known and file.name not in OF_PLATFORMS
    ]


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


def _fit(patterns: Iterable[re.Pattern[str]], file: File, id_of: Callable[[str], str | None]) -> HandedIn | None:
    """Return what the first pattern that fits says; two of one name are told apart by their number."""
    match = _match(patterns, file.where)
    if match is None:
        return None
    says = dict.fromkeys(("id", "assignment", "when", "number", "late"), "")
    says |= {name: text or "" for name, text in match.groupdict().items()}
    assignment = id_of(says["assignment"])
    if assignment is None:
        return None
    return HandedIn(
        student=composed(says["student"] + (f"_{says['id']}" if says["id"] else "")),
        assignment=assignment,
        file=msgspec.structs.replace(file, where=says["file"]),
        attempt=says["number"] or says["when"],
        late=bool(says["late"]),
        uploaded=file.where,
    )


def newest_of(handed: Sequence[HandedIn]) -> list[HandedIn]:
    """Return the newest of one student's attempts at one assignment; nothing where it is not clear which that is."""
    orders = {work.attempt: _order(work.attempt) for work in handed}
    if len(orders) > 1 and (None in orders.values() or len({*orders.values()}) < len(orders)):
        return []
    newest = max(orders, key=lambda attempt: orders[attempt] or 0)
    return [work for work in handed if work.attempt == newest]


def _order(attempt: str) -> float | None:
    if attempt.isdecimal():
        return int(attempt)
    when = time_of(attempt)
    return None if when is None else when.replace(tzinfo=UTC).timestamp()


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


def _text(file: File, limit: int) -> str:
    try:
        return file.read(limit)[0].decode("utf-8-sig", "replace")
    except OSError:
        return ""


def _of_users(handed: Iterable[HandedIn], shown: str) -> list[HandedIn]:
    """Return the same by the user in each name of Blackboard's, `TITLE_USER`, both of which may hold an underscore.

    A receipt of that name that begins with `Name: Ann Lee (alee)` says it.
    """
    receipts = {
        work.student: composed(_text(work.file, 100_000)) for work in handed if work.file.where == work.uploaded
    }
    titles: set[str] = set()
    of_users = []
    for work in handed:
        receipt = RECEIPT_NAME.match(receipts.get(work.student, ""))
        if receipt is None or not work.student.endswith(f"_{receipt[1]}"):
            raise UsageError(
                f"{shown} holds no receipt that names the user of {name_shown(work.student)}. Download it again."
            )
        titles.add(work.student.removesuffix(f"_{receipt[1]}"))
        of_users.append(msgspec.structs.replace(work, student=receipt[1]))
    if len(titles) > 1:
        names = " and ".join(map(name_shown, sorted(titles)[:2]))
        raise UsageError(f"{shown} holds attempts at {names}. Give the download of one assignment.")
    return of_users


def _of_submitters(handed: Sequence[HandedIn], inner: Listing, shown: str) -> list[HandedIn]:
    """Return the same for each of the people of a folder of Gradescope's, and with the folders that are gone.

    A person is called by the e-mail address, the number, or the name and the folder's number.
    """
    import yaml

    file = next((file for file in inner.files if file.where == METADATA), None)
    if file is None:
        raise UsageError(f"{shown} holds no {METADATA}, so nothing says whose what is. Export again.")
    by_folder: defaultdict[str, list[HandedIn]] = defaultdict(list)
    for work in handed:
        by_folder[work.student].append(msgspec.structs.replace(work, uploaded=work.student))
    of_submitters = []
    try:  # as texts alone, since a number may begin with 0
        told = yaml.load(_text(file, MOST_METADATA), Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
        for folder, entry in told.items():
            if folder not in inner.folders:
                gone = File(file.path, folder, kind=N_("a folder that is not in the download"))
                by_folder[folder] = [msgspec.structs.replace(handed[0], file=gone, uploaded=folder)]
            names = {
                person.get(":email", "").lower()
                or str(person.get(":sid") or f"{person.get(':name')}_{folder.removeprefix('submission_')}")
                for person in entry.get(":submitters") or []
            }
            facts = [{"student": name, "attempt": str(entry.get(":created_at", ""))} for name in sorted(names)]
            of_submitters += [msgspec.structs.replace(work, **fact) for fact in facts for work in by_folder[folder]]
    except (yaml.YAMLError, AttributeError, TypeError, ValueError, RecursionError):
        raise UsageError(f"{METADATA} is not as Gradescope writes it. Export the submissions again.") from None
    return of_submitters
