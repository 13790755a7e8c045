"""Reads text that is not Python as written the way its writer meant it: magics, prompts, an indented whole.

Every reading keeps the number of lines, so that what is told about a line is true of the student's own text.
"""

import re
from collections.abc import Iterator

BODY_MAGICS = frozenset(
    {"time", "timeit", "capture", "debug", "prun", "python", "python3", "memit", "mprun", "lprun", "wandb"}
)
OTHER_MAGICS = frozenset(  # what is below these is not code of this kernel, whatever it looks like
    {"!", "!!", "bash", "bigquery", "cmd", "file", "html", "javascript", "js", "julia", "latex", "markdown", "perl",
     "powershell", "pypy", "python2", "R", "ruby", "script", "sh", "skip", "sql", "svg", "sx", "system", "writefile"}
)  # fmt: skip
INERT = "get_ipython()"  # here something that can be called, indexed and unpacked, and does nothing
ASSIGNED_MAGIC = re.compile(r"^(\s*)([A-Za-z_*(](?:[\w.,:* ()]|\[[^\[\]]*\])*)=\s*(!|%(?:time\s)?)(.*)$")
QUESTION = re.compile(r"^\s*\?{1,2}\S.*$|^[^'\"#?]*[\w*)\]]\?{1,2}\s*(?:#.*)?$")
AUTOCALL = re.compile(r"^\s*[/,;]\s*[A-Za-z_]")
TIMED = re.compile(r"^(\s*)%(?:time|timeit)\s+(?:-\S+\s+(?:\d+\s+)?)*(\S.*)$")
PROMPT = re.compile(r"^[ \t]*(?:>>>|\.\.\.|In \[\d*\]:|\.{3,}:)(?: |$)")
DEFINES = re.compile(r"^\s*(?:async\s+def|def|class)\b", re.MULTILINE)
COMMENT = re.compile(r"^(\s*)# ?")
AUTOMAGIC = re.compile(
    r"^\s*(?:pip3?|conda|mamba|uv|cd|ls|ll|mkdir|rmdir|rm|cp|mv|cat|less|env|time|timeit|run|load|load_ext|reload_ext"
    r"|matplotlib|pylab|autoreload|history|who|whos|reset|config|save|store|unzip|wget|git|apt|apt-get)\s+"
    r"(?![-+*/%@&|^<>=!]+(?:\s|$)|[-+*/%@&|^<>]+=|(?:in|is|and|or|not|if|else|for)\b)(?:[^\s=.(,:\[]|\.{1,2}(?:[/\s]|$))"
)
BARE_AUTOMAGIC = frozenset(
    {"cat", "cd", "cp", "history", "ls", "ll", "magic", "mkdir", "mv", "pip", "pwd", "quickref", "rm", "who", "whos"}
)
TOKEN = re.compile(r'[\[\](){}#]|"""|\'\'\'|"[^"\\]*(?:\\.[^"\\]*)*"?|\'[^\'\\]*(?:\\.[^\'\\]*)*\'?')
ENDS = {
    '"""': re.compile(r'[^"\\]*(?:(?:\\(?:.|$)|"(?!""))[^"\\]*)*"""'),
    "'''": re.compile(r"[^'\\]*(?:(?:\\(?:.|$)|'(?!''))[^'\\]*)*'''"),
}


class StatementScanner:
    """Follows a text line by line and knows which of its lines begin a statement, also where it is not Python.

    A line inside of brackets or of a long string, or one that goes on after a backslash, may look like anything: `% 4`
    is arithmetic there and no magic. Python's own tokenizer gives up at the first line that only IPython understands.

    Attributes:
        opens: Whether the last line of code opens a block.
    """

    def __init__(self) -> None:
        self.opens = False
        self._depth = 0
        self._quote = ""
        self._continued = False

    @property
    def begins(self) -> bool:
        """Whether the next line begins a statement."""
        return not (self._depth or self._quote or self._continued)

    @property
    def in_string(self) -> bool:
        """Whether the next line is in a long string."""
        return bool(self._quote)

    def read_line(self, line: str) -> None:
        code = self._code(line)
        self._continued = not self._quote and len(code) == len(line) and line.endswith("\\")
        if code.strip():
            self.opens = self.begins and code.rstrip().endswith(":")

    def _code(self, line: str) -> str:
        """Return a line without its comment, and note what it opens and closes."""
        at = 0
        while True:
            if self._quote:
                end = ENDS[self._quote].match(line, at)
                if end is None:
                    return line
                at, self._quote = end.end(), ""
            token = TOKEN.search(line, at)
            if token is None:
                return line
            at = token.end()
            if token[0] == "#":
                return line[: token.start()]
            if token[0] in ENDS:
                self._quote = token[0]
            elif token[0] in "([{":
                self._depth += 1
            elif token[0] in ")]}":
                self._depth = max(self._depth - 1, 0)


