"""What a fork is given of a submission, what it leaves of it, and how its parent reads that."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from grader.inside.protocol.messages import Stop
from grader.results.verdict import CheckVerdict, read_verdict
from grader.source_cells import Source
from grader.suite.runner.submission_run import RunReport
from grader.workers.process.clock import Allowance
from grader.workers.source_loading import TextReading

VERDICTS, CHILD_REPORT, RAW_REPORT = "verdicts.jsonl", "child_report.json", "raw.json"
"""The files of a fork; that of the verdicts is there as soon as the submission has begun."""


@dataclass(frozen=True)
class Job:
    """One way of a submission through the checks.

    Attributes:
        left: The time that the submission may still use.
        proven: Whether the course's own solution passed the suite before; it is graded first, as such a submission.
        seeds: What the inputs of single checks are drawn from instead of the source, by check.
        keeps_calls: Whether each check keeps what it asked, to be shown to the teacher.
        language: Of the notes on how the file was run.
        exercise: The exercise that is run alone, once more in most cases; None the first time, when all of them are.
        text: What was read of the text the first time; None then.
        stops: The statements that hung or killed a worker the first time, which are left out.
    """

    source: Source
    left: Allowance
    proven: bool = True
    seeds: Mapping[str, int] = field(default_factory=dict)
    keeps_calls: bool = False
    language: str = "en"
    exercise: str | None = None
    text: TextReading | None = None
    stops: Mapping[int, list[Stop]] = field(default_factory=dict)


@dataclass(frozen=True)
class ForkResult:
    """A fork that has ended.

    Attributes:
        report: Its last words; empty when it died before them.
        raw: pytest-json-report's report; None when it died before that.
        killed: Whether the system killed it for want of memory.
    """

    verdicts: list[CheckVerdict]
    report: RunReport
    raw: bytes | None
    seconds: float
    killed: bool = False


def read_result(folder: Path, seconds: float, *, killed: bool = False) -> ForkResult:
    """Read what a fork wrote into its folder in so many seconds; a last line that its death cut off is no verdict."""
    lines, last, raw = (
        (folder / name).read_bytes() if (folder / name).exists() else None
        for name in (VERDICTS, CHILD_REPORT, RAW_REPORT)
    )
    verdicts = [read_verdict(line) for line in (lines or b"").splitlines(keepends=True) if line.endswith(b"\n")]
    report = RunReport() if last is None else msgspec.json.decode(last, type=RunReport)
    return ForkResult(verdicts, report, raw, seconds, killed)
