"""Requests the loading of a source, and remembers where it hung or killed its worker.

A source that does not finish is loaded again with a message before each statement, which other sources are spared. The
statement that hangs or kills is then known, and the next load leaves it out, so the rest is graded. After a few of them
only definitions are run outside of the exercises' own cells: otherwise cells that are slow together would be stopped
one by one.

The worker gets the assignment's file name, whatever the file is called. Inputs are drawn from the bytes of a
submission, so a readable file name would let a student hand in the same bytes with a name that tells the code about its
inputs.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from grader.inside.protocol.answers import Analysed, Answer, Loaded, RaisedReply, StatementReached
from grader.inside.protocol.messages import Cell, Load, Stop
from grader.inside.protocol.rows import LONGEST_MESSAGE
from grader.inside.protocol.wire import ProtocolViolation
from grader.limits import Limits
from grader.words import Words
from grader.workers.process.connection import new_nonce
from grader.workers.process.failures import StudentFailure

from .source_notes import SourceRecord

CAREFUL_AFTER = 3  # stops
MOST_STOPS = 6
Stops = dict[int, list[Stop]]
"""What of a source is left out, by the number of its group of statements."""


class TextReading(msgspec.Struct, frozen=True):
    """Which exercises a submission's text answers; all empty if the text could not be analysed.

    Attributes:
        stubs: Exercises that cannot give an answer as they are written.
        absent: Exercises that nothing in the text defines.
    """

    stubs: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()

    def is_unwritten(self, exercise: str) -> bool:
        """Return whether the text has no answer to an exercise, apart from one that running code installs."""
        return exercise in self.stubs or exercise in self.absent


class SourceLoading:
    """The loads of one submission so far.

    Args:
        module_name: The `__name__` that it runs under.
        record: Takes what is known of the source.
        stops: The statements that are left out, since they hung or killed a worker before.
        steps: Whether the first load tells each statement already: where there is no second one in the same process.

    Attributes:
        unloadable: Why the source cannot be loaded at all; None while it may be.
        file_name: The name of the file in the worker.
        stops: As given, with those of these loads; by the number of their group.
    """

    def __init__(
        self,
        cells: Sequence[Cell],
        module_name: str,
        record: SourceRecord,
        limits: Limits,
        stops: Mapping[int, Sequence[Stop]] | None = None,
        steps: bool = False,
    ) -> None:
        self.unloadable: StudentFailure | None = None
        self.file_name = f"{module_name}.{'ipynb' if record.notebook else 'py'}"
        self._cells, self._module_name, self._record, self._limits = list(cells), module_name, record, limits
        self.stops = {group: list(group_stops) for group, group_stops in (stops or {}).items()}
        self._steps = steps or bool(self.stops)

    def request(self) -> Load:
        return Load(
            nonce=new_nonce(),
            cells=self._cells,
            module_name=self._module_name,
            file_name=self.file_name,
            notebook=self._record.notebook,
            exercises=sorted(self._record.exercises),
            stops=self.stops,
            definitions_only=self._count() >= CAREFUL_AFTER,
            steps=self._steps,
            output_bytes=self._limits.output_bytes,
            reply_bytes=self._limits.reply_bytes,
        )

    def note_failure(self, failure: StudentFailure, step: StatementReached | None) -> None:
        """Note a load that did not finish; when this returns, the source should be loaded again.

        Args:
            step: The statement that it had reached; None if that is unknown.

        Raises:
            StudentFailure: The source cannot be loaded.
        """
        if failure.status not in ("timeout", "memory", "crash", "forbidden"):
            raise failure
        if not self._steps:
            self._steps = True
            return
        known = [stop.statement for stop in self.stops.get(step.group, [])] if step else []
        if step is None or self._count() >= MOST_STOPS or step.statement in known:
            self.unloadable = failure
            self._record.unread = failure.sentence
            raise failure
        text = failure.sentence[:LONGEST_MESSAGE]
        if isinstance(failure.sentence, Words):
            self._record.sent[text] = failure.sentence
        self.stops.setdefault(step.group, []).append(Stop(step.statement, failure.status, text))

    def _count(self) -> int:
        return sum(map(len, self.stops.values()))


def encodable(text: str) -> str:
    """Return a text without halves of characters, which a notebook's JSON can hold and no Python source can."""
    return text.encode("utf-8", "replace").decode("utf-8")


def read_found(answer: Answer, payload: bytes) -> TextReading:
    """Return which exercises a text answers."""
    if isinstance(answer, RaisedReply):
        raise StudentFailure("error", Words("The text could not be read: {text}", text=answer.text))
    if not isinstance(answer, Analysed) or payload:
        raise ProtocolViolation("An analysis was asked for, and something else came.")
    return TextReading(frozenset(answer.stubs), frozenset(answer.absent))


def read_loaded(answer: Answer, payload: bytes) -> Loaded:
    if isinstance(answer, RaisedReply):
        status: Any = {"memory": "memory", "forbidden": "forbidden"}.get(answer.kind, "crash")
        what = f"{answer.type_name}: {answer.text}"
        raise StudentFailure(status, Words("Your file could not be run: {what}", what=what),
                             exception_type=answer.type_name, text=answer.text)  # fmt: skip
    if not isinstance(answer, Loaded) or payload:
        raise ProtocolViolation("A loaded source was expected, and something else came.")
    return answer
