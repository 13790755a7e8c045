"""Reports for the tests of what goes to learning platforms, assembled and written as a run of the kit does."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from grader.inside.protocol.messages import Cell
from grader.limits import DEFAULT_LIMITS
from grader.records.journal import Journal
from grader.records.journal_lines import line_of
from grader.results.assemble import Outcome, PlannedExercise, RunFacts, assemble
from grader.results.report import Fact, Report
from grader.results.summary import summarise
from grader.results.verdict import CheckVerdict, Diagnosis, Language, ManifestCheck, Status
from grader.results.write import ReportsFolder
from grader.source_cells import Source

ASSIGNMENT = "01_tiny"
SECRET = b"a secret of the tests" * 2
CANARY = "canary0731"
MANIFEST = [
    ManifestCheck(
        id=id,
        exercise=id.partition(".")[0],
        category="value",
        visibility=visibility,
        weight=weight,
        sentence=sentence,
        sentence_ko=f"{id}의 문장.",
    )
    for id, visibility, weight, sentence in [
        ("shares.open", "visible", 1, "The quarters are right."),
        ("shares.shut", "hidden", 2, "Random shares are right: every row."),
        ("Shift.open", "visible", 1, "It starts at zero."),
        ("Shift.late", "hidden", 1, "The parameter is added."),
        ("Shift.shut", "hidden", 1, "The parameter has a gradient."),
    ]
]  # fmt: skip
PLAN = [
    PlannedExercise(id="shares", title="Shares of a whole", points=Decimal(2)),
    PlannedExercise(id="Shift", title="Shift <by> a parameter", points=Decimal("3.5")),
]
FULL = {check.id: "passed" for check in MANIFEST}


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
    manifest: Sequence[ManifestCheck] = MANIFEST,
    language: Language = "en",
) -> Report:
    """Return a report in which every check passed but those that are named."""
    found: dict[str, Status] = {**dict.fromkeys(FULL, "passed"), **(statuses or {})}
    source = Source([Cell(1, "x = 1")], "py", "tiny.py", "ab" * 32, {"tiny.py": "ab" * 32}, problem=problem)
    verdicts = [] if problem else [verdict(check, found[check.id]) for check in manifest]
    return assemble(
        student=student,
        assignment=assignment,
        source=source,
        plan=plan,
        manifest=manifest,
        outcome=Outcome(verdicts=verdicts, seed="cafe", started="2026-03-01T10:00:00Z", duration_s=1.5),
        run=RunFacts(
            kit_version="0.2.0",
            language=language,
            device="cpu",
            isolation=dict(isolation or {"tier": "namespaces"}),
            limits=DEFAULT_LIMITS,
        ),
    )


def write_class(
    root: Path, reports: Sequence[Report], absent: Sequence[str] = (), *, journal: bool = True, run: str | None = None
) -> Path:
    """Write a reports folder as a run of `grader grade` does, journal and summary included, in which it has a name."""
    folder = ReportsFolder(root)
    folder.prepare()
    book = Journal(root, SECRET)
    for report in reports:
        whole, copy = folder.write_report(report)
        if journal:
            named = run or "2026-03-01T10:00:00.000001Z"
            book.append(line_of(report, run=named, written=report.started, key="k", report=whole, copy=copy))
    book.close()
    rows = [line_of(report).row() for report in reports]
    students = sorted({*(report.student for report in reports), *absent})
    summary = summarise(
        rows, students, [], kit_version="0.2.0", started="now", duration_s=0, device="cpu", isolation={}, run=run
    )
    folder.write_summary(summary)
    return root
