"""Follows a text line by line and knows which of its lines begin a statement, also where it is no Python.

A line inside of brackets or of a long string, or one that goes on after a backslash, may look like anything: `% 4` is
arithmetic there and no magic. Python's own tokenizer gives up at the first line that only IPython understands.
"""

import re

TOKEN = re.compile(r'[\[\](){}#]|"""|\'\'\'|"[^"\\]*(?:\\.[^"\\]*)*"?|\'[^\'\\]*(?:\\.[^\'\\]*)*\'?')
ENDS = {
    '"""': re.compile(r'[^"\\]*(?:(?:\\(?:.|$)|"(?!""))[^"\\]*)*"""'),
    "'''": re.compile(r"[^'\\]*(?:(?:\\(?:.|$)|'(?!''))[^'\\]*)*'''"),
}


class StatementScanner:
    """What is open after the lines that were taken so far.

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

    def read_line(self, line: str) -> None:
        """Go one line on."""
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
            found = TOKEN.search(line, at)
            if found is None:
                return line
            at = found.end()
            if found[0] == "#":
                return line[: found.start()]
            if found[0] in ENDS:
                self._quote = found[0]
            elif found[0] in "([{":
                self._depth += 1
            elif found[0] in ")]}":
                self._depth = max(self._depth - 1, 0)
