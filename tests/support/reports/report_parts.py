"""Reports put together from verdicts that a test makes up, and what the published schemas say of them."""

import json
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import jsonschema
import msgspec

from grader.inside.protocol.messages import Cell
from grader.limits import DEFAULT_LIMITS
from grader.results.assemble import Outcome, PlannedExercise, RunFacts, assemble
from grader.results.report import Report
from grader.results.verdict import CheckVerdict, Diagnosis, ManifestCheck, Status, Visibility
from grader.source_cells import Source

DOCS = Path(__file__).parents[3] / "docs"
SECRET = "0.73105857"
CODE = "import torch\n\n\nclass MyError(Exception):\n    pass\n\n\ndef f(x):\n    raise MyError(x)\n"
PLAN = [
    PlannedExercise(id="f", title="The f", points=Decimal(4)),
    PlannedExercise(id="g", title="The g", points=Decimal("2.5")),
]
RUN = RunFacts(
    kit_version="0.2.0",
    language="en",
    device="cpu",
    isolation={"tier": "namespaces", "landlock": 4, "seccomp": True, "gaps": ["none"]},
    limits=DEFAULT_LIMITS,
)


def expected(id: str, visibility: Visibility = "hidden", **changes: Any) -> ManifestCheck:
    sentence = f"The sentence of {id}."
    given: dict[str, Any] = {"category": "value", "weight": 1, "sentence": sentence, "sentence_ko": f"{id}의 문장."}
    return ManifestCheck(id=id, exercise=id.split(".")[0], visibility=visibility, **{**given, **changes})


MANIFEST = [expected("f.open", "visible"), expected("f.shut", weight=3), expected("g.late")]


def source_of(code: str = CODE) -> Source:
    return Source([Cell(1, code)], "py", "f.py", "ab" * 32, {"f.py": "ab" * 32}, ("A note.",))


def outcome_of(*verdicts: CheckVerdict) -> Outcome:
    return Outcome(verdicts=verdicts, seed="cafe", started="2026-03-01T10:00:00Z", duration_s=1.23456789)


def report_of(
    *verdicts: CheckVerdict,
    source: Source | None = None,
    manifest: Sequence[ManifestCheck] = MANIFEST,
    run: RunFacts = RUN,
    outcome: Outcome | None = None,
    student: str = "ann",
    assignment: str = "01_x",
    plan: Sequence[PlannedExercise] = PLAN,
) -> Report:
    return assemble(
        student=student,
        assignment=assignment,
        source=source or source_of(),
        plan=plan,
        manifest=manifest,
        outcome=outcome or outcome_of(*verdicts),
        run=run,
    )


def passed(*ids: str) -> list[CheckVerdict]:
    return [CheckVerdict(id=id, status="passed") for id in ids]


def leaky(id: str, status: Status = "failed") -> CheckVerdict:
    """A verdict that holds a secret wherever one fits."""
    return CheckVerdict(
        id=id,
        status=status,
        found=f"expected {SECRET}",
        found_ko=f"기대값 {SECRET}",
        reason=f"because {SECRET}",
        exception_type=f"E{SECRET.replace('.', '_')}",
        exception_text=f"text {SECRET}",
        line=3,
        line_text=f"x = {SECRET}",
        output=f"printed {SECRET}",
        input_seed=SECRET,
        duration_s=float(SECRET),
        diagnosis=Diagnosis([f"mistake_{SECRET}"], "The hint.", "힌트."),
    )


def validator(name: str) -> jsonschema.Draft202012Validator:
    """Return a validator for a schema that is published in docs/."""
    return jsonschema.Draft202012Validator(json.loads((DOCS / name).read_bytes()))


def various_reports() -> list[Report]:
    """Return reports of all kinds: failed, full, without a submission or a verdict, ended early, graded in part."""
    return [
        report_of(leaky("f.open"), leaky("f.shut", "error"), leaky("g.late", "timeout")),
        report_of(*passed("f.open", "f.shut", "g.late")),
        report_of(source=Source(problem="It is a folder.")),
        report_of(),
        report_of(CheckVerdict(id="f.open", status="error", line=9, exception_type="MyError")),
        report_of(outcome=msgspec.structs.replace(outcome_of(*passed("g.late")), ungraded={"f": "time"})),
    ]
