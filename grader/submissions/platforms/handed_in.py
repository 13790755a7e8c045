"""What a platform's names say of a download: whose each file or folder is, and which attempt of several it is of."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from grader.system.folder_listing import bytes_of, kind_of

LONGEST_TEXT = 256 * 1024 * 1024


class Listing(msgspec.Struct, frozen=True):
    """A folder or zip file that may be a platform's download.

    Attributes:
        entries: The file modes by name, without what belongs to a tool.
        stems: The file names without suffix of the course's assignments, by id.
        asked: Whether the teacher said which platform it is of.
    """

    path: Path
    entries: Mapping[str, int]
    stems: Mapping[str, str]
    asked: bool = False

    @property
    def title(self) -> str:
        """Its name without `.zip`."""
        name = Path(os.path.abspath(self.path)).name  # noqa: PTH100 - resolve() would follow links
        return name[:-4] if name.lower().endswith(".zip") else name

    @property
    def folders(self) -> dict[str, int]:
        """The entries that are folders."""
        return {name: mode for name, mode in self.entries.items() if kind_of(mode) == "a folder"}

    def named(self, *shapes: re.Pattern[str]) -> dict[str, re.Match[str]]:
        """Return the entries whose names have one of some shapes, each with the first that fits."""
        fits = {name: next(filter(None, (shape.fullmatch(name) for shape in shapes)), None) for name in self.entries}
        return {name: fit for name, fit in fits.items() if fit}

    def text(self, name: str) -> str:
        """Return the text of a file that the platform wrote; empty where it can't be had."""
        try:
            raw, _, size = bytes_of(self.path / name, LONGEST_TEXT)
        except OSError:
            return ""
        return raw.decode("utf-8-sig", "replace") if size <= LONGEST_TEXT else ""


class HandedIn(msgspec.Struct, frozen=True):
    """One file in a download, or the folder of one attempt.

    Attributes:
        name: Its name in the download.
        file: The name that the student gave it; empty for the folder of an attempt.
        mode: Its file mode; 0 where the platform lists it and it is not there.
        part: What has attempts of its own: an assignment of nbgrader's, a title of Blackboard's, a question of
            PrairieLearn's; else empty.
        when: When it was handed in, with a time zone where the platform says one; None where it says no time.
        number: Which attempt it is of, where the platform counts them.
        late: Whether the platform says that it came late; None where it does not say.
    """

    student: str
    name: str
    mode: int
    file: str = ""
    part: str = ""
    when: datetime | None = None
    number: int | None = None
    late: bool | None = None

    @property
    def stem(self) -> str:
        """The name that the student gave it, without suffix."""
        return Path(self.file).stem

    @property
    def order(self) -> float | None:
        """What is larger of a later attempt; None where nothing says which is later."""
        if self.number is not None or self.when is None:
            return self.number
        return (self.when if self.when.tzinfo else self.when.replace(tzinfo=UTC)).timestamp()


class StudentAttempts(msgspec.Struct, frozen=True):
    """One student's attempts at one thing.

    Attributes:
        newest: The folder of the newest attempt, or its files.
        older: The names of what is in older ones.
        unsure: Whether no name tells which is the newest.
    """

    student: str
    part: str
    newest: tuple[HandedIn, ...]
    older: tuple[str, ...] = ()
    attempts: int = 1
    unsure: bool = False

    @property
    def note(self) -> str:
        """What of them counts, up to the name."""
        what = "time" if self.newest[0].number is None else "number"
        return f"Of {self.attempts} attempts the newest by the platform's {what} counts"


def attempts_of(handed: Iterable[HandedIn]) -> list[StudentAttempts]:
    """Return what was handed in by student and part; files of one time are one attempt, and so are those of none."""
    grouped: dict[tuple[str, str], list[HandedIn]] = {}
    for one in handed:
        grouped.setdefault((one.student, one.part), []).append(one)
    return [newest_of(some) for some in grouped.values()]


def newest_of(handed: Sequence[HandedIn]) -> StudentAttempts:
    """Return which of one student's attempts at one thing is the newest."""
    orders = {one.order for one in handed}
    last = max((order for order in orders if order is not None), default=None)
    newest = [one for one in handed if one.order == last]
    folders = not handed[0].file
    unsure = folders and len(handed) > 1 and (None in orders or len(newest) > 1)
    chosen = tuple(newest[:1] if folders else newest)
    older = tuple(one.name for one in handed if one not in chosen)
    count = len(handed) if folders else len(orders)
    return StudentAttempts(handed[0].student, handed[0].part, chosen, older, count, unsure)
