"""Makes text that came from a student harmless to whoever reads it.

A name, a printed line or an exception's text may hold terminal escapes, marks that turn the reading direction, or half
characters that no file can hold. Each of them is shown as its number instead, so that nothing is lost and nothing acts.
"""

import re
import unicodedata
from collections.abc import Sequence

from grader.language import translation

ELLIPSIS = "\u2026"

# Controls but tab and line end; formatting characters (direction, zero width, tags); half characters; the characters
# that some readers take for a line end; noncharacters that XML can't hold. A test compares with the Unicode tables.
_ACTIVE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f]"
)
_LINE_BREAKS = re.compile("\r\n?")


def _number(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def sanitise(text: str, limit: int | None = None) -> str:
    r"""Return text in which nothing acts on a terminal, a browser or a reader's eye.

    Args:
        text: Anything, half characters included.
        limit: Characters that are kept; a cut is shown by an ellipsis, which counts.

    Returns:
        The text with `\r\n` and `\r` as line ends, tabs and line ends kept, every other control or formatting
        character as its number (`\x1b`, `\u202e`).
    """
    if not text:
        return ""
    if limit is not None:
        text = text[: 2 * limit + 2]  # the rest would be cut in any case, but a `\r\n` is two that become one
    clean = _ACTIVE.sub(_number, _LINE_BREAKS.sub("\n", text))
    if limit is not None and len(clean) > limit:
        return clean[: max(limit - 1, 0)] + ELLIPSIS
    return clean


def one_line(text: str, limit: int = 200) -> str:
    """Return sanitised text without line ends and tabs, for a table's cell or a name inside a sentence."""
    return sanitise(" ".join(text[: 4 * limit].split()), limit) if text.strip() else ""


def name_shown(name: str, limit: int = 100) -> str:
    """Return a file's or student's name for a sentence: in quotes, every odd character as its number."""
    return "'" + sanitise(name, limit).replace("\n", "\\n").replace("\t", "\\t") + "'"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 file`, `5 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(names: Sequence[str], most: int = 8, language: str = "en") -> str:
    """Return names as words, the first of them where there are many: `ann, ben and 3 more`."""
    first = ", ".join(names[:most])
    if len(names) <= most:
        return first
    return translation(language).gettext("{names} and {count} more").format(names=first, count=len(names) - most)


def composed(name: str) -> str:
    """Return what all ways to encode a name share, such as its accents or its Hangul."""
    return unicodedata.normalize("NFC", name)


def same_name_key(name: str) -> str:
    """Return what two names share when a file system that folds case or normal form takes them for one."""
    return composed(unicodedata.normalize("NFD", name).casefold())
