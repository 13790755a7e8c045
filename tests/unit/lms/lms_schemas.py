"""The rules of the JSON and XML formats that exports must keep, as schemas and one validator.

CTRF and Classroom 50 publish schemas, whose rules are stated here again for the fields that a single run can have. The
others are documented in prose; these schemas say what that prose asks for. Every object is closed where the platform's
is, so a misspelt field is found.
"""

import re
import xml.etree.ElementTree as ET
from typing import Any

import jsonschema

TEXT = {"type": "string"}
NAME = {"type": "string", "minLength": 1}
POINTS = {"type": "number", "minimum": 0}
WHOLE = {"type": "integer", "minimum": 0}
ANY = {"type": "object"}
OUTPUT_FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
HELD_BACK = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
MOMENT = {"type": "string", "pattern": r"^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$"}


def closed(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """Return the schema of an object with these fields and no others."""
    properties = {**required, **optional}
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def listed(item: Any, **more: Any) -> dict[str, Any]:
    """Return the schema of a list."""
    return {"type": "array", "items": item, **more}


GRADESCOPE = {
    **closed(
        {},
        score={"type": "number"},
        execution_time={"type": ["number", "string"]},
        output={"type": "string", "pattern": r"^[^\r]*$"},
        output_format=OUTPUT_FORMAT,
        test_output_format=OUTPUT_FORMAT,
        test_name_format=OUTPUT_FORMAT,
        visibility=HELD_BACK,
        stdout_visibility=HELD_BACK,
        extra_data=ANY,
        tests=listed(
            closed(
                {},
                score={"type": "number"},
                max_score={"type": "number"},
                status={"enum": ["passed", "failed"]},
                name=TEXT,
                name_format=OUTPUT_FORMAT,
                number=TEXT,
                output={"type": "string", "pattern": r"^[^\r]*$"},
                output_format=OUTPUT_FORMAT,
                tags=listed(TEXT),
                visibility=HELD_BACK,
                extra_data=ANY,
            )
        ),
        leaderboard=listed(
            closed({"name": TEXT, "value": {"type": ["number", "string"]}}, order={"enum": ["asc", "desc"]})
        ),
    ),
    "anyOf": [
        {"required": ["score"]},
        {"properties": {"tests": {"minItems": 1, "items": {"required": ["score"]}}}, "required": ["tests"]},
    ],
}
PRAIRIELEARN = {
    **closed(
        {},
        score={"type": "number", "minimum": 0, "maximum": 1},
        gradable={"type": "boolean"},
        format_errors={"anyOf": [TEXT, listed(TEXT)]},
        message=TEXT,
        output=TEXT,
        tests=listed(
            closed({"name": TEXT, "points": POINTS, "max_points": POINTS}, description=TEXT, message=TEXT, output=TEXT)
        ),
    ),
    "anyOf": [{"required": ["score"]}, {"properties": {"gradable": {"const": False}}, "required": ["gradable"]}],
}
CTRF_STATUS = {"enum": ["passed", "failed", "skipped", "pending", "other"]}
INTEGER = {"type": "integer"}
AGS = closed(
    {
        "userId": NAME,
        "activityProgress": {"enum": ["Initialized", "Started", "InProgress", "Submitted", "Completed"]},
        "gradingProgress": {"enum": ["FullyGraded", "Pending", "PendingManual", "Failed", "NotReady"]},
        "timestamp": {
            "type": "string",
            "pattern": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3,}(Z|[+-]\d{2}:\d{2})$",
        },
    },
    scoreGiven=POINTS,
    scoreMaximum={"type": "number", "exclusiveMinimum": 0},
    comment=TEXT,
)


def validate(document: Any, schema: dict[str, Any]) -> None:
    """Refuse a document that breaks a schema, and a schema that is none."""
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(document)


def validate_junit(text: bytes) -> ET.Element:
    """Refuse what is not a JUnit XML as build servers read it, and return its tree.

    Counts are whole numbers that agree with the cases, times are seconds, a case has at most one outcome, and the
    properties of a suite are before its cases.
    """
    top = ET.fromstring(text)
    assert top.tag == "testsuites"
    for suite in top:
        assert suite.tag == "testsuite" and suite.get("name")
        tags = [child.tag for child in suite]
        assert tags == sorted(tags, key=("properties", "testcase", "system-out", "system-err").index)
        cases = suite.findall("testcase")
        outcomes = [[child.tag for child in case if child.tag in ("failure", "error", "skipped")] for case in cases]
        assert all(len(found) <= 1 for found in outcomes)
        flat = [tag for found in outcomes for tag in found]
        counts = (len(cases), flat.count("failure"), flat.count("error"), flat.count("skipped"))
        assert counts == tuple(int(suite.get(name, "")) for name in ("tests", "failures", "errors", "skipped"))
        assert all(case.get("name") and case.get("classname") for case in cases)
        assert all(re.fullmatch(r"\d+\.\d{3}", each.get("time", "")) for each in (suite, *cases))
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.get("timestamp", ""))
    for name in ("tests", "failures", "errors"):
        assert int(top.get(name, "")) == sum(int(suite.get(name, "")) for suite in top)
    return top
