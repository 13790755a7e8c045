"""Draws a wrong answer beside the right one for pages of platforms, with the shades in the cells themselves."""

from markupsafe import Markup

from grader.results.verdict import Language, Values

from .pictures import LEVELS, Picture, pictures
from .words import say

SHADES = {"u": "11,87,194", "o": "200,90,0"}  # below 0, above 0
DARKEST = 0.48
TABLE = (
    '<table border="1" cellpadding="3" style="border-collapse:collapse">'
    '<caption style="text-align:left">{}</caption>{}</table>'
)
CELL = '<td align="right" style="background:rgba({},{:.2f})">{}</td>'


def inline_pictures(values: Values, language: Language) -> Markup:
    """Return the answer, what was expected and the difference as tables of HTML that need no style sheet."""
    place = str(values.place) if values.place else ""
    heading = say("pictured_at", language, place=place) if place else say("pictured", language)
    tables = Markup("").join(_table(each, language) for each in pictures(values))
    return Markup("<p>{}</p>{}").format(heading, tables)


def _table(picture: Picture, language: Language) -> Markup:
    rows = [Markup("").join(_cell(*cell) for cell in row) for row in picture.rows]
    body = Markup("").join(Markup("<tr>{}</tr>").format(row) for row in rows)
    return Markup(TABLE).format(say(picture.key, language), body)


def _cell(text: str, level: str) -> Markup:
    strength = DARKEST * int(level[1:]) / LEVELS
    return Markup(CELL).format(SHADES[level[0]], strength, text)
