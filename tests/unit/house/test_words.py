"""Sentences that are made before their reader is known, and those of a suite, which are there in both languages."""

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

from grader.words import CourseWords, Words, joined

ROOT = Path(__file__).resolve().parents[3]
HANGUL = re.compile("[가-힣]")
SAID = {"is_true": 1}
"""What says a sentence to a student, and which of its arguments is the English one; the Korean one comes next."""
FILES = sorted(path for place in ("tests/visible", "tests/hidden") for path in (ROOT / place).rglob("*.py"))


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def said_in(path: Path) -> Iterator[tuple[int, str, str]]:
    """Give the sentences of a file that stand beside each other in two languages, each with its line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            pair = node.args[SAID[name] : SAID[name] + 2] if name in SAID else []
        else:
            pair = node.elts[-2:] if isinstance(node, ast.Tuple) and len(node.elts) <= 3 else []
        texts = [text_of(expression) for expression in pair]
        is_pair = len(texts) == 2 and None not in texts and any(re.search(r"[^\W\d_]", text) for text in texts)
        if is_pair and (isinstance(node, ast.Call) or any(map(HANGUL.search, texts))):
            yield node.lineno, texts[0], texts[1]


def text_of(node: ast.expr) -> str | None:
    """Return the words of a literal text without what is filled in; None for anything else."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def test_every_sentence_in_the_code_is_there_in_both_languages():
    pairs = [(path, *pair) for path in FILES for pair in said_in(path)]
    assert len(pairs) > 20
    wrong = [
        f"{path.relative_to(ROOT)}:{line}"
        for path, line, english, korean in pairs
        if HANGUL.search(english) or not HANGUL.search(korean)
    ]
    assert wrong == []


def test_words_are_their_english_text_and_say_the_same_in_another_language():
    words = Words("Not run, because this must hold first: {sentence}", sentence=CourseWords("It is so.", "그렇다."))
    assert words == "Not run, because this must hold first: It is so." == words.to("en")
    assert words.to("ko") == "먼저 다음이 성립해야 하므로 실행하지 않았습니다: 그렇다."


def test_words_of_no_catalogue_are_said_in_english_with_what_is_known_in_it():
    words = Words("{0} of no catalogue: {name}", Words("The input"), name=3)
    assert words.to("ko") == "입력 of no catalogue: 3" and words.to("xx") == words == "The input of no catalogue: 3"


def test_braces_in_what_fills_a_gap_fill_none():
    assert Words("Argument {number}", number="{number.__class__}").to("ko") == "{number.__class__}번째 인자"


def test_joined_words_leave_out_what_is_empty():
    assert joined("a", joined(), Words("The input")).to("ko") == "a 입력"
    assert joined("a", "", "b", between="; ") == "a; b" and joined() == joined().to("ko") == ""
