"""The kit's own sentences exist in both languages."""

import string

import pytest

from grader.words import SENTENCES, say


@pytest.mark.parametrize("key", sorted(SENTENCES))
def test_a_sentence_exists_in_both_languages(key):
    english, korean = SENTENCES[key]
    assert english
    assert korean
    fields = [{name for _, name, _, _ in string.Formatter().parse(text) if name} for text in (english, korean)]
    assert "sentence" in fields[0] or fields[1] <= fields[0], "the Korean text has a gap that the English has not"


def test_a_sentence_is_said_in_the_asked_language():
    assert say("hangs", "en", count=2).startswith("Not run: 2 checks")
    assert "2개" in say("hangs", "ko", count=2)


def test_an_unknown_sentence_is_a_bug():
    with pytest.raises(KeyError):
        say("no such sentence", "en")
