"""What a new part of a course will be on disk, as texts, before any of it is written.

Everything is read and asked first, so that a name or a file in the way leaves the course as it was. A file that is
there is never replaced: it grows at its end, by imports that it lacks and by the new part.
"""

import ast
from pathlib import Path

import jinja2

from grader.course.content.percent_format import parse
from grader.errors import UsageError
from grader.faults import read_text
from grader.system.whole_file import write_whole

TEMPLATES = Path(__file__).parent.parent / "templates"


def filled(template: str, **values: str) -> str:
    """Return a template with its `<< name >>` filled in; handouts keep their own `{{ title }}`."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
    )
    return environment.get_template(f"{template}.jinja").render(**values)


class Draft:
    """Texts by their paths in a course, to be written together.

    Attributes:
        added: Paths of files that are new.
        grown: Paths of files that get longer.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.added: list[str] = []
        self.grown: list[str] = []
        self._texts: dict[str, str] = {}

    def add(self, path: str, text: str) -> None:
        place = self.root / path
        if place.exists() or place.is_symlink():
            raise UsageError(f"{place} is there already.", "Move it away, or choose another name.")
        self.added.append(path)
        self._texts[path] = text

    def grow(self, path: str, text: str) -> None:
        """Put text at the end of a file that is drafted or on disk; of a Python file's imports, those it lacks."""
        before = self._texts.get(path)
        if before is None:
            before = read_text(self.root / path)
            self.grown.append(path)
        both = joined(before, text, self.root / path) if path.endswith(".py") else before.rstrip("\n") + "\n" + text
        self._texts[path] = both

    def write(self) -> None:
        """Write every file, each whole or not at all."""
        for path, text in self._texts.items():
            write_whole(self.root / path, text.encode("utf-8"))


def joined(before: str, text: str, path: Path) -> str:
    """Return a whole Python file with a text at its end; the text's imports that the file lacks follow its own."""
    tree = parse(before, path)
    there, wanted = _imports(tree), _imports(ast.parse(text))
    after = max((node.end_lineno or 0 for node in wanted), default=0)
    opening, rest = text.split("\n")[:after], "\n".join(text.split("\n")[after:]).strip("\n")
    lines = before.rstrip("\n").split("\n")
    if there:
        known = {alias.asname or alias.name for node in there for alias in node.names}
        for node in wanted:
            node.names = [alias for alias in node.names if (alias.asname or alias.name) not in known]
        last = max(node.end_lineno or 0 for node in there)
        lines[last:last] = [ast.unparse(node) for node in wanted if node.names]
    elif opening:
        lines += ["", *opening]
    alone = len(tree.body) <= len(there) + 1 and (rest[:1].isalpha() or rest[:1] == "#")  # right below the imports
    return "\n".join(lines) + ("\n\n" if alone else "\n\n\n") + rest + "\n"


def _imports(tree: ast.Module) -> list[ast.Import | ast.ImportFrom]:
    return [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
