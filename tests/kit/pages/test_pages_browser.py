"""The pages in a real browser: they can be read, clicked, sorted, filtered and printed, and load nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from grader.pages.class_page import class_page
from grader.pages.student import student_page
from grader.results.redact import student_copy
from grader.results.verdict import CheckVerdict

from ..support.browsers import Page, browser
from ..support.report_parts import report_of
from .test_pages_class import CLASS, figures_of
from .test_pages_words import pages_of_class

NAMES = "[...document.querySelectorAll('.map tbody tr:not([hidden]) bdi')].map(one => one.textContent).join()"
SHOWN = "document.getElementById('shown').textContent"
GROUND = "getComputedStyle(document.body).backgroundColor"
SEEN = "[...document.querySelectorAll('{}')].filter(one => one.getBoundingClientRect().height > 1).length"


@contextmanager
def opened(folder: Path, data: str | bytes) -> Iterator[Page]:
    """Open a page in a browser, and assert at the end that it asked for nothing else and complained of nothing."""
    file = folder / "page.html"
    file.write_bytes(data if isinstance(data, bytes) else data.encode())
    with browser(folder / "profile") as page:
        for domain in ("Network", "Log", "Runtime"):
            page.ask(f"{domain}.enable")
        yield at(page, file)
        told = [(name, what) for name, what in page.events if name.endswith(("entryAdded", "Thrown", "APICalled"))]
        assert told == []
        asked = {what["request"]["url"] for name, what in page.events if name == "Network.requestWillBeSent"}
        assert asked == {file.as_uri()}


def at(page: Page, file: Path) -> Page:
    """Load a page's file, and wait until it is there."""
    page.open(file.as_uri())
    page.until(f"location.href.startsWith('{file.as_uri()}') && document.readyState === 'complete'")
    return page


def put(page: Page, id: str, value: str, event: str) -> None:
    """Put a value into a field as a person does."""
    field = f"document.getElementById('{id}')"
    page.value(f"{field}.value = '{value}'; {field}.dispatchEvent(new Event('{event}'))")


def test_the_map_sorts_and_filters(tmp_path):
    with opened(tmp_path, class_page(figures_of(*CLASS), None)) as page:
        assert page.value(SHOWN) == "6 shown"
        click = "document.querySelectorAll('.map thead button')[1].click()"
        page.value(click)
        assert page.value(NAMES) == "fox,cho,dee,ben,eva,ann"
        page.value(click)
        assert page.value(NAMES).startswith("ann")
        assert page.value("document.querySelector('[aria-sort]').getAttribute('aria-sort')") == "descending"
        put(page, "who", "2", "change")
        assert set(page.value(NAMES).split(",")) == {"ben", "cho", "dee"}
        put(page, "named", "DE", "input")
        assert page.value(NAMES) == "dee"
        assert page.value(SHOWN) == "1 shown"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["What the class missed", "2 of 3 did not pass", "What changed since the run before", "3 shown"]),
        ("ko", ["학급이 놓친 것", "3명 중 2명이 통과하지 못함", "지난 실행 이후 달라진 점", "3명 표시"]),
    ],
)
def test_a_class_page_is_read_in_both_languages(tmp_path, language, words):
    with opened(tmp_path, pages_of_class(language)["class"]) as page:
        text = page.value("document.body.innerText")
        assert [word for word in words if word not in text] == []


@pytest.mark.parametrize(
    ("language", "words", "folded"),
    [
        ("en", ["What to do next", "Divide by the sum.", "Your answer beside the expected one"], "Random shares"),
        ("ko", ["다음에 할 일", "합으로 나누세요.", "결과와 기대값 비교"], "shares.shut의 문장."),
    ],
)
def test_a_students_page_is_read_in_both_languages_and_opens_what_is_folded(tmp_path, language, words, folded):
    with opened(tmp_path, pages_of_class(language)["page"]) as page:
        text = page.value("document.body.innerText")
        assert [word for word in words if word not in text] == []
        assert folded not in text
        page.value("document.querySelectorAll('summary').forEach(one => one.click())")
        assert folded in page.value("document.body.innerText")


def test_the_way_to_the_next_thing_is_followed_by_keyboard(tmp_path):
    with opened(tmp_path, pages_of_class("en")["page"]) as page:
        page.value("document.querySelector('.next a').focus()")
        for kind in ("rawKeyDown", "char", "keyUp"):
            page.ask("Input.dispatchKeyEvent", type=kind, key="Enter", windowsVirtualKeyCode=13, text="\r")
        page.until("location.hash.length > 1")
        assert page.value("document.querySelector(':target').getBoundingClientRect().top") < 900


@pytest.mark.parametrize("name", ["page", "class"])
def test_a_page_fits_a_phone_and_paper_and_is_dark_where_that_is_asked_for_but_not_on_paper(tmp_path, name):
    with opened(tmp_path, pages_of_class("en")[name]) as page:
        grounds = []
        for scheme, media, width in (("light", "screen", 375), ("dark", "screen", 375), ("dark", "print", 720)):
            page.ask("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=True)
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            page.ask("Emulation.setEmulatedMedia", media=media, features=features)
            grounds.append(page.value(GROUND))
            assert page.value("document.documentElement.scrollWidth") == width
        assert grounds == ["rgb(255, 255, 255)", "rgb(20, 23, 27)", "rgb(255, 255, 255)"]
        assert page.value(SEEN.format(".filters, .skip")) == 0


def test_pictures_are_drawn(tmp_path):
    with opened(tmp_path, pages_of_class("en")["page"]) as page:
        assert page.value(SEEN.format("svg.chart")) == 1
        assert page.value(SEEN.format("svg.box")) == 4
        assert page.value(SEEN.format("table.picture")) == 4
        heights = "[...document.querySelectorAll('.chart .yours')].map(one => one.getBoundingClientRect().height)"
        one, two = page.value(heights)
        assert two == pytest.approx(2 * one)


def test_nothing_of_a_student_runs(tmp_path):
    nasty = "<script>document.title = 'run'</script><img src=x onerror=\"document.title = 'run'\">" + "w" * 500
    copy = student_copy(report_of(CheckVerdict(id="f.open", status="failed", found=nasty, output=nasty)))
    with opened(tmp_path, student_page(copy)) as page:
        assert page.value("document.title") == "01_x: ann"
        assert nasty in page.value("document.body.innerText")
