"""The account of an output folder: a line for each report that was ever written there, the newest last.

It says where a run that was stopped has to go on, which reports are as they should be, and what a student's score was
before. Each line is sealed with the course's secret; a line that was cut short or changed counts as not written.
"""

import contextlib
import errno
import os
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import msgspec

from grader.errors import UsageError
from grader.results.report import ExerciseBase, Report, fields_of
from grader.results.report_json import require_points
from grader.results.summary import Row, row_exercise
from grader.results.verdict import Status
from grader.results.write import output_errors
from grader.text import name_shown

from .plain_files import Seal, open_plain

NAME = "journal.jsonl"
UNREADABLE = "Make it a plain file that you may read, or name another folder."
Place = tuple[str, str]
"""A submission, by student and assignment."""


class ExerciseLine(ExerciseBase, frozen=True, kw_only=True, forbid_unknown_fields=False):
    """One exercise of a graded submission; `checks` has the status of each check by its id."""

    checks: dict[str, Status]


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One report that was written.

    Attributes:
        run: When the run began that wrote it, to the microsecond; the same for all lines of a run. It is a name, and
            says nothing of the order.
        at: When the submission was graded, in UTC by ISO 8601.
        written: When the report was written, likewise.
        kit, suite, submission: Hashes of the kit's sources, of the assignment's suite, and of what was handed in.
        result, key: Hashes of everything that decided the result, and of everything that decided the report.
        report, copy: SHA-256 of the instructor's copy and of the student's.
        problem: Why it could not be graded; None when it was.
        klass: A hash of where the class was; empty where the run was not over a whole class.
    """

    run: str
    student: str
    assignment: str
    at: str
    written: str
    kit_version: str
    kit: str
    suite: str
    submission: str
    result: str
    key: str
    report: str
    copy: str
    score: Decimal
    max_score: Decimal
    problem: str | None
    exercises: list[ExerciseLine]
    klass: str = ""

    def __post_init__(self) -> None:
        require_points(self.score, self.max_score)

    @property
    def place(self) -> Place:
        """Whose report it is, and for which assignment."""
        return self.student, self.assignment

    def row(self) -> Row:
        """Return what the class's tables need."""
        return Row(
            student=self.student,
            assignment=self.assignment,
            score=self.score,
            max_score=self.max_score,
            problem=self.problem,
            exercises=[row_exercise(each) for each in self.exercises],
            checks=dict(Counter(status for each in self.exercises for status in each.checks.values())),
        )


def line_of(report: Report, /, **known: str) -> Line:
    """Return a report in the journal's form; `known` is what only the run knows, and the rest of that is empty."""
    only_the_run_knows = ("run", "written", "kit", "suite", "submission", "result", "key", "report", "copy")
    return Line(
        student=report.student,
        assignment=report.assignment,
        at=report.started,
        kit_version=report.kit_version,
        score=report.score,
        max_score=report.max_score,
        problem=report.problem,
        exercises=[
            ExerciseLine(**fields_of(each, ExerciseBase), checks={check.id: check.status for check in each.checks})
            for each in report.exercises
        ],
        **{**dict.fromkeys(only_the_run_knows, ""), **known},
    )


class SealedLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line as it is in the file."""

    seal: str
    line: msgspec.Raw


class Newest(NamedTuple):
    """What is held in memory of a submission's newest line: little, since a class may have thousands."""

    offset: int
    key: str
    klass: str


