"""Keeps the reports and what was handed in apart, before anything is written.

Reports in a class would be taken for students by the next run, and a class in the reports folder would get reports
between its files; both are noticed too late by a person, so they are refused.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from grader.errors import UsageError
from grader.text import name_shown

WHAT = {"--output": "the reports", "--keep-raw": "pytest's raw reports"}


def refuse_one_folder(output: Path, raw: Path) -> None:
    """Refuse raw reports in the folder of the reports, whose files have the same names."""
    if _real(output) == _real(raw):
        problem = f"{_shown(raw)} is where the reports go, and one would be written over the other."
        raise UsageError(problem, "Choose another with --keep-raw.")


def refuse_overlap(paths: Sequence[Path], output: Path, option: str = "--output") -> None:
    """Refuse an output folder in a class or submission, and a class or submission in the output folder.

    Links are followed for the comparison. Reports may be written beside a single file.

    Raises:
        UsageError: One is in the other.
    """
    reports = _real(output)
    for path in paths:
        place = _real(path)
        folder = place.is_dir()
        if reports == place:
            found = f"{_shown(output)} is what is to be graded."
        elif reports.is_relative_to(place):
            found = f"{_shown(output)} is in {_shown(path)}, which is to be graded."
        elif place.is_relative_to(reports) if folder else reports in place.parent.parents:
            found = f"{_shown(path)}, which is to be graded, is in {_shown(output)}."
        else:
            continue
        raise UsageError(found, f"Choose a folder beside it for {WHAT[option]} with {option}.")


def _shown(path: Path) -> str:
    return name_shown(str(path), 200)


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # like resolve(), but a circle of links is not an error
