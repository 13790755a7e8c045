"""What the student's copy of a report says of one check, in lines: for learning platforms and graded notebooks alike.

Everything comes from the student's copy, a type that has no place for what is hidden, so no line can hold it.
"""

from typing import NamedTuple

from grader.words import say

from .student_report import StudentCheck
from .verdict import Language


class CheckText(NamedTuple):
    """What there is to say of a check besides what it asks.

    Attributes:
        lines: What came of it, the exception, the student's own line, the hint; unescaped.
        printed: What the code printed meanwhile; empty where that may not be shown.
    """

    lines: tuple[str, ...]
    printed: str


def check_text(check: StudentCheck, language: Language) -> CheckText:
    """Return what may be said of a check."""
    detail = check.detail
    found = detail.found if detail is not None and check.status != "passed" else ""
    lines = [found or check.outcome]
    if check.exception:
        lines.append(check.exception + (f": {detail.exception_text}" if detail and detail.exception_text else ""))
    if check.line is not None:
        key = "only_text" if check.line.number is None else "line" if check.line.cell is None else "cell_line"
        where = {"number": check.line.number, "cell": check.line.cell, "text": check.line.text.strip()}
        lines.append(say(f"copy_{key}", language, **where))
    if check.diagnosis is not None:
        lines.append(say("copy_hint", language, text=check.diagnosis.hint))
    return CheckText(tuple(line for line in lines if line.strip()), detail.output if detail is not None else "")
