"""Trees of what was handed in, and whose code each submission of them would be graded with."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from grader.limits import DEFAULT_LIMITS
from grader.submissions.reading.read import StubTexts, read_submission

from ....support.submission_folders import find
from ..platforms.generated import zipped

STUB = "def scores():\n    raise NotImplementedError\n"
SA, MHA = "simple_attention.py", "multi_head_attention.py"
MOODLE = "_1_assignsubmission_file_/"
BB = "{}_attempt_2026-11-0{}-11-02-33"


def code(who: str) -> str:
    """Return an answer that only this person gives."""
    return f"def scores():\n    return {who!r}\n"


def lay(root: Path, tree: dict[str, object]) -> None:
    """Write a tree: of each path a text, or another tree, which is packed as a zip file."""
    for name, held in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(exist_ok=True) if name.endswith("/") else path.write_bytes(raw(held))


def raw(held: object) -> bytes:
    """Return what a file of a tree holds."""
    return zipped({name: raw(each) for name, each in held.items()}) if isinstance(held, dict) else str(held).encode()


def listed(*folders: str, of: str = "bob") -> str:
    """Return Gradescope's list of submissions of one person."""
    return "".join(f"{name}:\n  :submitters:\n  - :name: B\n    :email: {of}\n" for name in folders)


class Case(NamedTuple):
    """A tree, what is asked of it, and whose code each submission would be graded with; None for a problem."""

    tree: dict[str, object]
    wanted: dict[str, str | None] | str
    at: tuple[str, ...] = ("",)
    options: Mapping[str, str] = MappingProxyType({})


def graded(case: Case, root: Path) -> dict[str, str | None]:
    """Return by student and assignment's number whose code it is."""
    lay(root, case.tree)
    made = {}
    for one in find(*(root / path for path in case.at), **case.options).submissions:
        source = read_submission(one, StubTexts(py=STUB), DEFAULT_LIMITS)
        text = source.cells[0].source if source.cells else "''"
        made[f"{one.student} {one.assignment[1]}"] = None if source.problem else text.partition("'")[2].rstrip("'\n")
    return made
