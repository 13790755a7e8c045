"""Draws a wrong answer beside the right one where none of our style sheets are: platforms' pages, and notebooks."""

from collections.abc import Iterable, Iterator, Sequence

from markupsafe import Markup

from grader.language import translation
from grader.results.verdict import Values

from .pictures import Picture, pictures, tint

FIGURE = Markup('<div>{}</div><div style="display:flex;flex-wrap:wrap;gap:4px 16px">{}</div>')
TABLE = Markup(
    '<div style="overflow-x:auto" tabindex="0" role="group" aria-label="{0}">'
    '<table style="border-collapse:collapse;margin:4px 0;font-size:12px;color:inherit">'
    '<caption style="text-align:left">{0}</caption>'
    "<thead><tr><td></td>{1}</tr></thead><tbody>{2}</tbody></table></div>"
)
CELL = "border:1px solid rgba(128,128,128,0.4);padding:1px 5px;text-align:right;white-space:nowrap"
HEADING = Markup(f'<th scope="{{}}" style="{CELL};font-weight:400;opacity:0.75">{{}}</th>')
NUMBER = Markup(f'<td style="{CELL}{{}}"{{}}>{{}}</td>')
Row = tuple[str, Markup]
"""What a row is called, and its cells."""


def inline_pictures(values: Values, language: str) -> Markup:
    """Return the answer, what was expected and their difference as tables of HTML with the shades in their cells.

    A matrix has three tables, a vector one of three rows.
    """
    _ = translation(language).gettext
    heading = _("Your answer next to the expected one")
    if values.place:
        heading = _("Your answer next to the expected one, at {place}").format(place=values.place)
    named = [(_(picture.name), picture) for picture in pictures(values)]
    columns = named[0][1].column_labels
    if len(values.yours) == 1:
        return _table(heading, columns, [(name, next(_rows(picture))[1]) for name, picture in named])
    return FIGURE.format(heading, _joined(_table(name, columns, _rows(picture)) for name, picture in named))


def _table(name: str, columns: Sequence[str], rows: Iterable[Row]) -> Markup:
    body = (Markup("<tr>{}{}</tr>").format(HEADING.format("row", row), cells) for row, cells in rows)
    return TABLE.format(name, _joined(HEADING.format("col", column) for column in columns), _joined(body))


def _rows(picture: Picture) -> Iterator[Row]:
    for label, row, exacts in zip(picture.row_labels, picture.rows, picture.exact, strict=True):
        yield label, _joined(_cell(*cell, exact) for cell, exact in zip(row, exacts, strict=True))


def _cell(text: str, level: str, exact: str) -> Markup:
    red, green, blue, opacity = tint(level)
    shade = f";background-color:rgba({red},{green},{blue},{opacity:.2f})" if opacity else ""
    return NUMBER.format(shade, Markup(' title="{}"').format(exact) if exact else "", text)


def _joined(parts: Iterable[Markup]) -> Markup:
    return Markup("").join(parts)
