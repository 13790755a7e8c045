"""Reads the gradebook of a reports folder for whoever shows points or carries them elsewhere, and refuses an old one.

A gradebook says of which bytes it was made and until when it holds. Where any of these is another now, or the course
has rules that were never applied, a grade would be a wrong one.
"""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import msgspec

from grader.course.output_place import is_course
from grader.errors import UsageError
from grader.records.announced_scores import SUMMARY
from grader.records.journal import NAME as JOURNAL
from grader.records.journal_lines import Place
from grader.records.plain_files import open_plain
from grader.results.counted import Entry, Gradebook, PolicySource
from grader.results.report_json import decode_document
from grader.text import name_shown, one_line

from .given import NAME as GIVEN
from .policy import NAME as POLICY

NAME = "gradebook.json"
SOURCES = (JOURNAL, SUMMARY, GIVEN)
AGAIN = "Give `grader apply` again."


def sources_in(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of a reports folder of which a gradebook is made, by its name."""
    found = {}
    for name in SOURCES:
        try:
            found[name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        except OSError:
            continue
    return found


def current_gradebook(folder: Path) -> Gradebook | None:
    """Return the gradebook of a reports folder; None where there is none and the course has no rules.

    Raises:
        UsageError: It is torn, something that it was made of was changed since, a due date has passed, or the rules
            of the course were never applied.
    """
    book = read_gradebook(folder)
    if book is None or book.policy is None:
        _refuse_unapplied(folder)
    if book is None:
        return None
    now, found = sources_in(folder), ""
    changed = [name for name in SOURCES if now.get(name) != book.sources.get(name)]
    if book.policy is not None and _is_other(book.policy, folder):
        changed.insert(0, one_line(book.policy.file))
    if changed:
        found = f"{name_shown(changed[0], 200)} was changed after {NAME} was made."
    elif book.valid_until is not None and datetime.fromisoformat(book.valid_until) < datetime.now(UTC):
        found = f"{NAME} was made before a due date that has passed since: {book.valid_until}."
    if found:
        raise UsageError("The points that count were looked for.", found, AGAIN)
    return book


def _is_other(policy: PolicySource, folder: Path) -> bool:
    """Return whether the rules are another text now, or gone.

    Where the folder that they were in is not here, the course was moved: then those of the course around count.
    """
    place = Path(policy.file)
    if place.name == POLICY and not place.parent.is_dir():
        place = _rules_around(folder) or place
    try:
        return hashlib.sha256(place.read_bytes()).hexdigest() != policy.sha256
    except OSError:
        return place.parent.is_dir()


def _rules_around(folder: Path) -> Path | None:
    """Return the rules of the course that a reports folder is in, or that is around here; None where there are none."""
    here, there = folder.resolve(), Path.cwd()
    course = next((place for place in (here, *here.parents, there, *there.parents) if is_course(place)), None)
    return course / POLICY if course is not None and (course / POLICY).exists() else None


def _refuse_unapplied(folder: Path) -> None:
    """Refuse graded reports to which the rules of a course were not applied that is around them, or around here."""
    if (folder / JOURNAL).is_file() and (rules := _rules_around(folder)) is not None:
        found = (
            f"{name_shown(str(rules.parent), 200)} has a {POLICY}, which was not applied to "
            f"{name_shown(str(folder), 200)}."
        )
        raise UsageError("The points that count were looked for.", found, "Give `grader apply`.")


def read_gradebook(folder: Path) -> Gradebook | None:
    """Return the gradebook of a reports folder; None where there is none.

    Raises:
        UsageError: It is torn or not of this version.
    """
    try:
        with open_plain(folder / NAME) as file:
            return decode_document(file.read(), Gradebook)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        found = f"{name_shown(str(folder / NAME))} is torn or not of this version."
        raise UsageError("The points that count were looked for.", found, AGAIN) from None


def gradebook_for(folder: Path, reports: Mapping[Place, tuple[str, Decimal | None]]) -> Gradebook | None:
    """Return the gradebook of a reports folder, if it is of these reports; None where there is none.

    Args:
        reports: The SHA-256 and the points of each report, None for one that could not be graded.

    Raises:
        UsageError: It is torn or old, or the rules were never applied.
    """
    book = current_gradebook(folder)
    if book is None:
        return None
    entries = book.by_place()
    for place, (sha256, raw) in reports.items():
        entry_of(entries, place, sha256, raw)
    left = [each for each in book.entries if each.report is not None and (each.student, each.assignment) not in reports]
    if left:
        found = f"{NAME} counts {name_shown(left[0].student)} in {left[0].assignment}, without a report any more."
        raise UsageError("The points that count were looked for.", found, AGAIN)
    return book


def entry_of(entries: Mapping[Place, Entry], place: Place, sha256: str, raw: Decimal | None) -> Entry:
    """Return the entry of a report, given its SHA-256 and its points.

    Raises:
        UsageError: It is not of this report.
    """
    entry = entries.get(place)
    if entry is not None and (entry.report, entry.raw) == (sha256, raw):
        return entry
    found = f"{NAME} is older than the report of {name_shown(place[0])} for {place[1]}."
    raise UsageError("The points that count were looked for.", found, AGAIN)
