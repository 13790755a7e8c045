"""Folders of submissions to find, and what was found in them, for the tests of `find_submissions`."""

from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.submissions.finding.find import find_submissions
from grader.submissions.submission import FoundSubmissions

STEMS = {"01_simple_attention": "simple_attention", "04_multi_head_attention": "multi_head_attention"}
ONE, FOUR = STEMS


def put(root: Path, *names: str, text: str = "x = 1\n") -> None:
    """Write files of one text below a folder."""
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def find(*paths: Path, assignment: str | None = None, student: str | None = None) -> FoundSubmissions:
    """Find submissions of the two assignments."""
    return find_submissions(paths, assignments=STEMS, assignment=assignment, student=student)


def pairs(found: FoundSubmissions) -> list[tuple[str, str]]:
    """Return whose submission of which assignment was found."""
    return [(each.student, each.assignment) for each in found.submissions]


def refused(*paths: Path, assignment: str | None = None, student: str | None = None) -> str:
    """Return the sentence with which paths are refused."""
    with pytest.raises(UsageError) as caught:
        find(*paths, assignment=assignment, student=student)
    sentence = str(caught.value)
    assert sentence.endswith((".", "?")), "the error is no sentence"
    return sentence
