"""Writes one report in a platform's words, by a template of `formats/`; a course's own templates come first.

A template is given `copy`, the student's copy, in which nothing hidden has a place, and `score`, the points that
count. One that comes to nothing says that the platform gets no result.
"""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import jinja2

from grader.errors import UsageError
from grader.faults import did_you_mean
from grader.language import translation
from grader.results.redact import student_copy
from grader.results.report import Report
from grader.results.scoring import plain
from grader.results.student_report import StudentCheck
from grader.results.verdict import Language
from grader.text import sanitise

OWN = Path(__file__).parent / "formats"
LONGEST = 1000  # characters of a check's text: a thousand checks stay below every platform's limit


def render(name: str, report: Report, score: Decimal | None, course: Path | None = None) -> bytes:
    """Return a report in a format; nothing where the platform should get no result.

    Args:
        score: The points that count; None where there are none.
        course: The course's folder, whose own formats come first.

    Raises:
        UsageError: There is no such format, or the course's own template is broken.
    """
    folders = [OWN, *([course / "formats"] if course is not None else [])]  # of one name the last one counts
    known = (place for folder in folders for place in sorted(folder.glob("*.*")) if place.suffix[1:].isalnum())
    places = {place.stem: place for place in known}  # without an editor's backups
    if name not in places:
        raise UsageError(f"There is no format {name!r}.", hint=did_you_mean(name, [*places, "csv"]))
    place, copy = places[name], student_copy(report)

    def safe_text(text: str | None) -> str:
        return sanitise(text or "", LONGEST)

    def text_of(check: StudentCheck) -> str:
        return safe_text("\n".join(dict.fromkeys(filter(str.strip, _lines_of(check, copy.language)))).strip())

    environment = jinja2.Environment(
        autoescape=place.suffix == ".xml", undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
    environment.filters.update(points=lambda number: f"{plain(number):f}", safe_text=safe_text)
    try:
        template = environment.from_string(place.read_text(encoding="utf-8"))
        text = template.render(copy=copy, score=score, text_of=text_of)
    except Exception as problem:  # a course's own template may raise anything
        raise UsageError(f"The template {place} is broken: {str(problem) or type(problem).__name__}.") from None
    return text.encode("utf-8", "backslashreplace") if text.strip() else b""


def _lines_of(check: StudentCheck, language: Language) -> Iterator[str]:
    """Give what came of a check: what happened, the exception, the student's own line, the hint, what was printed."""
    _ = translation(language).gettext
    if check.status != "passed":
        yield check.happened
    yield check.detail.exception_text if check.detail else ""
    if check.line is not None:
        place = [str(part) for part in (check.line.cell, check.line.number) if part is not None]
        yield f"{':'.join(place)}  {check.line.text}".strip()
    if check.diagnosis is not None:
        yield _("Hint: {text}").format(text=check.diagnosis.hint)
    yield check.detail.output if check.detail else ""
