"""Reads what is no Python as it stands as what its writer saw: magics, prompts, an indentation of the whole.

Every reading keeps the number of lines, so that what is told about a line is true of the student's own text.
"""

import re
from collections.abc import Iterator

BODY_MAGICS = frozenset({"time", "timeit", "capture", "prun", "python", "python3", "memit", "mprun", "lprun"})
ASSIGNED_MAGIC = re.compile(r"^(\s*)([A-Za-z_][\w, ]*?)\s*=\s*(!|%(?:time\s)?)(.*)$")
QUESTION = re.compile(r"^\s*(\?{1,2}[\w.]+|[\w.]+\?{1,2})\s*$")
TIMED = re.compile(r"^(\s*)%(?:time|timeit)\s+(?:-\S+\s+(?:\d+\s+)?)*(\S.*)$")
PROMPT = re.compile(r"^[ \t]*(?:>>>|\.\.\.|In \[\d*\]:|\.{3,}:)(?: |$)")
PIECE = re.compile(r"^(?:@|(?:async\s+def|def|class|import|from)\b|if\s+__name__\b)")
FIRST_PROMPT = re.compile(r"^[ \t]*(?:>>>|In \[\d*\]:)(?: |$)", re.MULTILINE)


AUTOMAGIC = re.compile(
    r"^\s*(?:pip3?|conda|mamba|uv|cd|ls|ll|mkdir|rmdir|rm|cp|mv|cat|less|env|time|timeit|run|load|load_ext|reload_ext"
    r"|matplotlib|pylab|autoreload|history|who|whos|reset|config|save|store|unzip|wget|git|apt|apt-get)\s+[^\s=.(,:\[]"
)
BARE_AUTOMAGIC = frozenset(
    {"cat", "cd", "cp", "history", "ls", "ll", "magic", "mkdir", "mv", "pip", "pwd", "quickref", "rm", "who", "whos"}
)


def changed_lines(text: str, reading: str) -> list[int]:
    """Return the lines of a text, from 1, of which a reading keeps nothing; of a cell in another language the first."""
    pairs = list(zip(text.split("\n"), reading.split("\n"), strict=False))
    gone = [at for at, (old, new) in enumerate(pairs, start=1) if left_out(old.strip(), new.strip())]
    first = next((at for at, (old, _) in enumerate(pairs, start=1) if old.strip()), 0)
    other_language = bool(first) and pairs[first - 1][0].startswith("%%") and not reading.strip()
    return gone[:1] if other_language else gone


def left_out(old: str, new: str) -> bool:
    """Return whether a line's reading keeps nothing of it, though it is no comment and no prompt."""
    if not old or old.startswith("#") or old == new or (new and new not in ("pass",) and new in old):
        return False
    return PROMPT.match(old) is None


def readings(text: str) -> Iterator[str]:
    """Yield what a text that is no Python may have been meant as, line for line."""
    yield without_magics(text)
    margin = without_margin(text)
    yield without_magics(margin)
    if FIRST_PROMPT.search(text):
        defines = any(PIECE.match(line) for line in margin.split("\n"))
        for others in (defines, not defines):
            yield without_magics(without_margin(without_prompts(margin, others=others)))


def without_margin(text: str) -> str:
    """Return a text without the indentation of its first line of code, as IPython reads a cell."""
    lines = text.split("\n")
    first = next((line for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
    margin = first[: len(first) - len(first.lstrip())]
    return "\n".join(line.removeprefix(margin) for line in lines) if margin else text


def without_prompts(text: str, *, others: bool) -> str:
    """Return a text without the prompts of an interpreter that it was copied from.

    Args:
        text: The text.
        others: Whether the lines without a prompt are kept; they may be what the interpreter answered.
    """
    lines = text.split("\n")
    for at, line in enumerate(lines):
        prompt = PROMPT.match(line)
        if prompt:
            lines[at] = line[prompt.end() :]
        elif not others:
            lines[at] = ""
    return "\n".join(lines)


def without_magics(text: str) -> str:
    """Return a cell's text with every line that only IPython understands replaced, line by line."""
    lines = text.split("\n")
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    if lines[first].startswith("%%"):
        name = (lines[first][2:].split() or [""])[0]
        if name not in BODY_MAGICS:
            return "\n" * (len(lines) - 1)
        lines[first] = ""
    continued = False
    for at, line in enumerate(lines):
        goes_on = line.rstrip().endswith("\\")
        if continued:
            lines[at] = ""
        else:
            lines[at] = without_magic(line)
        continued = goes_on and (continued or lines[at] != line)
    return "\n".join(lines)


def without_magic(line: str) -> str:
    """Return one line without IPython's own syntax."""
    indent = line[: len(line) - len(line.lstrip())]
    timed = TIMED.match(line)
    if timed:
        return timed[1] + timed[2]
    if line.lstrip().startswith(("%", "!")) or QUESTION.match(line) or AUTOMAGIC.match(line):
        return indent + "pass"
    assigned = ASSIGNED_MAGIC.match(line)
    if assigned:
        value = {"!": "[]", "%": "None"}.get(assigned[3], assigned[4].strip() or "None")
        return f"{assigned[1]}{assigned[2]} = {value}"
    return line
