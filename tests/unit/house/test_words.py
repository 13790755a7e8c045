"""What students read exists in both languages: the kit's own sentences, and those beside the checks that say them."""

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.results import sentences
from grader.words import SENTENCES, say

ROOT = Path(__file__).resolve().parents[3]
HANGUL = re.compile("[가-힣]")
SAID = {"CheckFailed": 0, "for_students": 0, "seen_to_happen": 0, "reword": 0, "is_true": 1, "Diagnosis": 1}
"""What says a sentence to a student, and which of its arguments is the English one; the Korean one comes next."""
FILES = sorted(path for place in ("grader", "tests/visible", "tests/hidden") for path in (ROOT / place).rglob("*.py"))


def gaps(text: str) -> set[str]:
    """Return the names of the gaps in a sentence."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def is_in_both(english: str, korean: str) -> bool:
    """Return whether a sentence is there in English and in Korean, and the Korean one has no gap of its own."""
    there = bool(english) and not HANGUL.search(english)
    in_korean = HANGUL.search(korean) is not None or not re.sub(r"\{[^}]*\}", "", korean)
    return there and in_korean and ("sentence" in gaps(english) or gaps(korean) <= gaps(english))


def test_a_sentence_exists_in_both_languages():
    assert [key for key, pair in SENTENCES.items() if not is_in_both(*pair)] == []


def test_what_a_status_means_exists_in_both_languages():
    pairs = [value for value in vars(sentences).values() if isinstance(value, tuple)]
    assert len(pairs) > 5
    pairs += [pair for status, pair in sentences.OUTCOMES.items() if status != "passed"]
    assert [pair for pair in pairs if not is_in_both(*pair)] == []


def said_in(path: Path) -> Iterator[tuple[int, str, str]]:
    """Give the sentences of a file that stand beside each other in two languages, each with its line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            pair = node.args[SAID[name] : SAID[name] + 2] if name in SAID else []
        else:
            pair = node.elts[-2:] if isinstance(node, ast.Tuple) and len(node.elts) <= 3 else []
        texts = [text_of(each) for each in pair]
        is_pair = len(texts) == 2 and None not in texts and any(re.search(r"[^\W\d_]", text) for text in texts)
        if is_pair and (isinstance(node, ast.Call) or any(map(HANGUL.search, texts))):
            yield node.lineno, texts[0], texts[1]


def text_of(node: ast.expr) -> str | None:
    """Return the words of a literal text without what is filled in; None for anything else."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def test_every_sentence_in_the_code_is_there_in_both_languages():
    found = [(path, *said) for path in FILES for said in said_in(path)]
    assert len(found) > 100
    wrong = [
        f"{path.relative_to(ROOT)}:{line}"
        for path, line, english, korean in found
        if HANGUL.search(english) or not HANGUL.search(korean)
    ]
    assert wrong == []


def test_no_korean_text_leaves_the_reader_to_choose_a_particle():
    pages = [path for pattern in ("docs/**/*.md", "grader/**/*.md", "grader/**/*.po") for path in ROOT.glob(pattern)]
    assert pages
    wrong = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in [*FILES, *pages]
        for found in re.finditer(r"[은는이가을를와과]\([은는이가을를와과]\)|\(으\)로", path.read_text(encoding="utf-8"))
    ]
    assert wrong == []


def test_a_sentence_without_its_korean_is_found(tmp_path):
    text = 'raise CheckFailed(f"{n} differ.", "n differ.")\nPAIR = ("뜻", "sense")\n'
    (tmp_path / "one.py").write_text(text, encoding="utf-8")
    assert [(line, korean) for line, _, korean in said_in(tmp_path / "one.py")] == [(1, "n differ."), (2, "sense")]


def test_a_sentence_is_said_in_the_asked_language():
    assert say("needs", "en", sentence="One is returned.").endswith(": One is returned.")
    assert say("needs", "ko", sentence="하나").endswith(": 하나")


def test_an_unknown_sentence_is_a_bug():
    with pytest.raises(KeyError, match="no such sentence"):
        say("no such sentence", "en")
