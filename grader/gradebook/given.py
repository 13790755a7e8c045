"""Keeps what a teacher said beside the reports, in `given.json`: when things were handed in, and who is in the class.

Neither is in a report, and both are needed whenever the gradebook is worked out anew. A time belongs to the file that
was handed in, known by its hash, so that a later one does not change when the one before it was handed in.
"""

import contextlib
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from pathlib import Path

import msgspec

from grader.errors import UsageError
from grader.records.journal_lines import Place
from grader.records.plain_files import open_plain
from grader.results.counted import Days
from grader.results.report import SCHEMA_VERSION, Part, Version, to_json
from grader.results.report_json import decode_document
from grader.results.write import ReportsFolder
from grader.text import name_shown

from .lateness import instant

NAME = "given.json"


class Submitted(Part, frozen=True, kw_only=True):
    """When something was handed in; one of both may be missing.

    Attributes:
        at: The time as it was said, with or without a time zone.
        late_days: How many days late it was, where that was said; it counts before the time.
    """

    at: datetime | None = None
    late_days: Days | None = None

    def instant(self, zone: tzinfo | None) -> datetime | None:
        """Return the time with its zone, to the second as due dates are; None without a time, or without a zone."""
        return None if self.at is None else instant(self.at.replace(microsecond=0), zone, later=False)


class SubmittedFile(Submitted, frozen=True, kw_only=True):
    """The same of one file that was handed in.

    Attributes:
        submission: The hash of the file, as the journal has it.
    """

    student: str
    assignment: str
    submission: str


class Person(Part, frozen=True, kw_only=True):
    """Somebody on the roster.

    Attributes:
        student: The name of the folder; of somebody without one what the roster has in its place.
        identities: What else the roster says of the person, by its column.
    """

    student: str
    name: str = ""
    email: str = ""
    identities: dict[str, str] = msgspec.field(default_factory=dict)


class Given(Part, frozen=True, kw_only=True):
    """What was said.

    Attributes:
        people: Who is on the roster; None where there was none.
        platform: The platform's table that the roster is, which does not know the folders; empty for a roster.csv.
    """

    schema_version: Version = SCHEMA_VERSION
    times: tuple[SubmittedFile, ...] = ()
    people: list[Person] | None = None
    platform: str = ""

    def time_of(self) -> dict[tuple[str, str, str], SubmittedFile]:
        """Return the times by student, assignment and the file's hash."""
        return {(each.student, each.assignment, each.submission): each for each in self.times}

    def with_times(
        self, said: Mapping[Place, Submitted], by_platform: Mapping[Place, datetime], files: Mapping[Place, str]
    ) -> tuple["Given", list[Place]]:
        """Return the same with times of the files that are there now, and for whom the same was said of another file.

        Such a time is left out: it is from before the file changed. Such a number of days is taken, since two files can
        have the same.

        Args:
            said: What a person says, by student and assignment: it replaces what was known of the file; an empty
                time takes that back.
            by_platform: What the platform's download says, likewise. It counts where nothing is known of the file yet:
                handing the same file in once more does not make it late.
            files: The hash of what is there, likewise; what is not there has no time.
        """
        known = self.time_of()
        before: defaultdict[Place, dict[str, Submitted]] = defaultdict(dict)
        for one in self.times:
            before[one.student, one.assignment][one.submission] = Submitted(at=one.at, late_days=one.late_days)
        old = [
            place
            for place, each in said.items()
            if place in files and each in before[place].values() and before[place].get(files[place]) != each
        ]
        for place in [place for place, each in said.items() if each == Submitted() and place in files]:
            known.pop((*place, files[place]), None)
        said = {place: each for place, each in said.items() if each != Submitted() and not (place in old and each.at)}
        for place in [each for each in (*by_platform, *said) if each in files]:
            key = (*place, files[place])
            if place in said or key not in known:
                each = said.get(place) or Submitted(at=by_platform[place])
                known[key] = SubmittedFile(
                    student=place[0],
                    assignment=place[1],
                    submission=files[place],
                    at=each.at,
                    late_days=each.late_days,
                )
        return msgspec.structs.replace(self, times=tuple(known[key] for key in sorted(known))), old


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Let nobody else change what was said of a reports folder meanwhile, where its file system has locks."""
    import fcntl  # Not there on Windows, where this module is imported but nothing is written.

    with contextlib.ExitStack() as held:
        with contextlib.suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            held.callback(os.close, descriptor)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield


def join_given(folders: Sequence[Path], output: Path) -> None:
    """Keep in a folder of merged reports what was said of its parts; what is known there already, or first, stays.

    Raises:
        UsageError: A file is torn or not of this version.
        OutputError: It could not be written.
    """
    every = [read_given(folder) for folder in (output, *folders)]
    times = {key: said for each in reversed(every) for key, said in each.time_of().items()}
    roster = next((each for each in every if each.people is not None), Given())
    joined = msgspec.structs.replace(roster, times=tuple(times[key] for key in sorted(times)))
    if joined != Given():
        ReportsFolder(output).write_beside(NAME, to_json(joined))


def read_given(folder: Path) -> Given:
    """Return what was said of a reports folder; nothing where there is no such file.

    Raises:
        UsageError: It is torn or not of this version.
    """
    try:
        with open_plain(folder / NAME) as file:
            return decode_document(file.read(), Given)
    except FileNotFoundError:
        return Given()
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        found = f"{name_shown(str(folder / NAME))} is torn or not of this version."
        hint = "Remove it, and give --times and --roster again."
        raise UsageError("What was said of the class before was looked for.", found, hint) from None