class Journal:
    """The journal of one output folder.

    Args:
        folder: The output folder.
        secret: The key of the seals; None reads without asking for them, for looking only.
        announced: How many bytes of it finished runs have announced; None where that is not known, so that all of it
            counts as announced.

    Attributes:
        damaged_lines: How many lines are not whole.
        announced_bytes: How many bytes a run that ends now announces: those that were there and those that it added
            behind them. Lines that another run added meanwhile, and what follows them, are left to the next run.

    Raises:
        UsageError: There is a journal, and it cannot be read.
    """

    def __init__(self, folder: Path, secret: bytes | None, announced: int | None = None) -> None:
        self.path = folder / NAME
        self.damaged_lines = 0
        self.announced_bytes = 0
        self._seal = Seal(secret, "journal") if secret is not None else None
        self._descriptor = -1
        self._newest: dict[Place, Newest] = {}
        self._announced: dict[Place, int] = {}
        for text in self._texts():
            line, holds = self._read(text)
            if line is not None and (announced is None or self.announced_bytes < announced):
                self._announced[line.place] = self.announced_bytes
            if line is not None and holds:
                self._newest[line.place] = Newest(self.announced_bytes, line.key, line.klass)
            else:
                self.damaged_lines += bool(text.strip())
            self.announced_bytes += len(text)

    def places(self, klass: str = "") -> set[Place]:
        """Return every submission with a whole line, or those whose newest one is of a class that was there."""
        return {place for place, newest in self._newest.items() if not klass or newest.klass == klass}

    def newest(self, place: Place, key: str | None = None) -> Line | None:
        """Return the newest line of a submission; None when there is none, or its report was decided by another key."""
        found = self._newest.get(place)
        if found is None or key not in (None, found.key):
            return None
        line, holds = self._line_at(found.offset, place)
        return line if line is not None and holds and key in (None, line.key) else None

    def is_announced(self, place: Place) -> bool:
        """Return whether the newest line of a submission was announced to a teacher."""
        return place in self._newest and self._announced.get(place) == self._newest[place].offset

    def unannounced(self) -> list[Place]:
        """Return the submissions whose newest line was not announced to a teacher before this run."""
        return [place for place in self._newest if not self.is_announced(place)]

    def last_announced(self, place: Place) -> Line | None:
        """Return the line of a submission that was last announced before this run; None when none was.

        A new score is compared with it, so a line that was made with another secret counts as well.
        """
        return self._line_at(self._announced.get(place), place)[0]

    def lines(self) -> Iterator[Line]:
        """Give every whole line, oldest first."""
        for text in self._texts():
            line, holds = self._read(text)
            if line is not None and holds:
                yield line

    def append(self, line: Line) -> None:
        """Add a line; to be called only where the secret is known.

        Raises:
            OutputError: It could not be written.
        """
        assert self._seal is not None
        text = _encode(line)
        whole = _encode(SealedLine(seal=self._seal.of(text), line=msgspec.Raw(text))) + b"\n"
        with output_errors(self.path):
            if self._descriptor < 0:
                flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
                self._descriptor = os.open(self.path, flags, 0o600)
            begin = size = os.fstat(self._descriptor).st_size
            if size and os.pread(self._descriptor, 1, size - 1) != b"\n":  # the last writer was cut off in a line
                os.write(self._descriptor, b"\n")
                size += 1
            if os.write(self._descriptor, whole) != len(whole):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._newest[line.place] = Newest(size, line.key, line.klass)
        if self.announced_bytes == begin:
            self.announced_bytes = size + len(whole)

    def close(self) -> None:
        """Make what was added durable and let go of the file."""
        if self._descriptor >= 0:
            with contextlib.suppress(OSError):
                os.fsync(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = -1

    def _line_at(self, offset: int | None, place: Place) -> tuple[Line | None, bool]:
        """Return the line that begins there if it is one of this submission, and whether its seal holds."""
        line, holds = None, False
        if offset is not None:
            with contextlib.suppress(OSError), open_plain(self.path) as file:
                file.seek(offset)
                line, holds = self._read(file.readline())
        return (line, holds) if line is not None and line.place == place else (None, False)

    def _texts(self) -> Iterator[bytes]:
        try:
            file = open_plain(self.path)
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as problem:
            found = f"{name_shown(str(self.path), 200)} cannot be read: {problem.strerror}."
            raise UsageError("The account of earlier runs was looked for.", found, UNREADABLE) from None
        with file:
            yield from file

    def _read(self, text: bytes) -> tuple[Line | None, bool]:
        """Return what a line of the file says, None where it is not a line, and whether its seal holds."""
        try:
            sealed = _sealed.decode(text)
            line = _line.decode(sealed.line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return None, False
        return line, self._seal is None or self._seal.holds(sealed.seal, bytes(sealed.line))


_encode = msgspec.json.Encoder(decimal_format="string").encode
_sealed = msgspec.json.Decoder(SealedLine)
_line = msgspec.json.Decoder(Line)
