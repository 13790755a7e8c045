"""What the student's copy of a report says of one check, in lines: for learning platforms and graded notebooks alike.

Everything comes from the student's copy, a type that has no place for what is hidden, so no line can hold it.
"""

from typing import NamedTuple

from grader.language import translation

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
    _ = translation(language).gettext
    detail = check.detail
    finding = detail.found if detail is not None and check.status != "passed" else ""
    lines = [finding or check.outcome]
    if check.exception:
        lines.append(check.exception + (f": {detail.exception_text}" if detail and detail.exception_text else ""))
    if check.line is not None:
        line = _("Line {number}: {text}") if check.line.cell is None else _("Cell {cell}, line {number}: {text}")
        line = line if check.line.number is not None else _("Your line: {text}")
        lines.append(line.format(cell=check.line.cell, number=check.line.number, text=check.line.text.strip()))
    if check.diagnosis is not None:
        lines.append(_("Hint: {text}").format(text=check.diagnosis.hint))
    return CheckText(tuple(line for line in lines if line.strip()), detail.output if detail is not None else "")
