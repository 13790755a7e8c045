"""pytest-json-report's raw report of one submission: how it is written, and what it is good for.

The verdicts are this kit's own, line by line; the raw report says the same through pytest's eyes. Where the two differ
about a pass, there is none.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from grader.results.verdict import CheckVerdict
from grader.suite.runner.pytest_internals import reporter_of


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


def write(session: pytest.Session, file: Path) -> None:
    """Let pytest-json-report make its report of the items that ran in this process, and write it.

    It would write the same by the standard library's encoder, which takes a tenth of a submission's whole time.
    """
    reporter = reporter_of(session.config)
    reporter.pytest_sessionfinish(session)
    file.write_bytes(msgspec.json.encode(reporter.report, enc_hook=str))


def confirmed(verdicts: Sequence[CheckVerdict], raw: bytes) -> list[CheckVerdict]:
    """Return the verdicts, without each pass that pytest itself does not report as a pass.

    A check without a verdict is a crash, so what is left out here can never be worth a point.
    """
    tests = msgspec.json.decode(raw, type=Raw).tests
    passed = {test.metadata.check for test in tests if test.outcome == "passed" and test.metadata.status == "passed"}
    return [verdict for verdict in verdicts if verdict.status != "passed" or verdict.id in passed]
