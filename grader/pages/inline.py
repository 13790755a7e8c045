"""Draws a wrong answer beside the right one where none of our style sheets are: platforms' pages, and notebooks."""

from markupsafe import Markup

from grader.results.verdict import Values

from .pictures import pictures, tint
from .rendering import page

CELL = "border:1px solid rgba(128,128,128,0.4);padding:1px 5px;text-align:right;white-space:nowrap"


def inline_pictures(values: Values, language: str) -> Markup:
    """Return the answer, what was expected and their difference as tables of HTML with the shades in their cells.

    A matrix has three tables, a vector one of three rows.
    """
    place = str(values.place) if values.place else ""
    html = page("inline.html", language, pictures=pictures(values), place=place, edge=CELL, shade=_shade)
    return Markup(html.decode().strip())


def _shade(level: str) -> str:
    red, green, blue, opacity = tint(level)
    return f";background-color:rgba({red},{green},{blue},{opacity:.2f})" if opacity else ""
