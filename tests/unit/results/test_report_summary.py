"""What the summary of a class counts."""

from decimal import Decimal
from typing import Any

import msgspec

from grader.records.journal_lines import line_of
from grader.results.report import ExerciseBase
from grader.results.summary import row_exercise, summarise

from ...support.reports.report_parts import various_reports

FACTS: dict[str, Any] = {"kit_version": "0", "started": "now", "duration_s": 0, "device": "cpu", "isolation": {}}


def test_a_summary_counts_what_was_graded() -> None:
    rows = [line_of(report).row() for report in various_reports()[:3]]
    rows = [msgspec.structs.replace(row, student=f"s{number}") for number, row in enumerate(rows)]
    facts: dict[str, Any] = {**FACTS, "started": "2026-03-01T10:00:00Z", "isolation": {"tier": "namespaces"}}
    summary = summarise(rows, ["s0", "s1", "s2", "s3"], ["A warning."], **facts)
    assert (summary.students, summary.submissions, summary.graded) == (4, 3, 2)
    assert [(row.student, row.problem) for row in summary.not_graded] == [("s2", "It is a folder.")]


def test_the_lines_of_a_class_share_exercises_that_say_the_same_and_keep_numbers_as_they_are_written() -> None:
    """A page of a class of ten thousand has ten thousand lines in memory."""
    plain, again, other = (
        ExerciseBase(id="e", title="E", score=Decimal(score), max_score=Decimal("2.0"), status="passed")
        for score in ("2", "2", "2.0")
    )
    first = row_exercise(plain)
    assert first is row_exercise(again)
    assert first == plain
    assert (str(first.score), str(row_exercise(other).score)) == ("2", "2.0")
