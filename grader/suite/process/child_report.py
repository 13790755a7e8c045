"""What a forked child left of a submission, read by its parent."""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from grader.results.verdict import CheckVerdict, read_verdict

from .grade_submission import VERDICTS, ChildReport, Job
from .raw_report import confirmed


@dataclass(frozen=True)
class SubmissionResult:
    """A submission that has ended; `child_report` is None when its process died before its last words."""

    job: Job
    verdicts: list[CheckVerdict]
    child_report: ChildReport | None
    raw: Path
    seconds: float


def read_result(job: Job, folder: Path, seconds: float) -> SubmissionResult:
    """Read what a child wrote of a submission.

    A last line that was cut off by its death is no verdict. Where the child did come to the end, a check counts as
    passed only if pytest's own report says so too.

    Args:
        job: What it graded.
        folder: Where it wrote.
        seconds: How long it took.
    """
    lines = folder / VERDICTS
    whole = (
        [line for line in lines.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
        if lines.exists()
        else []
    )
    verdicts = [read_verdict(line) for line in whole]
    last = folder / "child_report.json"
    child_report = msgspec.json.decode(last.read_bytes(), type=ChildReport) if last.exists() else None
    raw = folder / "raw.json"
    if child_report is not None and not child_report.broken:
        verdicts = confirmed(verdicts, raw.read_bytes())
    return SubmissionResult(job, verdicts, child_report, raw, seconds)
