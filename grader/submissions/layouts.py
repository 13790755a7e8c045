"""Whose each file of a download is: by regular expressions, matched with the file's path in it.

Their groups are `student` and `file`, and where the platform says so `id` (which tells two of one name apart),
`assignment`, `when` or `number` (of several attempts the newest counts) and `late`. A course adds its own in
`course.toml`: `[layouts] ours = "(?P<student>[^/]+)/hw/(?P<file>.+)"`.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from grader.errors import CourseError, UsageError
from grader.language import N_
from grader.text import composed, name_shown

from .files import File, listing_of
from .names import Course

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
METADATA = "submission_metadata.yml"
SIGNS = {**LAYOUTS, "gradescope": (*LAYOUTS["gradescope"], re.escape(METADATA)), "nbgrader": ()}
"""What a download looks like. nbgrader's folder `submitted` is not told by its names: any class in folders has such."""
BESIDE = ("roster.csv", "overrides.csv")
"""What a teacher puts beside the folder that an unpacked download is in."""
MOST_METADATA = 256 * 1024 * 1024
RECEIPT = re.compile(r"[^\n]*\(([^()\n]+)\)\s*")
TIMES = ("%Y-%m-%d-%H-%M-%S", "%b %d, %Y %I:%M %p")  # of Blackboard, and of Brightspace with a colon put in


def looks_like(files: Sequence[File]) -> str | None:
    """Return the platform whose download a class looks like by most names."""
    for inner in _ways(files):
        fits = {name: sum(_match(signs, file.where) is not None for file in inner) for name, signs in SIGNS.items()}
        likeliest = max(fits, key=lambda name: fits[name])
        if fits[likeliest]:
            return likeliest
    return None


def of_download(path: Path, layout: str, course: Course) -> list[File]:
    """Return what was handed in by a platform's download, and without a student the files that match none.

    Raises:
        UsageError: There is no such layout, nothing fits it, or nothing says whose what is.
        CourseError: A layout of the course's can't be used.
    """
    patterns = _patterns_of(layout, course.layouts)
    if course.assignment is None and not any("(?P<assignment>" in pattern for pattern in patterns):
        raise UsageError(f"A download from {layout} does not say which assignment it is. Add --assignment ID.")
    files, shown = listing_of(path), name_shown(str(path), 200)
    for inner in _ways(files):
        if handed := [fit for file in inner if (fit := _fit(patterns, file, course))]:
            break
    else:
        raise UsageError(f"{shown} holds no file with a name as in a download from {layout}. Check --from.")
    if layout == "blackboard":
        handed = _of_users(handed, shown)
    elif layout == "gradescope":
        handed = _of_submitters(handed, inner, shown)
    elif layout == "nbgrader":
        stamps = [file for file in handed if file.where == "timestamp.txt"]
        times = {(file.student, file.assignment): _text(file, 1000) for file in stamps}
        handed = [replace(file, attempt=times.get((file.student, file.assignment), "")) for file in handed]
    known = {(file.path, file.inside) for file in handed}
    return handed + [file for file in inner if (file.path, file.inside) not in known and file.name != "index.html"]


def _ways(files: Sequence[File]) -> Iterator[Sequence[File]]:
    """Yield files by their paths, and by those below the one folder around all."""
    files = [file for file in files if file.name]
    yield files
    files = [file for file in files if file.where not in BESIDE]
    if len({file.where.partition("/")[0] for file in files}) == 1:
        yield [replace(file, where=file.where.partition("/")[2]) for file in files]


def _patterns_of(layout: str, more: Mapping[str, str]) -> tuple[str, ...]:
    if layout not in {**LAYOUTS, **more}:
        known = ", ".join([*LAYOUTS, FOLDERS, *more])
        raise UsageError(f"--from {name_shown(layout)} is not a platform that is known. Write one of {known}.")
    if layout not in more:
        return LAYOUTS[layout]
    try:
        missing = {"student", "file"} - {*re.compile(more[layout]).groupindex}
    except re.error as problem:
        raise CourseError(f"The layout {layout!r} in course.toml is not a regular expression: {problem}.") from None
    for group in missing:
        raise CourseError(f"The layout {layout!r} in course.toml has no group {group!r}. Write (?P<{group}>...).")
    return (more[layout],)


def _match(patterns: Iterable[str], where: str) -> re.Match[str] | None:
    return next(filter(None, (re.fullmatch(pattern, where) for pattern in patterns)), None)


