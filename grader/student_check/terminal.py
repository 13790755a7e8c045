"""Shows a student's own run, or a report, in a terminal: coloured and as wide as that is, and as plain text elsewhere.

Plain text goes to pipes and logs, and where NO_COLOR asks for it. All of it passes through `_harmless`, which makes it
harmless to a terminal: a report may be a file that anybody wrote.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from grader.language import translation
from grader.pages.pictures import Picture, differing, pictures, tint
from grader.results.student_report import StudentCheck
from grader.results.verdict import Values
from grader.text import ELLIPSIS, sanitise

from .render import Part, RunOverview, asked, place_of, sign_of

FAILURE_LINES = 8
MOST_FOUND = 4
LEAST_PRINTED = 2
MOST_COMPARED = 3
MOST_MAPPED = 8  # rows, and entries of a row
BAR_COLUMNS = 24
INSIDE = 6  # columns before what is told of a check
LONGEST = 600  # characters of any one text
UNBOUNDED = Console(width=100 * LONGEST)  # where plain text goes, which wraps no line
SIGN_STYLES = {"+": "green", "x": "red", "-": "dim"}

Span = tuple[str, str]
"""A text with rich's name of a style, empty for none."""


@dataclass(frozen=True)
class Line:
    """A line, how many columns are left free before it, and whether what does not fit goes on below or is cut."""

    indent: int
    spans: tuple[Span, ...]
    wraps: bool = True


def show(overview: RunOverview, language: str, console: Console | None = None) -> None:
    """Print a run or a report as fits the console; on standard output if none is given."""
    console = console or Console(highlight=False)
    if console.color_system is None or console.no_color:
        console.file.write(plain_text(overview, language) + "\n")
        return
    *lines, last = lines_of(overview, language, console)
    for line in lines:
        console.print(_drawn(line, language))
    end = _drawn(last, language)
    if len(overview.parts) > 1:
        row = Table.grid(padding=(0, 2, 0, 0))
        row.add_row(ProgressBar(len(overview.parts), overview.done, width=BAR_COLUMNS), end)
        end = row
    console.print(end)


def plain_text(overview: RunOverview, language: str) -> str:
    """Return a run or a report without colours and pictures."""
    lines = [line for line in lines_of(overview, language, UNBOUNDED) if isinstance(line, Line)]
    return "\n".join((" " * line.indent + "".join(text for text, _ in line.spans)).rstrip() for line in lines)


def lines_of(overview: RunOverview, language: str, console: Console) -> list[Line | Values]:
    """Return the lines of a run or a report, and between them the matrices that are drawn where there are colours.

    Args:
        console: Where they will be; its width says how many rows a text takes.
    """
    words = translation(language)
    _ = words.gettext
    file = f" ({overview.file})" if overview.file else ""
    lines: list[Line | Values] = [_line(0, (overview.heading, "bold"), (file, ""))]
    lines += [_line(2, (_("note") + ": ", "yellow"), (note, "")) for note in overview.notes]
    if overview.problem:
        return [*lines, _line(2, (overview.problem, "red"))]
    spaced = True
    for part in overview.parts:
        if spaced or len(part.checks) > 1:
            lines.append(_line(0))
        spaced = len(part.checks) > 1
        state = (_("ok"), "green") if part.complete else (_("not yet"), "red")
        count = (f"  ({part.count})", "")
        lines.append(_line(0, (part.exercise, "bold"), ("  ", ""), state, count))
        for check in part.checks:
            sign = sign_of(check.status)
            row, *more = _rows(_line(4, (asked(check, language), "")), console)
            lines += [_line(2, (sign, SIGN_STYLES[sign]), (f" {row}", "")), *(_line(4, (text, "")) for text in more)]
            if check is part.first:
                left = FAILURE_LINES - 1 - len(more)
                lines += _failure(part, check, overview.file, language, left, console)
    done = words.ngettext(
        "{good} of {total} exercise done.", "{good} of {total} exercises done.", len(overview.parts)
    ).format(good=overview.done, total=len(overview.parts))
    closing = f"{done} {overview.closing}" if len(overview.parts) > 1 else overview.closing
    return [*lines, _line(0), _line(0, (closing, ""))]


def _line(indent: int, *spans: Span, wraps: bool = True) -> Line:
    return Line(indent, tuple((_harmless(text), style) for text, style in spans), wraps)


def _harmless(text: str) -> str:
    return sanitise(text, LONGEST).replace("\n", " ").expandtabs(4)


def _rows(line: Line, console: Console) -> list[str]:
    wrapped = Text.assemble(*line.spans).wrap(console, max(console.width - line.indent, 1))
    return [row.plain.rstrip() for row in wrapped]


