"""What a process that runs a student's checks is asked, and the steps that it tells, each as a line of JSON."""

import msgspec

from grader.inside.protocol.answers import StatementReached
from grader.inside.protocol.messages import Stop
from grader.limits import Limits
from grader.results.verdict import CheckVerdict, ManifestCheck, verdict_line
from grader.source_cells import Source


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """The checks to run, and what is known of them.

    Attributes:
        module_name: The name that the source runs under.
        visible: The file of the checks.
        exercises: Every exercise, with the groups of library calls that it forbids.
        wanted: The exercises whose checks are run, in this order.
        known: What came of checks that ran in another process.
        tried: The exercises that ran in another process without the calls that they forbid.
        stops: The statements that hung or killed another process, which are left out.
    """

    assignment: str
    module_name: str
    visible: str
    exercises: dict[str, list[str]]
    wanted: list[str]
    source: Source
    device: str
    language: str
    limits: Limits
    known: list[CheckVerdict] = []
    tried: list[str] = []
    stops: dict[int, list[Stop]] = {}


class Collected(msgspec.Struct, tag=True):
    """The checks are read, and the source is loaded now."""

    checks: list[ManifestCheck]


class SourceLoaded(msgspec.Struct, tag=True):
    """The source is loaded; what is to be known of it."""

    notes: list[str]


class Begun(msgspec.Struct, tag=True):
    """A check begins; the second time it runs without the calls that its exercise forbids."""

    check: str
    again: bool = False


class Judged(msgspec.Struct, tag=True):
    """What came of a check; the last of several verdicts counts."""

    verdict: CheckVerdict


class Ended(msgspec.Struct, tag=True):
    """Everything is said. An error that is none of the kit's is a fault of it."""

    error: str = ""
    problem: str = ""
    hint: str = ""


Step = Collected | StatementReached | SourceLoaded | Begun | Judged | Ended
_ENCODER, _DECODER = msgspec.json.Encoder(), msgspec.json.Decoder(Step)


def to_line(step: Step) -> bytes:
    """Return a step as a line of JSON with its line end."""
    if isinstance(step, Judged):
        return b'{"type":"Judged","verdict":%b}\n' % verdict_line(step.verdict).rstrip()
    return _ENCODER.encode(step) + b"\n"


def from_line(line: bytes) -> Step:
    """Return the step that a line tells; raises MsgspecError where it tells none."""
    step: Step = _DECODER.decode(line)
    return step
