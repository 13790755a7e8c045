"""The published schemas of the reports: in step, strict, kept by real reports and explained in the documentation."""

import json
import re

import jsonschema
import pytest

from grader.results.redact import student_copy
from grader.results.report import to_json
from grader.results.schema import PUBLISHED, schema_text

from ...support.reports.report_parts import DOCS, validator, various_reports


@pytest.mark.parametrize("name", list(PUBLISHED))
def test_the_published_schema_is_in_step(name: str) -> None:
    assert (DOCS / name).read_bytes() == schema_text(name), (
        f"docs/{name} is out of step: python -m grader.results.schema"
    )


@pytest.mark.parametrize("name", list(PUBLISHED))
def test_the_published_schema_is_strict_and_says_what_every_field_is(name: str) -> None:
    schema = json.loads(schema_text(name))
    jsonschema.Draft202012Validator.check_schema(schema)
    parts = [schema, *schema["$defs"].values()]
    for part in parts:
        assert part["additionalProperties"] is False
        assert part["required"] == list(part["properties"])
        assert part["description"].endswith(".")
    for part in parts:
        for field, value in part["properties"].items():
            assert value["description"].endswith("."), (part["title"], field)
    assert not re.search(r'"format":\s*"decimal"', schema_text(name).decode())


def test_real_reports_validate() -> None:
    for report in various_reports():
        validator("report.schema.json").validate(json.loads(to_json(report)))
        validator("student-report.schema.json").validate(json.loads(to_json(student_copy(report))))


def test_the_documentation_names_every_field() -> None:
    text = (DOCS / "results.md").read_text(encoding="utf-8")
    for name in ("report.schema.json", "student-report.schema.json"):
        schema = json.loads(schema_text(name))
        for part in [schema, *schema["$defs"].values()]:
            if part["title"] not in ("Limits", "SourceLine"):
                for field in part["properties"]:
                    assert re.search(rf"`(\w+\.)?{field}(\.\w+)?`", text), f"docs/results.md does not explain {field}"
