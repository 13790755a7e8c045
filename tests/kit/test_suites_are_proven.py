"""The suites, proven by the answers that they must accept and by those that they must not.

Every variant of an assignment is handed in as a whole submission whose other exercises are right, and graded by the
command line like any class. So a mistake that keeps its points, a right answer that loses one, and a mistake that costs
another exercise all show here.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from grader.course.layout import Assignment, find_course
from grader.course.variants import Variants, build_submission, load_variants, solution_submission

COURSE = find_course(Path(__file__))


@dataclass(frozen=True)
class Proof:
    """The graded variants of one assignment."""

    assignment: Assignment
    variants: Variants
    reports: dict[str, Any]

    def lost(self, student: str) -> dict[str, list[str]]:
        """Return the checks that a submission did not pass, by exercise."""
        return {
            each["id"]: [check["id"] for check in each["checks"] if check["status"] != "passed"]
            for each in self.reports[student]["exercises"]
            if each["score"] != each["max_score"]
        }


@pytest.fixture(scope="module", params=sorted(COURSE.assignments))
def proof(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Proof:
    """Hand in and grade every variant of an assignment."""
    assignment = COURSE.assignments[request.param]
    variants = load_variants(assignment)
    folder = tmp_path_factory.mktemp("proof")
    texts = {"solution": solution_submission(assignment)}
    texts["stub"] = (assignment.released / f"{assignment.name}.py").read_text(encoding="utf-8")
    texts |= {f"{each.kind}-{each.name}": build_submission(assignment, each, variants) for each in variants.all}
    for student, text in texts.items():
        file = folder / "class" / student / assignment.id / f"{assignment.name}.py"
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "grader", "grade", str(folder / "class"), "--output", str(folder / "reports")]
    done = subprocess.run(
        [*command, "--course", str(COURSE.root), "--check-seconds", "20", "--check-cpu-seconds", "20"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    reports = {
        student: json.loads(
            (folder / "reports" / student / f"{assignment.id}.json").read_text(encoding="utf-8"), parse_float=Decimal
        )
        for student in texts
    }
    return Proof(assignment, variants, reports)


def test_the_solution_gets_every_point(proof: Proof) -> None:
    assert proof.lost("solution") == {}
    assert Decimal(proof.reports["solution"]["score"]) == proof.assignment.points


def test_the_untouched_stub_gets_nothing(proof: Proof) -> None:
    report = proof.reports["stub"]
    assert report["score"] == 0
    assert {each["status"] for each in report["exercises"]} == {"missing"}


def test_every_right_variant_gets_every_point(proof: Proof) -> None:
    lost = {each.name: proof.lost(f"right-{each.name}") for each in proof.variants.rights}
    assert {name: what for name, what in lost.items() if what} == {}


def test_every_mistake_costs_points_in_its_own_exercise(proof: Proof) -> None:
    kept = [each.name for each in proof.variants.mistakes if each.exercise not in proof.lost(f"mistake-{each.name}")]
    assert kept == []


def test_no_mistake_costs_points_in_another_exercise(proof: Proof) -> None:
    spread = {
        each.name: {name: lost for name, lost in proof.lost(f"mistake-{each.name}").items() if name != each.exercise}
        for each in proof.variants.mistakes
    }
    assert {name: lost for name, lost in spread.items() if lost} == {}


def test_a_diagnosis_names_the_mistake_or_a_declared_twin(proof: Proof) -> None:
    wrong = {}
    for each in proof.variants.mistakes:
        report = proof.reports[f"mistake-{each.name}"]
        named = {
            name
            for exercise in report["exercises"]
            for check in exercise["checks"]
            if check["diagnosis"]
            for name in check["diagnosis"]["mistakes"]
        }
        if named and each.name not in named:
            wrong[each.name] = sorted(named)
    assert wrong == {}


def test_most_mistakes_are_named(proof: Proof) -> None:
    named = sum(
        any(
            check["diagnosis"]
            for exercise in proof.reports[f"mistake-{each.name}"]["exercises"]
            for check in exercise["checks"]
        )
        for each in proof.variants.mistakes
    )
    assert named >= len(proof.variants.mistakes) // 2
