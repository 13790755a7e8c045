"""Sentences that are made before their reader is known, and those of a suite, which are there in both languages."""

import ast
import re
import string
from pathlib import Path

from grader.words import CourseWords, Words, joined

ROOT = Path(__file__).resolve().parents[3]
HANGUL = re.compile("[가-힣]")
FILES = sorted(path for place in ("tests/visible", "tests/hidden") for path in (ROOT / place).rglob("*.py"))


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def literal(node: ast.expr) -> str:
    """Return the words of a text without what is filled in."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "".join(str(part.value) for part in parts if isinstance(part, ast.Constant))


def test_every_sentence_that_a_suite_says_is_there_in_both_languages():
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in FILES]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    said = [call.args[1:3] for call in calls if ast.unparse(call.func) == "checks.is_true"]
    pairs = [(literal(english), literal(korean)) for english, korean in said]
    assert len(pairs) > 20
    assert [pair for pair in pairs if HANGUL.search(pair[0]) or not HANGUL.search(pair[1])] == []


def test_words_are_their_english_text_and_say_the_same_in_another_language():
    words = Words(
        "Not run, because this check has to pass first: {sentence}", sentence=CourseWords("It is so.", "그렇다.")
    )
    assert words == "Not run, because this check has to pass first: It is so." == words.to("en")
    assert words.to("ko") == "먼저 다음이 성립해야 하므로 실행하지 않았습니다: 그렇다."


def test_words_of_no_catalogue_are_said_in_english_with_what_is_known_in_it():
    words = Words("{0} of no catalogue: {name}", Words("The input"), name=3)
    assert words.to("ko") == "입력 of no catalogue: 3" and words.to("xx") == words == "The input of no catalogue: 3"


def test_braces_in_what_fills_a_gap_fill_none():
    assert Words("Argument {number}", number="{number.__class__}").to("ko") == "{number.__class__}번째 인자"


def test_joined_words_leave_out_what_is_empty():
    assert joined("a", joined(), Words("The input")).to("ko") == "a 입력"
    assert joined("a", "", "b", between="; ") == "a; b" and joined() == joined().to("ko") == ""
