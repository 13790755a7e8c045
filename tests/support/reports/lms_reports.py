"""Reports for the tests of what goes to learning platforms, assembled and written as a run of the kit does."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from msgspec.structs import replace

from grader.inside.protocol.messages import Cell
from grader.records.journal import Journal
from grader.records.journal_lines import line_of
from grader.results.assemble import PlannedExercise
from grader.results.grades import Grade
from grader.results.report import Fact, Report
from grader.results.verdict import CheckVerdict, Diagnosis, Language, ManifestCheck, Status
from grader.results.write import ReportsFolder
from grader.source_cells import Source

from ..classes.class_results import summary_of
from . import report_parts
from .report_parts import RUN, expected

ASSIGNMENT = "01_tiny"
SECRET = b"a secret of the tests" * 2
CANARY = "canary0731"
MANIFEST = [
    expected("shares.open", "visible", sentence="The quarters are right."),
    expected("shares.shut", weight=2, sentence="Random shares are right: every row."),
    expected("Shift.open", "visible", sentence="It starts at zero."),
    expected("Shift.late", sentence="The parameter is added."),
    expected("Shift.shut", sentence="The parameter has a gradient."),
]
PLAN = [
    PlannedExercise(id="shares", title="Shares of a whole", points=Decimal(2)),
    PlannedExercise(id="Shift", title="Shift <by> a parameter", points=Decimal("3.5")),
]


def verdict(check: ManifestCheck, status: Status) -> CheckVerdict:
    """Return a verdict that holds the canary wherever something of a hidden check could be held."""
    if status == "passed":
        return CheckVerdict(id=check.id, status=status, input_seed=CANARY, duration_s=0.25)
    canary = "shown number 7" if check.visibility == "visible" else CANARY
    return CheckVerdict(
        id=check.id,
        status=status,
        found=f"expected {canary}",
        exception_type="ValueError" if status == "error" else "",
        exception_text=f"text {canary}" if status == "error" else "",
        output=f"printed {canary}",
        input_seed=CANARY,
        duration_s=0.25,
        diagnosis=Diagnosis([f"mistake_{CANARY}"], "Divide by the sum.", "합으로 나누세요."),
    )


def report_of(
    student: str = "ann",
    statuses: Mapping[str, Status] | None = None,
    *,
    assignment: str = ASSIGNMENT,
    problem: str | None = None,
    isolation: Mapping[str, Fact] | None = None,
    plan: Sequence[PlannedExercise] = PLAN,
    language: Language = "en",
) -> Report:
    """Return a report in which every check passed but those that are named."""
    status_of = statuses or {}
    return report_parts.report_of(
        *([] if problem else [verdict(check, status_of.get(check.id, "passed")) for check in MANIFEST]),
        source=Source([Cell(1, "x = 1")], "py", "tiny.py", "ab" * 32, {"tiny.py": "ab" * 32}, problem=problem),
        manifest=MANIFEST,
        run=replace(RUN, language=language, isolation=dict(isolation or {"tier": "namespaces"})),
        student=student,
        assignment=assignment,
        plan=plan,
    )


def grade_of(report: Report) -> Grade:
    """Return the grade of a report without points by hand."""
    return Grade(student=report.student, name="", ids={}, assignment=report.assignment, score=report.score,
                 by_hand=None, max=report.max_score, status="not graded" if report.problem else "graded",
                 problem=report.problem)  # fmt: skip


def write_class(
    root: Path, reports: Sequence[Report], *, journal: bool = True, files: Mapping[str, str] | None = None
) -> Path:
    """Write a reports folder as a run of `grader grade` does, journal and summary included.

    Args:
        files: The names that files of students had in a download, by student.
    """
    folder, book = ReportsFolder(root), Journal(root, SECRET)
    folder.prepare()
    for report in reports:
        whole, copy = folder.write_report(report)
        facts = {"run": "2026-03-01T10:00:00.000001Z", "written": report.started, "key": "k"}
        if journal:
            file = (files or {}).get(report.student, "")
            book.append(line_of(report, **facts, report=whole, copy=copy, file=file))
    book.close()
    students = sorted({report.student for report in reports})
    folder.write_summary(summary_of([line_of(report).row() for report in reports], students))
    return root
