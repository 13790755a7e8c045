"""What a forked child left of a submission, read by its parent."""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from grader.results.verdict import CheckVerdict, read_verdict
from grader.suite.raw_report import confirmed
from grader.suite.submission import VERDICTS, Farewell, Job


@dataclass(frozen=True)
class Done:
    """A submission that has ended; `farewell` is None when its process died before its last words."""

    job: Job
    verdicts: list[CheckVerdict]
    farewell: Farewell | None
    raw: Path
    seconds: float


@dataclass(frozen=True)
class Ended:
    """A submission that has ended, where its process wrote of it, and how long it took."""

    job: Job
    folder: Path
    seconds: float


def read_done(ended: Ended) -> Done:
    """Read what a child wrote of a submission.

    A last line that was cut off by its death is no verdict. Where the child did come to the end, a check counts as
    passed only if pytest's own report says so too.
    """
    lines = ended.folder / VERDICTS
    whole = (
        [line for line in lines.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
        if lines.exists()
        else []
    )
    verdicts = [read_verdict(line) for line in whole]
    last = ended.folder / "farewell.json"
    farewell = msgspec.json.decode(last.read_bytes(), type=Farewell) if last.exists() else None
    raw = ended.folder / "raw.json"
    if farewell is not None and not farewell.broken:
        verdicts = confirmed(verdicts, raw.read_bytes())
    return Done(ended.job, verdicts, farewell, raw, ended.seconds)
