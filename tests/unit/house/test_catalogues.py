"""Every sentence that the code marks for translation is in each catalogue, with the same gaps, and nothing else is."""

import ast
import io
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from grader.language import LOCALE, preferred_language

from .test_words import HANGUL, gaps

ROOT = Path(__file__).resolve().parents[3]
CATALOGUES = sorted(LOCALE.glob("*/LC_MESSAGES/grader.po"))
CODE = sorted((ROOT / "grader").rglob("*.py"))
TRANSLATES = ("_", "gettext", "ngettext", "N_", "Words")


@cache
def sentences() -> dict[str, tuple[str, ...]]:
    """Return the forms of every sentence that the code marks, by the first."""
    mappings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["babel"]["mappings"]
    methods = [(mapping["pattern"], mapping["method"]) for mapping in mappings]
    messages = extract_from_dir(ROOT / "grader", methods, keywords={**DEFAULT_KEYWORDS, "N_": None, "Words": None})
    forms = (message if isinstance(message, tuple) else (message,) for _, _, message, _, _ in messages)
    return {texts[0]: texts for texts in forms}


def catalogue(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


def translations(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Give the first form of every sentence of a catalogue, with its translations."""
    for message in catalogue(path):
        if message.id and not message.fuzzy:
            first = message.id[0] if message.pluralizable else message.id
            yield first, list(message.string) if message.pluralizable else [message.string]


def test_every_sentence_that_the_code_translates_is_collected():
    """Inside of an f-string it would not be: it is no text of its own there before Python 3.12."""
    calls = (node for path in CODE for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    asked = {
        node.args[0].value
        for node in calls
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in TRANSLATES
        if isinstance(node.args[0], ast.Constant)
    }
    assert len(asked) > 50
    assert asked - sentences().keys() == set()


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_a_catalogue_holds_the_sentences_of_the_code_and_no_others(path):
    translated = {first for first, texts in translations(path) if all(texts)}
    assert sorted(sentences().keys() - translated) == [], "not translated: see `make locale`"
    assert sorted(translated - sentences().keys()) == [], "left over: see `make locale`"
    assert sorted(catalogue(path).obsolete) == []


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_a_translation_has_the_gaps_of_its_sentence(path):
    wrong = [
        text
        for first, texts in translations(path)
        for text in texts
        if first in sentences() and gaps(text) != gaps(sentences()[first][-1])
    ]
    assert wrong == []


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_a_compiled_catalogue_is_what_its_source_says(path):
    compiled = io.BytesIO()
    write_mo(compiled, catalogue(path))
    assert path.with_suffix(".mo").read_bytes() == compiled.getvalue(), "out of date: run `make locale`"


def test_a_korean_translation_is_korean():
    texts = [text for _, forms in translations(LOCALE / "ko/LC_MESSAGES/grader.po") for text in forms]
    assert [text for text in texts if not HANGUL.search(text)] == []


@pytest.mark.parametrize(
    ("asked", "system", "language"),
    [
        ("ko", "en_US.UTF-8", "ko"),
        ("en", "ko_KR.UTF-8", "en"),
        ("", "ko_KR.UTF-8", "ko"),
        ("", "ko", "ko"),
        ("de", "ko_KR.UTF-8", "ko"),
        ("de", "fr_FR", "en"),
        ("../ko", "C.UTF-8", "en"),
        (None, None, "en"),
    ],
)
def test_the_first_language_of_the_variables_that_there_is_is_taken(monkeypatch, asked, system, language):
    for name, value in (("GRADER_LANGUAGE", asked), ("LANG", system)):
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    assert preferred_language() == language
