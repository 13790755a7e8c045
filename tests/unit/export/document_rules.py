"""What Gradescope, PrairieLearn and readers of JUnit XML ask of a document, by their documentation."""

import re
import xml.etree.ElementTree as ET
from typing import Any

TEXT = {"type": "string"}
POINTS = {"type": "number", "minimum": 0}
ANY = {"type": "object"}
OUTPUT_FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
HELD_BACK = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}


def closed(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """Return the schema of an object with these fields and no others."""
    properties = {**required, **optional}
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def listed(item: Any, **more: Any) -> dict[str, Any]:
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


def read_junit(text: bytes) -> ET.Element:
    """Return the tree of JUnit XML, after its counts were held against its cases."""
    top = ET.fromstring(text)
    assert top.tag == "testsuites"
    for suite in top:
        assert suite.tag == "testsuite" and suite.get("name")
        cases = suite.findall("testcase")
        assert all(case.get("name") and case.get("classname") for case in cases)
        assert suite.get("tests") == str(len(cases))
        for count, child in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert suite.get(count) == str(len([case for case in cases if case.find(child) is not None]))
    assert not re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]", text)
    return top
