"""What a fork is given of a submission, what it leaves of it, and how its parent reads that."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from grader.inside.protocol.messages import Stop
from grader.results.verdict import CheckVerdict, read_verdict
from grader.source_cells import Source
from grader.suite.diagnosis.shown_calls import ShownCall
from grader.workers.process.clock import Allowance
from grader.workers.source_loading import TextReading

VERDICTS, CHILD_REPORT, RAW_REPORT = "verdicts.jsonl", "child_report.json", "raw.json"
"""The files of a fork; that of the verdicts is there as soon as the submission has begun."""
SOLUTION = -1
"""The number of the course's own solution, which is graded first and shows what the suite does."""


@dataclass(frozen=True)
class Job:
    """One way of a submission through the checks.

    Attributes:
        number: Whose it is; `SOLUTION` for the course's own.
        digest: The hash that its inputs are drawn from.
        left: The time that the submission may still use.
        seeds: What the inputs of single checks are drawn from instead, by check.
        keeps_calls: Whether each check keeps what it asked, to be shown to the teacher.
        language: Of the notes on how the file was run.
        exercise: The exercise that is run alone, once more or since no other one is asked for; None for all of them.
        text: What was read of the text the first time; None then.
        stops: The statements that hung or killed a worker the first time, which are left out.
    """

    number: int
    source: Source
    digest: str
    left: Allowance
    seeds: Mapping[str, int] = field(default_factory=dict)
    keeps_calls: bool = False
    language: str = "en"
    exercise: str | None = None
    text: TextReading | None = None
    stops: Mapping[int, list[Stop]] = field(default_factory=dict)


class ChildReport(msgspec.Struct, kw_only=True):
    """A fork's last words: what is known of the submission beside its verdicts.

    Attributes:
        text: What was read of its text; None where that came to no end.
        notes: What a person should know of how the file was read and run.
        stops: The statements that hung or killed a worker.
        shown: What each check asked and what came of it, where that was to be kept.
        killed: The exercises whose worker the system killed.
        is_over: Whether the submission had no time left, so that checks were not run.
        cpu_s: Seconds of processor time that its workers used.
        broken: A sentence when the course itself is broken; nothing of the submission counts then.
        refused: A sentence when this submission could not be graded through no fault of anybody's code.
    """

    text: TextReading | None = None
    notes: list[str] = []
    stops: dict[int, list[Stop]] = {}
    shown: dict[str, list[ShownCall]] = {}
    killed: list[str] = []
    is_over: bool = False
    cpu_s: float = 0.0
    broken: str = ""
    refused: str = ""


@dataclass(frozen=True)
class ForkResult:
    """A fork that has ended.

    Attributes:
        child_report: None when it died before its last words.
        killed: Whether the system killed it for want of memory.
    """

    job: Job
    verdicts: list[CheckVerdict]
    child_report: ChildReport | None
    raw: Path
    seconds: float
    killed: bool = False


def read_result(job: Job, folder: Path, seconds: float, *, killed: bool = False) -> ForkResult:
    """Read what a fork wrote into its folder in so many seconds; a last line that its death cut off is no verdict."""
    lines, last = folder / VERDICTS, folder / CHILD_REPORT
    written = lines.read_bytes().splitlines(keepends=True) if lines.exists() else []
    verdicts = [read_verdict(line) for line in written if line.endswith(b"\n")]
    child_report = msgspec.json.decode(last.read_bytes(), type=ChildReport) if last.exists() else None
    return ForkResult(job, verdicts, child_report, folder / RAW_REPORT, seconds, killed)
