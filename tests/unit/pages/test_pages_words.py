"""The words of the pages: all of them in both languages, none in a template, and nothing of a student's that acts."""

import re
import string
from decimal import Decimal
from pathlib import Path
from typing import get_args

import jinja2
import msgspec
import pytest

from grader.pages.class_page import class_page
from grader.pages.figures import ClassFigures
from grader.pages.student import student_page
from grader.pages.words import SIGNS, WORDS
from grader.records.changes import compare
from grader.records.journal_lines import line_of
from grader.results.assemble import PlannedExercise
from grader.results.redact import student_copy
from grader.results.report import ExerciseStatus, Report
from grader.results.verdict import Category, Language, Shapes, Values, Visibility

from ...support.lms_reports import PLAN, report_of

TEMPLATES = Path(__file__).resolve().parents[3] / "grader/pages/templates"
NASTY = [
    pytest.param("<script>alert(1)</script><img src=x onerror=alert(1)>", id="html"),
    pytest.param("'\"/><svg onload=alert(1)> javascript:alert(1) {{ 7 * 7 }} {% raw %} &lt;b&gt;", id="quotes"),
    pytest.param("</style></script></pre></title><h1>x", id="ends"),
    pytest.param("[x](javascript:alert(1)) ![x](//evil) | a | b |\n# head\n```\n<b>", id="markdown"),
    pytest.param("\x1b[31mred\x1b[0m\x1b]0;t\x07 \x00 \x9b31m", id="terminal"),
    pytest.param("abc\u202edcba\u2066x\u2069\u200b\u2028\ufeff\ud800", id="direction"),
    pytest.param("x" * 10_000_000, id="long"),
    pytest.param("\n".join("<b>`|" for _ in range(100_000)), id="lines"),
    pytest.param("nan NaN inf -inf Infinity 1e999", id="numbers"),
]
KOREAN = [
    PlannedExercise(id="shares", title="비율", points=Decimal(2)),
    PlannedExercise(id="Shift", title="이동", points=Decimal("3.5")),
]
DATA = (
    r"\w+\.(open|shut|late)|ann|ben|cho|attention-grader|UTC|tiny\.py|01_tiny|shares|Shift|\w+_canary0731|nan"
    r"|ValueError|(ab){4}"
)


def acts(text: str) -> list[str]:
    """Return the characters in a text that act on a terminal or on the reading direction."""
    return re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]", text)


def test_words_exist_in_both_languages_with_the_same_gaps():
    wrong = []
    for key, pair in WORDS.items():
        gaps = [{name for _, name, _, _ in string.Formatter().parse(text) if name} for text in pair]
        if gaps[0] != gaps[1] or not all(pair) or not re.search("[가-힣]", pair[1]):
            wrong.append(key)
    assert wrong == []


def test_every_state_and_kind_has_a_word_and_every_state_a_sign_of_its_own():
    assert len(set(SIGNS.values())) == len(SIGNS)
    kinds = {"is": ExerciseStatus, "of": Category, "to": Visibility}
    assert {f"{start}_{name}" for start, kind in kinds.items() for name in get_args(kind)} <= WORDS.keys()
    assert set(SIGNS) == set(get_args(ExerciseStatus))


def test_a_template_holds_no_words_of_its_own():
    for name in ("student.html", "pictures.html", "class.html"):
        text = (TEMPLATES / name).read_text(encoding="utf-8")
        data = "".join(part for _, kind, part in jinja2.Environment().lex(text) if kind == "data")
        told = re.findall(r'(?:title|alt|aria-label|placeholder|data-words)="([^"]*)"', data)
        outside = re.sub(r"<[^>]*>|&\w+;", "", data, flags=re.DOTALL)
        assert re.findall(r"[^\W\d_]+", outside) == [], name
        assert not any(told), name


def test_the_script_holds_no_words():
    text = (TEMPLATES / "class.js").read_text(encoding="utf-8")
    assert [found for found in re.findall(r'"([^"]*)"', text) if " " in found] == ["use strict"]
    assert "shown.textContent = shown.dataset.words" in text


def test_no_word_is_left_over():
    files = [path for path in (*TEMPLATES.iterdir(), *TEMPLATES.parent.glob("*.py")) if path.name != "words.py"]
    there = "".join(path.read_text(encoding="utf-8") for path in files)
    starts = [start for start in ("is_", "of_", "to_", "since_") if f'"{start}"' in there]
    assert [key for key in WORDS if f'"{key}"' not in there and not key.startswith(tuple(starts))] == []


def pictured(report: Report) -> Report:
    """Return a report whose visible checks have pictures of every kind."""
    vector = Values(shape=[2], place=[], yours=["1 -2"], expected=["1 2"], column_labels=["나", "너"])
    matrix = Values(shape=[3, 2, 1], place=[1], yours=["1", "nan"], expected=["1.23457", "2"])
    exercises = []
    for each, values in zip(report.exercises, (vector, matrix), strict=True):
        shapes = Shapes(yours=[2], expected=[3, 2, 1])
        detail = msgspec.structs.replace(each.checks[0].detail, values=values, shapes=shapes, call="")
        checks = [msgspec.structs.replace(each.checks[0], detail=detail), *each.checks[1:]]
        exercises.append(msgspec.structs.replace(each, checks=checks))
    return msgspec.structs.replace(report, exercises=exercises)


def pages_of_class(language: Language) -> dict[str, str]:
    """Return all pages of a class, with every kind of picture, by name."""
    statuses = {"shares.open": "failed", "shares.shut": "failed", "Shift.open": "failed", "Shift.late": "error"}
    plan = KOREAN if language == "ko" else PLAN
    reports = [report_of(name, statuses, plan=plan, language=language) for name in ("ann", "ben")]
    reports.append(report_of("cho", plan=plan, language=language))
    before = [line_of(report_of("cho", statuses)), line_of(report_of("ann"))]
    changes = compare(*({line.place: line for line in lines} for lines in (before, map(line_of, reports))))
    figures = ClassFigures("01_tiny")
    for report in reports:
        figures.add(report)
    copy = student_copy(pictured(reports[0]))
    made = {"page": student_page(copy), "class": class_page(figures, None, changes)}
    return {name: text.decode() for name, text in made.items()}


def test_a_korean_page_is_korean():
    made = pages_of_class("ko")
    for key in ("shapes", "pictured"):
        assert WORDS[key][1] in made["page"]
    for key in ("since", "raised", "first_graded", "newly_passed"):
        assert WORDS[key][1].partition("{")[0] in made["class"]
    for name, text in made.items():
        shown = re.sub(r"<(style|script)>.*?</\1>|<pre>.*?</pre>", "", text, flags=re.DOTALL)
        shown = re.sub(r"<[^>]*>|&\w+;", " ", shown)
        left = re.sub(DATA, "", shown.replace("\\", ""))
        assert re.findall(r"[A-Za-z]{2,}", left) == [], name
