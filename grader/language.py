"""The kit's sentences in the reader's language: English in the code, other languages as gettext catalogues.

`make locale` collects the sentences of the code into `grader/locale/<language>/LC_MESSAGES/grader.po` and compiles
them. Gaps are filled by `str.format` after the translation: `_("{name} is done.").format(name=name)`.
"""

import gettext
import os
from functools import cache
from pathlib import Path

DOMAIN = "grader"
LOCALE = Path(__file__).parent / "locale"
LANGUAGES = ("en", *sorted(path.parts[-3] for path in LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")))
"""English and whatever has a catalogue."""


@cache
def translation(language: str) -> gettext.NullTranslations:
    """Return the sentences in a language; English where there is no catalogue, or no translation in it."""
    return gettext.translation(DOMAIN, LOCALE, [language], fallback=True)


def preferred_language() -> str:
    """Return the first language of GRADER_LANGUAGE and LANG that there is; English where there is none."""
    return language_in("GRADER_LANGUAGE", "LANG") or "en"


def language_in(*variables: str) -> str | None:
    """Return the first language of some variables of the environment that there is, such as `ko` of `ko_KR.UTF-8`."""
    asked = (os.environ.get(name, "").partition("_")[0].partition(".")[0] for name in variables)
    return next((language for language in asked if language in LANGUAGES), None)


def N_(sentence: str) -> str:
    """Return a sentence as it is; a name that `make locale` knows, where it is translated later."""
    return sentence
