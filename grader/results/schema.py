"""Publishes the reports' JSON Schemas, made from the structs that write them.

The prose of the structs' docstrings becomes the schema's descriptions, so there is one place to say what a field means.
"""

import inspect
import re
from pathlib import Path
from typing import Any

import msgspec

from .grades import Grades
from .report import Report
from .student_report import StudentReport

DIALECT = "https://json-schema.org/draft/2020-12/schema"
PUBLISHED: dict[str, tuple[type[msgspec.Struct], str]] = {
    "report.schema.json": (Report, "A report: the instructor's copy"),
    "student-report.schema.json": (StudentReport, "A report: the student's copy"),
    "grades.schema.json": (Grades, "The grades of a class"),
}
FIELD = re.compile(r"^(\w+): (.*(?:\n[ ]+.*)*)", re.MULTILINE)


def schema_of(kind: type[msgspec.Struct], title: str) -> dict[str, Any]:
    """Return the JSON Schema of the documents that a struct writes."""
    (top,), parts = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    structs = _structs(msgspec.inspect.type_info(kind))
    described = {name: _described(part, structs[name]) for name, part in sorted(parts.items())}
    body = described.pop(top["$ref"].rpartition("/")[2])
    return {"$schema": DIALECT, **body, "title": title, "$defs": described}


def schema_text(file_name: str) -> bytes:
    """Return what a published schema file must hold."""
    kind, title = PUBLISHED[file_name]
    return msgspec.json.format(msgspec.json.encode(schema_of(kind, title)), indent=2) + b"\n"


def _described(part: Any, kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return a struct's schema with every field required and described, and decimals as the numbers they are."""
    prose, fields = _prose(kind)
    properties: dict[str, Any] = {name: _with_numbers(value) for name, value in part["properties"].items()}
    for name, text in fields.items():
        properties[name] = {**properties[name], "description": text}
    return {
        "type": "object",
        "title": part["title"],
        "description": prose,
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _with_numbers(value: Any) -> Any:
    if isinstance(value, list):
        return [_with_numbers(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get("format") == "decimal":
        return {"type": "number", "minimum": 0}
    return {key: _with_numbers(item) for key, item in value.items() if key != "default"}


def _prose(kind: type[msgspec.Struct]) -> tuple[str, dict[str, str]]:
    """Return what a struct's docstring says of it, and what it and its bases say of their fields."""
    inherited = _prose(kind.__base__)[1] if kind.__base__ not in (None, msgspec.Struct) else {}
    head, _, tail = (inspect.cleandoc(kind.__doc__ or "")).partition("\n\nAttributes:\n")
    fields = {name: " ".join(text.split()) for name, text in FIELD.findall(inspect.cleandoc("\n" + tail))}
    return " ".join(head.split()), {**inherited, **fields}


def _structs(info: Any) -> dict[str, type[msgspec.Struct]]:
    """Return every struct that a type is made of, by name."""
    if isinstance(info, msgspec.inspect.StructType):
        structs = {info.cls.__name__: info.cls}
        for field in info.fields:
            structs.update(_structs(field.type))
        return structs
    parts = [getattr(info, name, None) for name in ("item_type", "value_type")] + list(getattr(info, "types", ()))
    return {name: kind for part in parts if part is not None for name, kind in _structs(part).items()}


if __name__ == "__main__":
    for published in PUBLISHED:
        (Path(__file__).parents[2] / "docs" / published).write_bytes(schema_text(published))
