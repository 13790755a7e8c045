"""Keeps the reports and what was handed in apart, before anything is written.

Reports in a class would be taken for students by the next run, and a class in the reports folder would get reports
between its files; both are noticed too late by a person, so they are refused.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from grader.errors import UsageError
from grader.text import name_shown


def refuse_overlap(paths: Sequence[Path], output: Path, option: str = "--output") -> None:
    """Refuse an output folder in a class or submission, and a class or submission in the output folder.

    Links are followed for the comparison. Reports may be written beside a single file.

    Raises:
        UsageError: One is in the other.
    """
    reports = _real(output)
    for path in paths:
        place = _real(path)
        holder = place if place.is_dir() else place.parent.parent
        if reports.is_relative_to(place) or holder.is_relative_to(reports):
            raise UsageError(f"{option} {_shown(output)} overlaps with {_shown(path)}. Choose a folder beside it.")


def _shown(path: Path) -> str:
    return name_shown(str(path), 200)


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # like resolve(), but a circle of links is not an error
