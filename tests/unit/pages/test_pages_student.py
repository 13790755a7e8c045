"""A student's page: what to do next at the top, the first check that broke in words, and nothing of what is hidden."""

import re
from decimal import Decimal
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.pages.student import student_page
from grader.results.redact import student_copy
from grader.results.student_report import StudentReport
from grader.results.verdict import CheckVerdict
from grader.source_cells import Source

from ...support.reports.page_structure import LANDMARKS, Document, assert_sound
from ...support.reports.report_parts import SECRET, expected, leaky, passed, report_of, various_reports
from .test_pages_words import NASTY

MOST_BYTES = 300_000
CSS = (Path(__file__).resolve().parents[3] / "grader/pages/templates/pages.css").read_text(encoding="utf-8")


def copy_of(*verdicts: CheckVerdict, **changes) -> StudentReport:
    return student_copy(report_of(*verdicts, **changes))


def text_of(copy: StudentReport) -> str:
    return Document(student_page(copy)).words


BROKEN = copy_of(
    CheckVerdict(
        id="f.open", status="error", found="Your code raised MyError in line 9: 7", exception_type="MyError", line=9,
        output="a shape",
    ),
    CheckVerdict(id="f.shut", status="failed", diagnosis=leaky("f.shut").diagnosis),
    *passed("g.late"),
)  # fmt: skip


@pytest.mark.parametrize("copy", [*map(student_copy, various_reports()), BROKEN])
def test_a_page_is_one_shut_file_for_every_reader(copy):
    page = student_page(copy)
    document = assert_sound(page)
    assert all(len(document.all(name)) == 1 for name in LANDMARKS)
    assert len(page) < MOST_BYTES


def test_points_the_next_thing_and_the_states_stand_at_the_top():
    text = text_of(BROKEN)
    places = [text.index(part) for part in ("ann", "2.5 of 6.5 points", "What to do next The f", "✓ The g 2.5/2.5")]
    assert places == sorted(places)
    assert text.index("✓ The g") < text.index("What this check asks for")


def test_the_next_thing_is_the_hint_of_the_first_exercise_that_did_not_pass():
    top = text_of(BROKEN).partition("Exercises")[0]
    assert "The hint." in top
    assert "See The f" in top


def test_the_first_check_that_broke_is_told_in_words_with_the_students_own_line():
    text = text_of(BROKEN)
    assert (
        "What this check asks for The sentence of f.open. What happened Your code raised MyError in line 9: 7 Hint The "
        "sentence of f.shut. (hidden check) The hint. Your line 9 7 8 def f(x): > 9 raise MyError(x) 10 Your code "
        "printed a shape Other checks that did not pass (1)"
    ) in text


def test_what_passed_is_folded_away():
    page = student_page(BROKEN).decode()
    folded = "".join(re.findall(r"<details>.*?</details>", page, re.DOTALL))
    assert re.search(r"<details><summary><h3>The g</h3>", page)
    assert "The sentence of f.shut." in folded
    assert "<details open" not in page


def test_a_full_score_leaves_nothing_to_do():
    assert "All checks passed." in text_of(copy_of(*passed("f.open", "f.shut", "g.late")))


def test_a_submission_that_could_not_be_graded_says_why():
    text = text_of(copy_of(source=Source(problem="It is a folder.")))
    assert "This submission could not be graded It is a folder." in text
    assert "What to do next" not in text


@pytest.mark.parametrize("status", ["failed", "error", "timeout", "crash"])
def test_nothing_of_a_hidden_check_is_in_a_page(status):
    shown = student_page(copy_of(leaky("f.shut", status), leaky("g.late", status), *passed("f.open"))).decode()
    assert "The hint." in shown
    assert not re.search(SECRET.replace(".", "[._]"), shown)
    assert "mistake_" not in shown


@pytest.mark.parametrize("nasty", NASTY)
def test_hostile_words_do_nothing_in_a_page(nasty):
    told = CheckVerdict(id="f.open", status="error", found=nasty, exception_text=nasty, output=nasty)
    copy = copy_of(told, *passed("f.shut", "g.late"))
    page = student_page(replace(copy, student=nasty, assignment=nasty, notes=[nasty] * 3))
    assert_sound(page)
    assert len(page) < MOST_BYTES


def test_a_long_report_stays_far_below_the_limit_of_a_page():
    many = [expected(f"{name}.check{number}", "visible") for name in "fg" for number in range(100)]
    long = "word " * 10_000
    verdicts = [CheckVerdict(id=check.id, status="failed", found=long, output=long) for check in many]
    assert len(student_page(copy_of(*verdicts, manifest=many))) < MOST_BYTES


def test_every_text_stands_out_from_its_ground_in_light_and_dark():
    themes = [dict(re.findall(r"--([\w-]+):(#\w+)", block)) for block in re.findall(r":root\{[^}]*--back[^}]*\}", CSS)]
    shades = re.findall(r"\.[uo]\d\{background:rgb\((\d+) (\d+) (\d+)/([.\d]+)\)\}", CSS)
    assert (len(themes), len(shades)) == (2, 8)
    pairs = [(name, f"{name}-back") for name in ("good", "part", "bad", "none")]
    pairs += [(ink, ground) for ink in ("text", "soft", "link") for ground in ("back", "card")]
    for theme in themes:
        for ink, ground in pairs:
            assert contrast(rgb(theme[ink]), rgb(theme[ground])) >= 4.5, (ink, ground, theme)
        for red, green, blue, share in shades:
            laid = zip(map(int, (red, green, blue)), rgb(theme["card"]), strict=True)
            ground = [float(share) * over + (1 - float(share)) * under for over, under in laid]
            assert contrast(rgb(theme["text"]), ground) >= 4.5, (ground, theme)


def contrast(first: list[float], second: list[float]) -> float:
    """Return the contrast of two colours as WCAG 2 defines it, from 1 to 21."""

    def luminance(colour: list[float]) -> float:
        parts = [part / 255 for part in colour]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def rgb(colour: str) -> list[float]:
    """Return the red, green and blue of `#abc` or `#aabbcc`."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    return list(bytes.fromhex(digits))


def test_the_bar_is_a_number_when_nothing_can_be_reached():
    empty = replace(copy_of(*passed("f.open")), max_score=Decimal(0))
    assert 'width="0.00"' in student_page(empty).decode()
