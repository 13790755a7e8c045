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
    reports = Path(os.path.realpath(output))  # like resolve(), but a circle of links is not an error
    for path in paths:
        place = Path(os.path.realpath(path))
        holder = place if place.is_dir() else place.parent.parent
        if reports.is_relative_to(place) or holder.is_relative_to(reports):
            ours, theirs = name_shown(str(output), 200), name_shown(str(path), 200)
            raise UsageError(f"{option} {ours} overlaps with {theirs}. Choose a place beside it.")
