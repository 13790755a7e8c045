"""Reports, rows and summaries of a class, for the tests of what a run leaves behind and shows."""

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grader.errors import OutputError
from grader.results.report import Report
from grader.results.summary import Row, Summary, summarise

from ..reports import report_parts

ONE, FOUR = "01_simple_attention", "04_multi_head_attention"


def report_of(student: str = "ann", note: str = "") -> Report:
    """Return a report of three passed checks."""
    report = report_parts.report_of(*report_parts.passed("f.open", "f.shut", "g.late"))
    return msgspec.structs.replace(report, student=student, assignment=ONE, notes=[note] if note else [])


def row(student: str, assignment: str, score: str, problem: str | None = None) -> Row:
    return Row(
        student=student,
        assignment=assignment,
        score=Decimal(score),
        max_score=Decimal(10),
        problem=problem,
    )


def summary_of(rows: list[Row], students: list[str], warnings: list[str] | None = None) -> Summary:
    facts: dict[str, Any] = {"kit_version": "0", "started": "now", "duration_s": 0, "device": "cpu", "isolation": {}}
    return summarise(rows, students, warnings or [], **facts)


def tree(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file() or path.is_symlink())


def refused(act: Callable[[], object]) -> str:
    """Return the sentence with which a write fails."""
    with pytest.raises(OutputError) as caught:
        act()
    sentence = str(caught.value)
    assert sentence.startswith("'") and sentence.endswith(".")
    return sentence
