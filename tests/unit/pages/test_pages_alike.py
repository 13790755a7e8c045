"""The page of submissions that share code: it says that they do and not why, and nothing of a student's acts in it."""

import re

import pytest

from grader.grading.alike_class import MOST_PAIRS, alike_page
from grader.submissions.alike import Line, Pair, Passage

from ...support.page_structure import Document, assert_readable, assert_shut
from .test_pages_words import NASTY, acts

JUDGED = r"cheat|plagiar|copied|copies|guilt|suspici|dishonest|표절|부정|베끼|베낀|복사|의심"


def pair(left: str = "ann", right: str = "ben", text: str = "return x.softmax(-1)") -> Pair:
    """Return a pair that shares a line of this text."""
    sides = [[Line(number, "def f(x):", False), Line("2:18", text, True)] for number in ("2:17", "3")]
    return Pair(left, right, 30.0, [Passage(30.0, *sides, 3)])


def shown(*pairs: Pair, language: str = "en", left_out: dict[str, str] | None = None) -> Document:
    """Return the page of these pairs in a class of four."""
    files = dict.fromkeys({"ann", "ben", "cho", "dan", *(each.left for each in pairs)}, "tiny.py")
    files |= dict.fromkeys((each.right for each in pairs), "tiny.ipynb")
    return Document(alike_page("01_tiny", language, pairs, files, left_out or {}))


def test_shared_lines_stand_side_by_side_and_are_marked_without_colour():
    document = shown(pair())
    assert_shut(document)
    assert_readable(document, "en")
    assert "Submissions compared: 4. Pairs that share code which few others have: 1." in document.text
    assert "3 of 4 submissions have this." in document.text
    assert document.text.count("|  2:18  return x.softmax(-1)\n") == 2
    assert re.search(r"^   2:17  def f\(x\):$", document.text, re.MULTILINE)
    assert len(document.all("mark")) == 2


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_page_gives_no_verdict(language):
    document = shown(pair(), language=language, left_out={"eva": "It is a folder."})
    assert_shut(document)
    assert_readable(document, language)
    assert not re.search(JUDGED, document.text, re.IGNORECASE)
    assert ("Look at them yourself." if language == "en" else "직접 살펴보세요.") in document.text


def test_a_korean_page_is_korean():
    text = re.sub(
        r"ann|ben|tiny\.(py|ipynb)|01_tiny|def f\(x\):|return x\.softmax", "", shown(pair(), language="ko").text
    )
    assert re.findall(r"[A-Za-z]{2,}", text) == []


@pytest.mark.parametrize("nasty", NASTY)
def test_hostile_names_and_code_do_nothing(nasty):
    document = shown(pair(f"a{nasty}", f"b{nasty}", nasty), left_out={f"c{nasty}": nasty})
    assert_shut(document)
    assert_readable(document, "en")
    assert acts(document.text) == []
    assert len(document.text) < 20_000


def test_of_very_many_pairs_the_rest_is_counted():
    document = shown(*(pair(f"a{number}", f"b{number}") for number in range(MOST_PAIRS + 7)))
    assert len(document.all("section")) == MOST_PAIRS
    assert "Further pairs, which share less: 7" in document.text


def test_where_nothing_is_shared_the_page_says_so():
    document = shown()
    assert_readable(document, "en")
    assert "No two submissions share unusual code." in document.text
