"""A diagnosis is narrowed to what fits every check of an exercise."""

from types import SimpleNamespace

import msgspec
import pytest

from grader.results.verdict import CheckVerdict, Diagnosis
from grader.suite.diagnosis.by_report import diagnose_by_report

from ....support.reports.report_parts import expected

CATEGORIES = {"values": "value", "gradients": "gradient", "purity": "purity"}
MANIFEST = [expected(f"f.{name}", category=category) for name, category in CATEGORIES.items()]
MISTAKES = {"f": [SimpleNamespace(name=name, hint=f"Hint of {name}.", ko=f"{name}의 힌트.") for name in ("a", "b")]}


def verdicts(**findings):
    return [
        CheckVerdict(id=f"f.{name}", status="failed" if findings.get(name) else "passed", found=findings.get(name, ""))
        for name in CATEGORIES
    ]


@pytest.mark.parametrize(("others", "left"), [(["a", "b"], ["a"]), (["b"], ["b"])])
def test_a_diagnosis_is_narrowed_to_what_fits_every_check(others, left):
    given = verdicts(values="Differs.", purity="Differs.")
    given[0] = msgspec.structs.replace(given[0], diagnosis=Diagnosis(others, "h", "k"))
    given[2] = msgspec.structs.replace(given[2], diagnosis=Diagnosis(["a"], "h", "k"))
    told = {verdict.id: verdict.diagnosis for verdict in diagnose_by_report(given, MANIFEST, MISTAKES)}
    assert told["f.values"].mistakes == left
    assert told["f.values"].hint == ("Hint of a." if "a" in others else "h")
    assert told["f.purity"].mistakes == ["a"]


def test_an_exception_that_fits_another_mistake_than_the_answers_is_not_named():
    given = verdicts(values="Differs.", purity="Differs.")
    given[0] = msgspec.structs.replace(given[0], diagnosis=Diagnosis(["a"], "h", "k"))
    given[2] = msgspec.structs.replace(given[2], status="error", diagnosis=Diagnosis(["b"], "h", "k"))
    told = {verdict.id: verdict.diagnosis for verdict in diagnose_by_report(given, MANIFEST, MISTAKES)}
    assert told["f.values"].mistakes == ["a"] and told["f.purity"] is None
