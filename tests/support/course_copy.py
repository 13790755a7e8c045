"""A copy of this repository's course, for tests that grade with it."""

import shutil
from functools import cache
from pathlib import Path

from .classes.grading_runs import ROOT, in_a_temporary_folder


@cache
def course_copy() -> Path:
    """Return the copy; each process has one."""
    return in_a_temporary_folder(_copied)


def _copied(folder: Path) -> Path:
    for part in ("solutions", "tests/hidden", "tests/visible", "tests/golden", "assignments"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    return folder