def _failure(
    part: Part, check: StudentCheck, file: str, language: str, left: int, console: Console
) -> Iterator[Line | Values]:
    """Give what is told of the check that broke, and its matrix.

    The hint is always whole and what was found has at least a row; what else fits into the rows that are left is told,
    in this order: the rest of what was found, two rows of what was printed, the entries that differ, the rest of that.
    """
    _ = translation(language).gettext
    after = []
    if part.hint:
        after.append(_line(INSIDE, (_("hint") + ": ", "bold"), (part.hint, "")))
    if check.line:
        place = place_of(check.line, file, language)
        where = f"{place}:  " if place else ""
        after.append(_line(INSIDE, (where, "bold cyan"), (check.line.text.strip(), "cyan"), wraps=False))
    left -= sum(len(_rows(line, console)) if line.wraps else 1 for line in after)

    texts = [text for text in check.happened.splitlines() if text.strip()][:MOST_FOUND]
    findings = [row for text in texts for row in _rows(_line(INSIDE, (text, "")), console)]
    most = max(1, min(left, MOST_FOUND))
    if len(findings) > most:
        findings[most - 1 :] = [findings[most - 1] + ELLIPSIS]
    yield from (_line(INSIDE, (row, ""), wraps=False) for row in findings)
    printed = check.detail.output.splitlines() if check.detail else []
    left -= len(findings) + min(len(printed), LEAST_PRINTED)

    values = check.detail.values if check.detail else None
    table = list(_compared(values, left - 1, language)) if values else []
    yield from table
    yield from after
    left -= len(table)
    if check.detail and check.detail.call:
        call = _line(INSIDE, (_("the call:") + " ", "dim"), (check.detail.call, ""))
        if (rows := len(_rows(call, console))) <= left:
            yield call
            left -= rows

    left += min(len(printed), LEAST_PRINTED)
    if len(printed) > left > 0:
        printed = [*printed[: left - 1], f"{printed[left - 1]} ..."]
    for number, row in enumerate(printed[: max(left, 0)]):
        label = _("your code printed:") + " " if number == 0 else "  "
        yield _line(INSIDE, (label, "dim"), (row, "dim"), wraps=False)
    if values and 1 < len(values.yours) <= MOST_MAPPED > values.yours[0].count(" "):
        yield values


def _compared(values: Values, most: int, language: str) -> Iterator[Line]:
    """Give the entries that differ most, at most so many, as an aligned table; nothing where that is a single one."""
    entries = differing(values)[: max(0, min(most, MOST_COMPARED))]
    if len(entries) < 2:
        return
    _ = translation(language).gettext
    heading = (_("Index"), _("Yours"), _("Expected"))
    widths = [max(map(cell_len, column)) for column in zip(heading, *entries, strict=True)]
    for row, styles in [(heading, ("bold",) * 3), *((entry, ("", "red", "green")) for entry in entries)]:
        cells = [(set_cell_size(cell, width), style) for cell, width, style in zip(row, widths, styles, strict=True)]
        yield _line(INSIDE, cells[0], (" | ", "dim"), cells[1], (" | ", "dim"), cells[2], wraps=False)


def _drawn(block: Line | Values, language: str) -> RenderableType:
    if isinstance(block, Line):
        text = Text.assemble(*block.spans, no_wrap=not block.wraps, overflow="fold" if block.wraps else "ellipsis")
        return Padding(text, (0, 0, 0, block.indent), expand=False) if block.indent else text
    yours, expected, *_ = pictures(block)
    width = max(len(text) for row in [*yours.rows, *expected.rows] for text, _ in row)
    at = f" {block.place}" if block.place else ""
    _ = translation(language).gettext
    maps = [_map(picture, _(picture.name) + at, width) for picture in (yours, expected)]
    return Padding(Columns(maps, padding=(0, 3)), (0, 0, 0, INSIDE))


def _map(picture: Picture, title: str, width: int) -> Group:
    """Return a matrix as a table of cells of one width, shaded by their numbers."""
    table = Table(box=None, padding=0)
    table.add_column(style="dim", no_wrap=True)
    for number in range(len(picture.rows[0])):
        table.add_column(Text(f" {number}", "dim"), justify="right", no_wrap=True)
    for number, row in enumerate(picture.rows):
        table.add_row(Text(f"{number} "), *(Text(f" {text:>{width}}", _shade(level)) for text, level in row))
    return Group(Text(title), table)


def _shade(level: str) -> str:
    """Return rich's name of a level's colour on white; none for what is about 0."""
    *colour, opacity = tint(level)
    mixed = ",".join(str(round(255 + (part - 255) * opacity)) for part in colour)
    return f"black on rgb({mixed})" if opacity else ""
