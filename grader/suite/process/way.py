"""One way of a submission through the checks: what its fork is given, and what that leaves."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec

from grader.inside.protocol.messages import Stop
from grader.results.verdict import CheckVerdict, read_verdict
from grader.source_cells import Source
from grader.suite.diagnosis.shown_calls import ShownCall
from grader.workers.process.clock import Allowance
from grader.workers.source_loading import TextReading

VERDICTS, LAST_WORDS, RAW_REPORT = "verdicts.jsonl", "last_words.json", "raw.json"
"""The files of a fork: a line for each verdict as soon as it is reached, and the others in the end."""


class Ended(msgspec.Struct, kw_only=True):
    """A way that has ended. What was not in the fork's last words, its parent adds.

    Attributes:
        text: What was read of the text; None where that came to no end, or the fork died before its last words.
        notes: What a person should know of how the file was read and run.
        stops: The statements that hung or killed a worker.
        shown: What each check asked and what came of it, where the session keeps that, by check.
        cpu_s: Seconds of processor time that its workers used.
        early: Why checks were not run: the system killed a worker or the fork, or no time was left. Empty where all
            were run, and where a fork died by itself.
        refused: A sentence when the submission could not be graded through no fault of anybody's code.
        verdicts: Those that were reached.
        raw: pytest-json-report's report; None when the fork died before that.
        seconds: How long it took.
    """

    text: TextReading | None = None
    notes: list[str] = []
    stops: dict[int, list[Stop]] = {}
    shown: dict[str, list[ShownCall]] = {}
    cpu_s: float = 0.0
    early: Literal["", "killed", "time"] = ""
    refused: str = ""
    verdicts: list[CheckVerdict] = []
    raw: bytes | None = None
    seconds: float = 0.0


@dataclass(frozen=True)
class Job:
    """A way that is to be gone.

    Attributes:
        left: The time that the submission may still use.
        proven: Whether the course's own solution passed the suite before; it is graded first, as such a submission.
        seeds: What the inputs of single checks are drawn from instead of the source, by check.
        keeps_calls: Whether each check keeps what it asked, to be shown to the teacher.
        language: Of the notes on how the file was run.
        exercise: The exercise that is run alone; None for all of them.
        first: What the first way left, whose reading of the text is used, and whose stops are left out.
    """

    source: Source
    left: Allowance
    proven: bool = True
    seeds: Mapping[str, int] = field(default_factory=dict)
    keeps_calls: bool = False
    language: str = "en"
    exercise: str | None = None
    first: Ended = field(default_factory=Ended)


def read_ended(folder: Path, seconds: float, *, killed: bool = False) -> Ended:
    """Read what a fork wrote into its folder in so many seconds; a last line that its death cut off is no verdict.

    Args:
        killed: Whether the system killed it for want of memory.
    """
    lines, last, raw = (
        (folder / name).read_bytes() if (folder / name).exists() else None
        for name in (VERDICTS, LAST_WORDS, RAW_REPORT)
    )
    ended = Ended() if last is None else msgspec.json.decode(last, type=Ended)
    ended.verdicts = [read_verdict(line) for line in (lines or b"").splitlines(keepends=True) if line.endswith(b"\n")]
    ended.raw, ended.seconds, ended.early = raw, seconds, "killed" if killed else ended.early
    return ended
