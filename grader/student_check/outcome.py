"""The outcome of a check as an object that shows itself: HTML in a notebook, plain text everywhere else.

The HTML carries its styles in its elements, since notebooks drop style sheets of outputs that they do not trust. It
takes the colours of text from the page around it, so it reads on light and on dark.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from grader.language import N_, translation
from grader.pages.inline import inline_pictures
from grader.results.student_report import StudentCheck

from .render import Part, RunOverview, asked, place_of, run_overview, sign_of
from .terminal import plain_text

if TYPE_CHECKING:
    from .checked import Checked

GREEN, RED, GREY = "#1a7f37", "#c62828", "#6b7280"
COLOURS = {"+": GREEN, "x": RED, "-": GREY}
SIGNS = {"+": "✓", "x": "✗", "-": "–"}
SIGN_WORDS = {"+": N_("passed"), "x": N_("did not pass"), "-": N_("not run")}
PRINTED_LINES = 8
FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans KR',sans-serif;font-size:14px;line-height:1.5"
CODE = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:13px;background:transparent"
BADGE = "display:inline-block;padding:0 8px;border-radius:9px;color:#fff;font-size:12px;font-weight:600"
BLOCK = f"margin:2px 0 0 0;padding:0;white-space:pre-wrap;overflow-wrap:anywhere;color:inherit;border:0;{CODE}"


@dataclass(frozen=True)
class Outcome:
    """What a check came to.

    Attributes:
        checked: The verdicts; None when nothing could be checked.
        problem: Why nothing could be checked, in a sentence.
    """

    language: str
    checked: "Checked | None" = None
    problem: str = ""

    @property
    def overview(self) -> RunOverview:
        """The outcome in words."""
        if self.checked is None:
            return RunOverview("", "", (), self.problem, (), "")
        return run_overview(self.checked)

    def __repr__(self) -> str:
        if self.checked is None:
            return f"grader: {self.problem}"
        return plain_text(self.overview, self.language)

    def _repr_html_(self) -> str:
        _ = translation(self.language).gettext
        overview = self.overview
        inner = [_part(part, self.language) for part in overview.parts]
        if overview.problem:
            inner.append(f'<div style="white-space:pre-wrap">{escape(overview.problem)}</div>')
        word = escape(_("note"))
        inner += [f'<div style="margin-top:4px"><b>{word}:</b> {escape(note)}</div>' for note in overview.notes]
        complete = 0 < len(overview.parts) == overview.done
        if complete:
            more = escape(_("Grading runs more checks than these."))
            inner.append(f'<div style="margin-top:4px;opacity:0.75">{more}</div>')
        edge = GREEN if complete else RED if overview.parts else GREY
        style = f"border-left:4px solid {edge};padding:4px 0 4px 12px;margin:4px 0;color:inherit;{FONT}"
        return f'<div lang="{self.language}" style="{style}">{"".join(inner)}</div>'


def _part(part: Part, language: str) -> str:
    _ = translation(language).gettext
    word = _("ok") if part.complete else _("not yet")
    badge = f'<span style="{BADGE};background:{GREEN if part.complete else RED}">{escape(word)}</span>'
    title = "" if part.title == part.exercise else f' <span style="opacity:0.75">{escape(part.title)}</span>'
    head = f'<code style="{CODE};color:inherit;font-weight:600;padding:0">{escape(part.exercise)}</code>'
    rows = "".join(_row(check, part, language) for check in part.checks)
    return f"<div>{head}{title} {badge} <span>{escape(part.count)}</span></div>{rows}"


def _row(check: StudentCheck, part: Part, language: str) -> str:
    sign = sign_of(check.status)
    mark = f"{BADGE};padding:0;width:18px;text-align:center;background:{COLOURS[sign]}"
    blocks = [f"<div>{escape(asked(check, language))}</div>"]
    if check is part.first:
        blocks += _failure(check, part, language)
    word = translation(language).gettext(SIGN_WORDS[sign])
    badge = f'<span role="img" aria-label="{escape(word)}" title="{escape(word)}" style="{mark}">{SIGNS[sign]}</span>'
    return (
        '<div style="display:flex;margin-top:4px">'
        f'<div style="flex:none;width:26px">{badge}</div><div style="flex:1;min-width:0">{"".join(blocks)}</div></div>'
    )


def _failure(check: StudentCheck, part: Part, language: str) -> Iterator[str]:
    _ = translation(language).gettext
    if finding := check.happened:
        yield f'<div style="white-space:pre-wrap;font-weight:600">{escape(finding)}</div>'
    if part.hint:
        word = escape(_("hint"))
        yield f"<div><b>{word}:</b> {escape(part.hint)}</div>"
    if check.line:
        place = place_of(check.line, "", language)
        text = f"{place}:  {check.line.text}" if place else check.line.text
        yield f'<div style="{BLOCK}">{escape(text)}</div>'
    if check.detail and check.detail.values:
        yield inline_pictures(check.detail.values, language)
    if check.detail and (printed := check.detail.output.splitlines()):
        shown = printed if len(printed) <= PRINTED_LINES else [*printed[:PRINTED_LINES], "..."]
        label = escape(_("your code printed:"))
        yield f'<div style="opacity:0.75">{label}</div>'
        yield f'<div style="{BLOCK};padding-left:12px">{escape(chr(10).join(shown))}</div>'
