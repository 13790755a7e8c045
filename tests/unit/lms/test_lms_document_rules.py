"""The rules that the tests hold documents against refuse what the platforms refuse."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from . import lms_schemas as schemas
from .lms_documents import SCHEMAS, failing, written


def change(document: Any, path: str, value: Any) -> Any:
    """Return a document with one field changed; None takes it away."""
    *way, last = path.split(".")
    place = document
    for step in way:
        place = place[int(step) if step.isdigit() else step]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return document


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("gradescope", "tests.0.visibility", "secret"),
        ("gradescope", "test_out", "x"),
        ("gradescope", "score", None),
        ("prairielearn", "score", 1.1),
        ("prairielearn", "tests.0.max_points", None),
    ],
)
def test_the_rules_of_the_formats_can_be_broken(name: str, path: str, value: Any) -> None:
    """The schemas refuse what the platforms refuse."""
    wrote = json.loads(written(name, failing()))
    gone = change(wrote, path, value)
    if (name, path) == ("gradescope", "score"):
        gone["tests"] = []
    with pytest.raises(jsonschema.ValidationError):
        schemas.validate(gone, SCHEMAS[name])


def test_a_broken_junit_is_noticed() -> None:
    text = written("junit", failing())
    breaks: list[Callable[[bytes], bytes]] = [
        lambda whole: whole.replace(b'failures="2"', b'failures="1"'),
        lambda whole: whole.replace(b"<failure", b"<error", 1).replace(b"</failure>", b"</error>", 1),
        lambda whole: whole.replace(b'time="0.250"', b'time="0,250"', 1),
    ]
    for act in breaks:
        assert act(text) != text
        with pytest.raises((AssertionError, ET.ParseError, ValueError)):
            schemas.validate_junit(act(text))
