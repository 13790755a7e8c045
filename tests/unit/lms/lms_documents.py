"""Documents of one submission for the tests of its formats, each held against its platform's rules."""

import json
from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from grader.lms.formats import FORMATS, ExportOptions, find_format
from grader.lms.visibility import platform_view
from grader.results.report import Report
from grader.results.verdict import Status
from grader.text import sanitise

from ...support.lms_reports import report_of
from . import lms_schemas as schemas

ONE = [name for name, each in FORMATS.items() if each.scope == "one"]
SCHEMAS = {
    "gradescope": schemas.GRADESCOPE,
    "prairielearn": schemas.PRAIRIELEARN,
}
HOSTILE = "<script>alert(1)</script>\x1b[31m\u202e]]>&\x00\ud800 http://a.example word: `x` \u2028\r\n"
STATUSES: list[Status] = [
    "passed", "failed", "error", "timeout", "memory", "crash", "forbidden", "missing", "skipped",
]  # fmt: skip


def written(name: str, report: Report, **choice: Any) -> bytes:
    """Return what a format writes of a report."""
    return find_format(name).write(platform_view(report), ExportOptions(**choice))


def made(name: str, report: Report, **choice: Any) -> Any:
    """Return a format's document with exact numbers, after it was held against its rules."""
    text = written(name, report, **choice)
    if name == "junit":
        return schemas.validate_junit(text)
    schemas.validate(json.loads(text), SCHEMAS[name])
    return json.loads(text, parse_float=Decimal)


def failing() -> Report:
    """Return a report with a failed check of each visibility."""
    return report_of("ann", dict.fromkeys(("shares.open", "shares.shut", "Shift.late"), "failed"))


def hostile() -> Report:
    """Return a report with a text that tries everything, in the author's words and in the student's output."""
    report = failing()
    harmless, authors = sanitise(HOSTILE), HOSTILE.replace("\ud800", "")
    exercises = []
    for exercise in report.exercises:
        checks = [
            replace(check, output=harmless, detail=replace(check.detail, found=harmless), message=authors)
            for check in exercise.checks
        ]
        exercises.append(replace(exercise, title=authors, checks=checks))
    return replace(report, exercises=exercises)