def _fit(patterns: Iterable[str], file: File, course: Course) -> File | None:
    """Return a file with what the first pattern that fits says; two of one name are told apart by their number."""
    match = _match(patterns, file.where)
    says = {} if match is None else {name: text for name, text in match.groupdict().items() if text}
    id = course.id_of(says.get("assignment", ""))
    if match is None or id is None:
        return None
    return replace(
        file,
        where=says.get("file", ""),
        student=composed("_".join(says[name] for name in ("student", "id") if name in says)),
        assignment=id,
        attempt=says.get("number") or says.get("when", ""),
        late="late" in says,
        uploaded=file.where,
    )


def newest_of(handed: Sequence[File]) -> list[File]:
    """Return the newest of one student's attempts at one assignment; where it is not clear which, all, unread."""
    orders = {file.attempt: _order(file.attempt) for file in handed}
    if len(orders) > 1 and (None in orders.values() or len({*orders.values()}) < len(orders)):
        kind = N_("one of several attempts, and it is not clear which is the newest: keep one")
        return [replace(file, attempt="", where=file.uploaded, kind=kind) for file in handed]
    newest = max(orders, key=lambda attempt: orders[attempt] or 0)
    return [file for file in handed if file.attempt == newest]


def _order(attempt: str) -> float | None:
    when = time_of(attempt)
    if when is None:
        return float(attempt) if attempt.isdecimal() else None
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()


def time_of(text: str) -> datetime | None:
    """Return the time that a name says, such as `Nov 3, 2026 1131 AM`, `2026-11-05 11:02:33 UTC`; None without one."""
    text = text.strip()
    clock = re.sub(r":?(\d\d) ([AP]M)$", r":\1 \2", text)
    for form in TIMES:
        with suppress(ValueError):
            return datetime.strptime(clock, form)
    with suppress(ValueError):
        return datetime.fromisoformat(re.sub(r" ?(UTC|Z)$", "+00:00", text)) if ":" in text else None
    return None


def _text(file: File, limit: int) -> str:
    try:
        return file.read(limit)[0].decode("utf-8-sig", "replace")
    except OSError:
        return ""


def _of_users(handed: Sequence[File], shown: str) -> list[File]:
    """Return the same by the user in each name of Blackboard's, `TITLE_USER`, both of which may hold an underscore.

    A receipt of that name that begins with `Name: Ann Lee (alee)` says it.
    """
    users = {}
    for file in handed:
        receipt = RECEIPT.match(composed(_text(file, 100_000))) if file.where == file.uploaded else None
        if receipt and file.student.endswith(f"_{receipt[1]}"):
            users[file.student] = receipt[1]
    if strange := [file.student for file in handed if file.student not in users]:
        raise UsageError(
            f"{shown} holds no receipt that names the user of {name_shown(strange[0])}. Download it again."
        )
    titles = sorted({student.removesuffix(f"_{user}") for student, user in users.items()})
    if len(titles) > 1:
        names = " and ".join(map(name_shown, titles[:2]))
        raise UsageError(f"{shown} holds attempts at {names}. Give the download of one assignment.")
    return [replace(file, student=users[file.student]) for file in handed]


def _of_submitters(handed: Sequence[File], inner: Sequence[File], shown: str) -> list[File]:
    """Return the same for each of the people of a folder of Gradescope's, and with the folders that are gone.

    A person is called by the e-mail address, the number, or the name and the folder's number.
    """
    import yaml

    metadata = next((file for file in inner if file.where == METADATA), None)
    if metadata is None:
        raise UsageError(f"{shown} holds no {METADATA}, so nothing says whose what is. Export again.")
    by_folder: defaultdict[str, list[File]] = defaultdict(list)
    for file in handed:
        by_folder[file.student].append(replace(file, uploaded=file.student))
    of_submitters = []
    try:  # as texts alone, since a number may begin with 0
        told = yaml.load(_text(metadata, MOST_METADATA), Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
        for folder, entry in told.items():
            kind = N_("a folder without a file in the download")
            gone = replace(handed[0], path=metadata.path, inside=(), where=folder, kind=kind, uploaded=folder)
            people = {
                person.get(":email", "").lower()
                or str(person.get(":sid") or f"{person.get(':name')}_{folder.removeprefix('submission_')}")
                for person in entry.get(":submitters") or []
            }
            attempt = str(entry.get(":created_at", ""))
            for person in sorted(people):
                of_submitters += [
                    replace(file, student=person, attempt=attempt) for file in by_folder[folder] or [gone]
                ]
    except (yaml.YAMLError, AttributeError, TypeError, ValueError, RecursionError):
        raise UsageError(f"{METADATA} is not as Gradescope writes it. Export the submissions again.") from None
    return of_submitters
