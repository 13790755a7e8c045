"""Sentences that are made where it is not known yet in which languages they will be read, such as those of a check.

Such a sentence is its English text, so it is compared, searched and sent as any text is. What knows the reader's
language at once takes its sentences from `grader.language` alone.
"""

from typing import Any, Literal

from grader.language import translation

Language = Literal["en", "ko"]


class Words(str):
    """A sentence of the kit in English, which can be said in the languages that have a catalogue.

    Args:
        sentence: As the catalogues have it, with gaps as `str.format` fills them.
        *values, **named: What is in the gaps; words among them are said in the same language.
    """

    def __new__(cls, sentence: str, /, *values: Any, **named: Any) -> "Words":
        return super().__new__(cls, sentence.format(*values, **named))

    def __init__(self, sentence: str, /, *values: Any, **named: Any) -> None:
        self._sentence, self._values, self._named = sentence, values, named

    def to(self, language: str) -> str:
        """Return the sentence in a language; what has no translation stays English."""
        values = [in_language(value, language) for value in self._values]
        named = {name: in_language(value, language) for name, value in self._named.items()}
        sentence = translation(language).gettext(self._sentence) if self._sentence else ""
        return sentence.format(*values, **named)


class CourseWords(Words):
    """A sentence of the course's author, who writes both languages."""

    def __new__(cls, english: str, korean: str) -> "CourseWords":
        return str.__new__(cls, english)

    def __init__(self, english: str, korean: str) -> None:
        self._english, self._korean = english, korean

    def to(self, language: str) -> str:
        return self._korean if language == "ko" else self._english


def in_language(value: Any, language: str) -> Any:
    """Return words in a language, and anything else as it is."""
    return value.to(language) if isinstance(value, Words) else value


def joined(*texts: str, between: str = " ") -> Words:
    """Return texts one after the other, without those that are empty."""
    some = [text for text in texts if text]
    return Words(between.join(["{}"] * len(some)), *some)
