"""What Gradescope, PrairieLearn and readers of JUnit XML ask of a document, by their documentation.

Of the fields that they know, those are here that the templates write; any other is refused.
"""

import re
import xml.etree.ElementTree as ET
from typing import Any

NUMBER = {"type": "number"}
TEXT = {"type": "string"}
OUTPUT = {"type": "string", "pattern": r"^[^\r]*$"}
POINTS = {"type": "number", "minimum": 0}
OUTPUT_FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
HELD_BACK = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}


def closed(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """Return the schema of an object with these fields and no others."""
    properties = {**required, **optional}
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def listed(item: Any) -> dict[str, Any]:
    return {"type": "array", "items": item}


STATUS = {"enum": ["passed", "failed"]}
TEST = closed(
    {}, score=NUMBER, max_score=NUMBER, status=STATUS, name=TEXT, number=TEXT, output=OUTPUT, tags=listed(TEXT)
)
GRADESCOPE = closed(
    {"score": NUMBER},
    output=OUTPUT,
    output_format=OUTPUT_FORMAT,
    test_output_format=OUTPUT_FORMAT,
    test_name_format=OUTPUT_FORMAT,
    visibility=HELD_BACK,
    stdout_visibility=HELD_BACK,
    tests=listed(TEST),
)
QUESTION = closed({"name": TEXT, "points": POINTS, "max_points": POINTS}, description=TEXT, output=TEXT)
PRAIRIELEARN = {
    **closed(
        {},
        score={"type": "number", "minimum": 0, "maximum": 1},
        gradable={"type": "boolean"},
        format_errors=listed(TEXT),
        message=TEXT,
        tests=listed(QUESTION),
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
