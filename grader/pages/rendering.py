"""Renders the templates: everything that is filled in is made harmless and cut, and then escaped.

The pages' policy allows the one style sheet and the one script that are in them, by their hashes. So whatever a
student's words look like, they run nothing and load nothing; and no style may be in an attribute.
"""

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from grader.language import translation
from grader.text import sanitise

from .states import STATES

TEMPLATES = Path(__file__).parent / "templates"
LONGEST = 1000
"""Characters of any one text on a page."""


def page(template: str, language: str, **values: Any) -> bytes:
    """Return a page in HTML, the words of its template in a language and its gaps filled."""
    words = translation(language)
    values = {"_": words.gettext, "ngettext": words.ngettext, "language": language, **values}
    return _environment().get_template(template).render(values).encode("utf-8", "backslashreplace")


@cache
def asset(name: str) -> Markup:
    """Return the style sheet of all pages, `pages.css`, or the script of the class page, `class.js`."""
    return Markup((TEMPLATES / name).read_text(encoding="utf-8"))


@cache
def policy(scripted: bool) -> str:
    """Return the content security policy of a page, which names its style and, if it has one, its script."""
    rules = ["default-src 'none'", f"style-src '{_hash(asset('pages.css'))}'", "base-uri 'none'", "form-action 'none'"]
    return "; ".join([*rules, f"script-src '{_hash(asset('class.js'))}'"] if scripted else rules)


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        finalize=_harmless,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals.update(asset=asset, policy=policy, states=STATES)
    return environment


def _harmless(value: Any) -> Any:
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return escape(sanitise(value[: 2 * LONGEST + 2], LONGEST))
