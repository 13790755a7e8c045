"""Reports, rows and summaries of a class, for the tests of what a run leaves behind and shows."""

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from grader.errors import OutputError
from grader.inside.protocol.messages import Cell
from grader.limits import DEFAULT_LIMITS
from grader.results.assemble import Outcome, PlannedExercise, RunFacts, assemble
from grader.results.report import Report
from grader.results.summary import Row, Summary, summarise
from grader.results.verdict import CheckVerdict, ManifestCheck
from grader.source_cells import Source

ONE, FOUR = "01_simple_attention", "04_multi_head_attention"


def report_of(student: str = "ann", assignment: str = ONE, problem: str | None = None, note: str = "") -> Report:
    """Return a report of one passed check."""
    check = ManifestCheck(
        id="f.x",
        exercise="f",
        category="value",
        visibility="hidden",
        weight=1,
        sentence="It is so.",
        sentence_ko="그렇다.",
    )
    return assemble(
        student=student,
        assignment=assignment,
        source=Source([Cell(1, "x = 1")], "py", "f.py", "ab" * 32, {"f.py": "ab" * 32}, problem=problem),
        plan=[PlannedExercise(id="f", title="The f", points=Decimal("2.5"))],
        manifest=[check],
        outcome=Outcome(
            verdicts=[CheckVerdict(id="f.x", status="passed", input_seed="seed")],
            notes=[note] if note else [],
            started="2026-03-01T10:00:00Z",
            duration_s=1,
        ),
        run=RunFacts(kit_version="0.1.0", language="en", device="cpu", isolation={}, limits=DEFAULT_LIMITS),
    )


def row(student: str, assignment: str, score: str, problem: str | None = None) -> Row:
    """Return a submission's row of the summary."""
    return Row(
        student=student,
        assignment=assignment,
        score=Decimal(score),
        max_score=Decimal(10),
        problem=problem,
        exercises=[],
        checks={},
    )


def summary_of(rows: list[Row], students: list[str], warnings: list[str] | None = None) -> Summary:
    """Return the summary of a class."""
    facts: dict[str, Any] = {"kit_version": "0", "started": "now", "duration_s": 0, "device": "cpu", "isolation": {}}
    return summarise(rows, students, warnings or [], **facts)


def tree(root: Path) -> list[str]:
    """Return every file and link below a folder."""
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file() or path.is_symlink())


def refused(act: Callable[[], object]) -> str:
    """Return the sentence with which a write fails."""
    with pytest.raises(OutputError) as caught:
        act()
    sentence = str(caught.value)
    assert sentence.startswith("'") and sentence.endswith(".")
    return sentence
