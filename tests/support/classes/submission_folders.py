"""Folders of submissions to find, and what was found in them, for the tests of `find_submissions`."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.limits import DEFAULT_LIMITS
from grader.source_cells import Source
from grader.submissions.find import Course, find_submissions
from grader.submissions.read import read_submission
from grader.submissions.submission import FoundSubmissions

STEMS = {"01_simple_attention": "simple_attention", "04_multi_head_attention": "multi_head_attention"}
ONE, FOUR = STEMS


def put(root: Path, *names: str, text: str = "def softmax(x):\n    return x\n") -> Path:
    """Write files of one text below a folder, and return it; a name that ends with `/` is an empty folder."""
    for name in names:
        path = root / name
        (path if name.endswith("/") else path.parent).mkdir(parents=True, exist_ok=True)
        if not name.endswith("/"):
            path.write_text(text)
    return root


def find(
    *paths: Path,
    assignment: str | None = None,
    student: str | None = None,
    layout: str | None = None,
    layouts: dict[str, str] | None = None,
    language: str = "en",
    earlier: Sequence[str] = (),
) -> FoundSubmissions:
    course = Course(STEMS, assignment, layouts=layouts or {}, language=language)
    return find_submissions(paths, course, student=student, layout=layout, earlier=earlier)


def pairs(listing: FoundSubmissions) -> list[tuple[str, str]]:
    return [(submission.student, submission.assignment) for submission in listing.submissions]


def sources(listing: FoundSubmissions, language: str = "en") -> dict[str, Source]:
    return {work.student: read_submission(work, ("softmax",), DEFAULT_LIMITS, language) for work in listing.submissions}


def refused(*paths: Path, **options: str) -> str:
    with pytest.raises(UsageError) as caught:
        find(*paths, **options)
    return str(caught.value)
