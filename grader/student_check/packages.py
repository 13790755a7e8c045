"""Which packages student code finds in grading, and which of those that it imports are not there.

A student's own check runs where they have installed whatever they like. What they import there and grading lacks is
worth a word before they hand in.
"""

import ast
import re
import sys
from collections.abc import Sequence
from importlib.metadata import packages_distributions
from pathlib import Path

from grader.course.content.settings import SETTINGS_FILE, read_settings
from grader.errors import CourseError
from grader.inside.protocol.messages import Cell
from grader.inside.source.stand_ins import OFFERED, STAND_INS
from grader.inside.source.statement_groups import parse
from grader.language import translation
from grader.source_cells import Source

BROUGHT_ALONG = (  # by torch and by the kit
    "filelock", "fsspec", "grader", "jinja2", "markupsafe", "mpmath", "msgspec", "networkx", "setuptools", "sympy",
    "typing_extensions",
)  # fmt: skip
KNOWN = {*sys.stdlib_module_names, *OFFERED, *BROUGHT_ALONG, *(name.partition(".")[0] for name in STAND_INS)}


def lacking(source: Source, place: Path, language: str) -> list[str]:
    """Return a sentence about the packages that some code imports and that grading lacks; none where it has all."""
    names = not_in_grading(source.cells, source.kind == "ipynb", place)
    sentence = translation(language).gettext(
        "Not installed where your work is graded: {names}. Code that calls them fails there; using them only in "
        "annotations is fine."
    )
    return [sentence.format(names=", ".join(names))] if names else []


def not_in_grading(cells: Sequence[Cell], notebook: bool, place: Path) -> list[str]:
    """Return the packages that some code imports and that grading lacks.

    The settings of a course above the place where the student works may allow further packages.
    """
    groups = parse(list(cells), "submission.ipynb" if notebook else "submission.py", notebook)
    nodes = (node for group in groups for statement in group.statements for node in ast.walk(statement))
    modules = sorted({name for node in nodes for name in _imported(node)} - KNOWN)
    return _without(modules, _allowed(place)) if modules else []


def _imported(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [alias.name.partition(".")[0] for alias in names]
        case ast.ImportFrom(module=str(module), level=0):
            return [module.partition(".")[0]]
    return []


def _allowed(place: Path) -> Sequence[str]:
    """Return the further packages of the course that a folder belongs to."""
    root = next((folder for folder in place.resolve().parents if (folder / SETTINGS_FILE).is_file()), None)
    try:
        return read_settings(root)[0].extra_packages if root else ()
    except CourseError:
        return ()


def _without(modules: list[str], allowed: Sequence[str]) -> list[str]:
    """Return the modules that none of some packages puts on the search path."""
    if not allowed:
        return modules
    plain = {_plain(name) for name in allowed}
    homes = packages_distributions()
    return [name for name in modules if not plain & {_plain(home) for home in (name, *homes.get(name, ()))}]


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
