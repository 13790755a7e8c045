"""What a forked child is given of a submission, what it leaves of it, and how its parent reads that.

The verdicts are this kit's own, line by line; pytest-json-report's raw report says the same through pytest's eyes.
Where the two differ about a pass, there is none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest

from grader.results.verdict import CheckVerdict, read_verdict
from grader.source_cells import Source
from grader.suite.diagnosis.shown_calls import ShownCall
from grader.suite.runner.pytest_internals import reporter_of

VERDICTS, CHILD_REPORT, RAW_REPORT = "verdicts.jsonl", "child_report.json", "raw.json"
"""The files of a submission; that of the verdicts is there as soon as the submission has begun."""
SOLUTION = -1
"""The number of the course's own solution, which is graded first and shows what the suite does."""


@dataclass(frozen=True)
class Job:
    """One submission that is to be graded.

    Attributes:
        number: Whose it is; `SOLUTION` for the course's own.
        digest: The hash that its inputs are drawn from.
        seeds: What the inputs of single checks are drawn from instead, by check.
        keeps_calls: Whether each check keeps what it asked, to be shown to the teacher.
        language: Of the notes on how the file was run.
    """

    number: int
    source: Source
    digest: str
    seeds: Mapping[str, int] = field(default_factory=dict)
    keeps_calls: bool = False
    language: str = "en"


class ChildReport(msgspec.Struct, kw_only=True):
    """The child's last words: what is known of the submission as a whole.

    Attributes:
        notes: What a person should know of how the file was read and run.
        calls: The other exercises that the answer to an exercise calls.
        shown: What each check asked and what came of it, where that was to be kept.
        broken: A sentence when the course itself is broken; nothing of the submission counts then.
        refused: A sentence when this submission could not be graded through no fault of anybody's code.
    """

    notes: list[str] = []
    calls: dict[str, list[str]] = {}
    shown: dict[str, list[ShownCall]] = {}
    broken: str = ""
    refused: str = ""


@dataclass(frozen=True)
class SubmissionResult:
    """A submission that has ended; `child_report` is None when its process died before its last words."""

    job: Job
    verdicts: list[CheckVerdict]
    child_report: ChildReport | None
    raw: Path
    seconds: float


class Noted(msgspec.Struct):
    """What the plugin noted on an item."""

    check: str
    status: str


class Test(msgspec.Struct):
    """An item of the raw report; what else it holds is for people."""

    outcome: str
    metadata: Noted


class Raw(msgspec.Struct):
    """The part of the raw report that is read again."""

    tests: list[Test]


def write_raw_report(session: pytest.Session, file: Path) -> None:
    """Let pytest-json-report make its report of the items that ran in this process, and write it.

    It would write the same by the standard library's encoder, which takes a tenth of a submission's whole time.
    """
    reporter = reporter_of(session.config)
    reporter.pytest_sessionfinish(session)
    file.write_bytes(msgspec.json.encode(reporter.report, enc_hook=str))


def read_result(job: Job, folder: Path, seconds: float) -> SubmissionResult:
    """Read what a child wrote into a folder of a submission, which took so many seconds.

    A last line that was cut off by its death is not a verdict. Where the child did come to the end, a check counts as
    passed only if pytest's own report says so too.
    """
    lines, last, raw = (folder / name for name in (VERDICTS, CHILD_REPORT, RAW_REPORT))
    written = lines.read_bytes().splitlines(keepends=True) if lines.exists() else []
    verdicts = [read_verdict(line) for line in written if line.endswith(b"\n")]
    child_report = msgspec.json.decode(last.read_bytes(), type=ChildReport) if last.exists() else None
    if child_report is not None and not child_report.broken:
        verdicts = confirmed(verdicts, raw.read_bytes())
    return SubmissionResult(job, verdicts, child_report, raw, seconds)


def confirmed(verdicts: Sequence[CheckVerdict], raw: bytes) -> list[CheckVerdict]:
    """Return the verdicts, without each pass that pytest itself does not report as a pass.

    A check without a verdict is a crash, so what is left out here can never be worth a point.
    """
    tests = msgspec.json.decode(raw, type=Raw).tests
    passed = {test.metadata.check for test in tests if test.outcome == "passed" and test.metadata.status == "passed"}
    return [verdict for verdict in verdicts if verdict.status != "passed" or verdict.id in passed]