def changed_lines(text: str, reading: str) -> list[int]:
    """Return the lines of a text, from 1, of which a reading keeps nothing; of a cell in another language the first."""
    pairs = list(zip(text.split("\n"), reading.split("\n"), strict=False))
    gone = [at for at, (old, new) in enumerate(pairs, start=1) if left_out(old.strip(), new.strip())]
    first = next((at for at, (old, _) in enumerate(pairs, start=1) if old.strip()), 0)
    other_language = bool(first) and pairs[first - 1][0].startswith("%%") and not reading.strip()
    return gone[:1] if other_language else gone


def left_out(old: str, new: str) -> bool:
    """Return whether a line's reading keeps nothing of it, though it is neither a comment nor a prompt."""
    if not old or old.startswith("#") or old == new or (new and new not in ("pass",) and new in old):
        return False
    return PROMPT.match(old) is None


def readings(text: str) -> Iterator[str]:
    """Yield what a text that is not Python may have been meant as, line for line, the smallest change first."""
    margin = without_margin(text)
    forms = [text, margin]
    if PROMPT.match(first_code(margin)):
        forms.append(without_margin(without_prompts(margin)))
    for automagic in (False, True):
        for form in forms:
            yield without_magics(form, automagic=automagic)
    for form in forms:
        yield without_magics(form, commented=True)
    if text.lstrip().startswith("%%") and cell_magic(text) not in BODY_MAGICS:
        yield "\n" * text.count("\n")


def without_margin(text: str) -> str:
    """Return a text without the indentation of its first line of code, as IPython reads a cell."""
    first = first_code(text)
    margin = first[: len(first) - len(first.lstrip())]
    return "\n".join(line.removeprefix(margin) for line in text.split("\n")) if margin else text


def first_code(text: str) -> str:
    """Return the first line of a text that is neither blank nor a comment; nothing where it has none."""
    return next((line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")), "")


def without_prompts(text: str) -> str:
    """Return a text without an interpreter's prompts, as IPython reads a cell that begins with one."""
    return "\n".join(PROMPT.sub("", line) for line in text.split("\n"))


def cell_magic(text: str) -> str:
    """Return the name of the magic that a cell begins with; empty where it begins otherwise."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    return (first[2:].split() or [""])[0] if first.startswith("%%") else ""


def without_magics(text: str, *, automagic: bool = False, commented: bool = False) -> str:
    """Return a cell's text with every line that only IPython understands replaced, line by line.

    Args:
        automagic: Whether `pip install x` without a sign before it is such a line, which can also be Python's.
        commented: Whether such a line in a comment holds the place of a block that has nothing else, as jupytext
            leaves it.
    """
    lines = text.split("\n")
    magic = cell_magic(text)
    if magic:
        first = next(at for at, line in enumerate(lines) if line.strip())
        if magic not in BODY_MAGICS and (magic in OTHER_MAGICS or not DEFINES.search(text)):
            return "\n" * (len(lines) - 1)
        lines[first] = ""
    scan, goes_on = StatementScanner(), False
    for at, line in enumerate(lines):
        if goes_on:
            lines[at], goes_on = "", line.rstrip().endswith("\\")
            continue
        if scan.begins:
            lines[at] = without_magic(line, automagic)
            if commented and scan.opens and lines[at] == line:
                lines[at] = without_commented_magic(line)
        new = lines[at].rstrip()
        goes_on = lines[at] != line and line.rstrip().endswith("\\") and not new.endswith("\\")
        scan.read_line(lines[at])
    return "\n".join(lines)


def without_magic(line: str, automagic: bool = False) -> str:
    """Return a line that begins a statement without IPython's own syntax."""
    indent = line[: len(line) - len(line.lstrip())]
    timed = TIMED.match(line)
    if timed:
        return timed[1] + timed[2]
    if line.lstrip().startswith(("%", "!")) or QUESTION.match(line) or AUTOCALL.match(line):
        return indent + "pass"
    if automagic and AUTOMAGIC.match(line):
        return indent + "pass"
    assigned = ASSIGNED_MAGIC.match(line)
    if assigned:
        value = assigned[4].strip() if len(assigned[3]) > 1 else ""
        return f"{assigned[1]}{assigned[2].rstrip()} = {value or INERT}"
    return line


def without_commented_magic(line: str) -> str:
    """Return `pass` for a line that is IPython's own syntax in a comment, and any other line as it is."""
    comment = COMMENT.match(line)
    if comment is None or line[comment.end() :].startswith("%%"):
        return line
    held = line[comment.end() :]
    return line if without_magic(held) == held else comment[1] + "pass"
