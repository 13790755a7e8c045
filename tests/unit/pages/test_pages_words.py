"""The words of the pages: each is marked for translation, and a page is in one language."""

import re
from decimal import Decimal
from pathlib import Path
from typing import get_args

import jinja2
import msgspec
import pytest

from grader.language import translation
from grader.pages.class_page import class_page
from grader.pages.figures import ClassFigures
from grader.pages.states import KINDS, STATES
from grader.pages.student import student_page
from grader.results.assemble import PlannedExercise
from grader.results.redact import student_copy
from grader.results.report import ExerciseStatus, Report
from grader.results.verdict import Category, Language, Values, Visibility

from ...support.reports.lms_reports import PLAN, grade_of, report_of

TEMPLATES = Path(__file__).resolve().parents[3] / "grader/pages/templates"
NASTY = [
    pytest.param("<script>alert(1)</script><img src=x onerror=alert(1)>", id="html"),
    pytest.param("'\"/><svg onload=alert(1)> javascript:alert(1) {{ 7 * 7 }} {% raw %} &lt;b&gt;", id="quotes"),
    pytest.param("</style></script></pre></title><h1>x", id="ends"),
    pytest.param("\x1b[31mred\x1b[0m\x1b]0;t\x07 \x00 \x9b31m", id="terminal"),
    pytest.param("abc\u202edcba\u2066x\u2069\u200b\u2028\ufeff\ud800", id="direction"),
    pytest.param("x" * 10_000_000, id="long"),
    pytest.param("\n".join("<b>`|" for _ in range(100_000)), id="lines"),
]
KOREAN = [
    PlannedExercise(id="shares", title="비율", points=Decimal(2)),
    PlannedExercise(id="Shift", title="이동", points=Decimal("3.5")),
]
DATA = (
    r"\w+\.(open|shut|late)|ann|ben|cho|attention-grader|UTC|tiny\.py|01_tiny|shares|Shift|\w+_canary0731|nan"
    r"|ValueError|(ab){4}"
)


def test_every_state_and_kind_has_a_word_and_every_state_a_sign_of_its_own():
    assert len({state.sign for state in STATES.values()}) == len(STATES)
    assert STATES.keys() == set(get_args(ExerciseStatus))
    assert set(KINDS) == {*get_args(Category), *get_args(Visibility)}


def test_a_template_holds_no_words_of_its_own():
    assert [*TEMPLATES.glob("*.html")]
    for name in sorted(path.name for path in TEMPLATES.glob("*.html")):
        text = (TEMPLATES / name).read_text(encoding="utf-8")
        data = "".join(part for _, kind, part in jinja2.Environment().lex(text) if kind == "data")
        told = re.findall(r'(?:title|alt|aria-label|placeholder|data-words)="([^"]*)"', data)
        outside = re.sub(r"<[^>]*>|&\w+;", "", data, flags=re.DOTALL)
        assert re.findall(r"[^\W\d_]+", outside) == [], name
        assert not any(told), name


def pictured(report: Report) -> Report:
    """Return a report whose visible checks have pictures of every kind."""
    vector = Values(shape=[2], place=[], yours=["1 -2"], expected=["1 2"])
    matrix = Values(shape=[3, 2, 1], place=[1], yours=["1", "nan"], expected=["1.23457", "2"])
    exercises = []
    for exercise, values in zip(report.exercises, (vector, matrix), strict=True):
        detail = msgspec.structs.replace(exercise.checks[0].detail, values=values, call="")
        checks = [msgspec.structs.replace(exercise.checks[0], detail=detail), *exercise.checks[1:]]
        exercises.append(msgspec.structs.replace(exercise, checks=checks))
    return msgspec.structs.replace(report, exercises=exercises)


def pages_of_class(language: Language, spoken: str | None = None) -> dict[str, str]:
    """Return all pages of a class, with every kind of picture, by name."""
    statuses = {"shares.open": "failed", "shares.shut": "failed", "Shift.open": "failed", "Shift.late": "error"}
    plan = KOREAN if language == "ko" else PLAN
    reports = [report_of(name, statuses, plan=plan, language=language) for name in ("ann", "ben")]
    reports.append(report_of("cho", plan=plan, language=language))
    figures = ClassFigures("01_tiny")
    for report in reports:
        figures.add(report, grade_of(report))
    copy = student_copy(pictured(reports[0]))
    made = {"page": student_page(copy, spoken), "class": class_page(figures, [*map(grade_of, reports)], None, spoken)}
    return {name: text.decode() for name, text in made.items()}


def test_a_korean_page_is_korean():
    made = pages_of_class("ko")
    _ = translation("ko").gettext
    assert _("Your answer next to the expected one") in made["page"]
    for name, text in made.items():
        shown = re.sub(r"<(style|script)>.*?</\1>|<pre>.*?</pre>", "", text, flags=re.DOTALL)
        shown = re.sub(r"<[^>]*>|&\w+;", " ", shown)
        left = re.sub(DATA, "", shown.replace("\\", ""))
        assert re.findall(r"[A-Za-z]{2,}", left) == [], name


def test_the_words_of_a_page_may_be_in_another_language_than_its_report():
    made = pages_of_class("en", "ko")
    assert translation("ko").gettext("What to do next") in made["page"]
    assert translation("ko").gettext("Distribution of scores") in made["class"]
    assert all('<html lang="ko">' in text for text in made.values())
    assert "What to do next" not in made["page"]
    assert PLAN[0].title in made["page"]
