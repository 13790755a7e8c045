"""Folders of submissions to find, and what was found in them, for the tests of `find_submissions`."""

from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.limits import DEFAULT_LIMITS
from grader.source_cells import Source
from grader.submissions.files import File
from grader.submissions.find import find_submissions
from grader.submissions.names import Course
from grader.submissions.read import read_submission
from grader.submissions.submission import FoundSubmissions

ONE, FOUR = "01_simple_attention", "04_multi_head_attention"


def put(root: Path, *names: str, text: str = "def softmax(x):\n    return x\n") -> Path:
    """Write files of one text below a folder, and return it; a name that ends with `/` is an empty folder."""
    for name in names:
        path = root / name
        (path if name.endswith("/") else path.parent).mkdir(parents=True, exist_ok=True)
        if not name.endswith("/"):
            path.write_text(text)
    return root


def file_at(path: Path) -> File:
    return File(path, path.name)


def find(
    *paths: Path,
    assignment: str | None = None,
    student: str | None = None,
    layout: str | None = None,
    layouts: dict[str, str] | None = None,
) -> FoundSubmissions:
    course = Course(frozenset([ONE, FOUR]), assignment, layouts=layouts or {})
    return find_submissions(paths, course, student=student, layout=layout)


def pairs(listing: FoundSubmissions) -> list[tuple[str, str]]:
    return [(submission.student, submission.assignment) for submission in listing.submissions]


def sources(listing: FoundSubmissions, language: str = "en") -> dict[str, Source]:
    return {work.student: read_submission(work, ("softmax",), DEFAULT_LIMITS, language) for work in listing.submissions}


def refused(*paths: Path, **options: str) -> str:
    with pytest.raises(UsageError) as caught:
        find(*paths, **options)
    return str(caught.value)
