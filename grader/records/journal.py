"""The account of an output folder: a line for each report that was ever written there, the newest last.

It says where a run that was stopped has to go on, which reports are as they should be, and what a student's score was
before. Each line is sealed with the course's secret; a line that was cut short or changed counts as not written.
"""

import contextlib
import errno
import hashlib
import os
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import msgspec

from grader.errors import UsageError
from grader.results.report import ExerciseStatus
from grader.results.report_json import require_points
from grader.results.summary import Row, shared_exercise
from grader.results.verdict import Status
from grader.results.write import output_errors
from grader.text import name_shown

from .hmac_seal import Seal
from .plain_files import open_plain

NAME = "journal.jsonl"
UNREADABLE = "Make it a plain file that you may read, or name another folder."


class ExerciseLine(msgspec.Struct, frozen=True, kw_only=True):
    """One exercise of a graded submission; `checks` has the status of each check by its id."""

    id: str
    title: str
    score: Decimal
    max_score: Decimal
    status: ExerciseStatus
    checks: dict[str, Status]

    def __post_init__(self) -> None:
        require_points(self.score, self.max_score)


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One report that was written.

    Attributes:
        run: When the run began that wrote it, to the microsecond; the same for all lines of a run. It is a name, and
            says nothing of the order.
        student: The student's name.
        assignment: The assignment's id.
        at: When the submission was graded, in UTC by ISO 8601.
        written: When the report was written, likewise.
        kit_version: The version of the kit that graded.
        kit: The hash of that kit's sources.
        suite: The hash of the assignment's suite.
        submission: The hash of what was handed in.
        result: The hash of everything that decided the result.
        key: The hash of everything that decided the report.
        report: SHA-256 of the instructor's copy.
        copy: SHA-256 of the student's copy.
        score: Points that were reached.
        max_score: Points that can be reached.
        problem: Why it could not be graded; None when it was.
        exercises: What each exercise came to.
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

    def row(self) -> Row:
        """Return what the class's tables need."""
        statuses = [status for each in self.exercises for status in each.checks.values()]
        return Row(
            student=self.student,
            assignment=self.assignment,
            score=self.score,
            max_score=self.max_score,
            problem=self.problem,
            exercises=[
                shared_exercise(each.id, each.title, each.score, each.max_score, each.status) for each in self.exercises
            ],
            checks={status: statuses.count(status) for status in dict.fromkeys(statuses)},
        )


class SealedLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line as it is in the file."""

    seal: str
    line: msgspec.Raw


class LineKey(msgspec.Struct, frozen=True):
    """What is held in memory of a line: little, since a class may have thousands."""

    student: str
    assignment: str
    key: str
    klass: str = ""


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
        self._seal = Seal(secret, "journal") if secret is not None else None
        self._descriptor = -1
        self._latest: dict[tuple[str, str], tuple[int, LineKey]] = {}
        self._announced: dict[tuple[str, str], int] = {}
        offset = 0
        for text in self._texts():
            written = _written(text)
            if written is None:
                self.damaged_lines += bool(text.strip())
            else:
                self._note(written, offset, announced)
            offset += len(text)
        self.announced_bytes = offset

    def _note(self, written: SealedLine, offset: int, announced: int | None) -> None:
        brief = _brief.decode(written.line)
        place = brief.student, brief.assignment
        if announced is None or offset < announced:
            self._announced[place] = offset
        if self._holds(written):
            self._latest[place] = offset, brief
        else:
            self.damaged_lines += 1

    def __len__(self) -> int:
        return len(self._latest)

    def key_of(self, student: str, assignment: str) -> str | None:
        """Return the key of the newest report of a submission; None when there is none."""
        found = self._latest.get((student, assignment))
        return None if found is None else found[1].key

    def places(self, klass: str = "") -> set[tuple[str, str]]:
        """Return every submission with a whole line, or those whose newest one is of a class that was there."""
        return {place for place, (_, brief) in self._latest.items() if not klass or brief.klass == klass}

    def newest(self, student: str, assignment: str) -> Line | None:
        """Return the newest line of a submission; None when there is none."""
        found = self._latest.get((student, assignment))
        sealed = None if found is None else self._sealed(self._text_at(found[0]))
        line = None if sealed is None else _line.decode(sealed.line)
        return line if line is not None and (line.student, line.assignment) == (student, assignment) else None

    def is_announced(self, student: str, assignment: str) -> bool:
        """Return whether the newest line of a submission was announced to a teacher."""
        newest = self._latest.get((student, assignment))
        return newest is not None and self._announced.get((student, assignment)) == newest[0]

    def unannounced(self) -> list[tuple[str, str]]:
        """Return the submissions whose newest line was not announced to a teacher before this run."""
        return [place for place in self._latest if not self.is_announced(*place)]

    def last_announced(self, student: str, assignment: str) -> Line | None:
        """Return the line of a submission that was last announced before this run; None when none was.

        A new score is compared with it, so a line that was made with another secret counts as well.
        """
        offset = self._announced.get((student, assignment))
        written = None if offset is None else _written(self._text_at(offset))
        line = None if written is None else _line.decode(written.line)
        return line if line is not None and (line.student, line.assignment) == (student, assignment) else None

    def lines(self) -> Iterator[Line]:
        """Give every whole line, oldest first."""
        for text in self._texts():
            if (sealed := self._sealed(text)) is not None:
                yield _line.decode(sealed.line)

    def append(self, line: Line) -> None:
        """Add a line; to be called only where the secret is known.

        Raises:
            OutputError: It could not be written.
        """
        with output_errors(self.path):
            self._append(line)

    def _append(self, line: Line) -> None:
        assert self._seal is not None
        if self._descriptor < 0:
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            self._descriptor = os.open(self.path, flags, 0o600)
        text = _encode(line)
        whole = _encode(SealedLine(seal=self._seal.of(text), line=msgspec.Raw(text))) + b"\n"
        begin = size = os.fstat(self._descriptor).st_size
        if size and os.pread(self._descriptor, 1, size - 1) != b"\n":  # the last writer was cut off in a line
            os.write(self._descriptor, b"\n")
            size += 1
        if os.write(self._descriptor, whole) != len(whole):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        brief = LineKey(line.student, line.assignment, line.key, line.klass)
        self._latest[line.student, line.assignment] = size, brief
        if self.announced_bytes == begin:
            self.announced_bytes = size + len(whole)

    def close(self) -> None:
        """Make what was added durable and let go of the file."""
        if self._descriptor >= 0:
            with contextlib.suppress(OSError):
                os.fsync(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = -1

    def _text_at(self, offset: int) -> bytes:
        try:
            with open_plain(self.path) as file:
                file.seek(offset)
                return file.readline()
        except OSError:
            return b""

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

    def _sealed(self, text: bytes) -> SealedLine | None:
        written = _written(text)
        return written if written is not None and self._holds(written) else None

    def _holds(self, written: SealedLine) -> bool:
        return self._seal is None or self._seal.holds(written.seal, bytes(written.line))


def _written(text: bytes) -> SealedLine | None:
    """Return a line of the file whatever its seal says; None where it is not a line."""
    try:
        sealed = _sealed.decode(text)
        _line.decode(sealed.line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return sealed


_encode = msgspec.json.Encoder(decimal_format="string").encode
_sealed = msgspec.json.Decoder(SealedLine)
_brief = msgspec.json.Decoder(LineKey)
_line = msgspec.json.Decoder(Line)


def digest_of(path: Path) -> str | None:
    """Return the SHA-256 of a plain file; None when there is none that can be read."""
    try:
        with open_plain(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
