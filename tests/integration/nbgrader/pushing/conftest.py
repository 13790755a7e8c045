"""The course after nbgrader graded it, and copies of it to push scores into."""

import pytest

from ....support.nbgrader_courses import autograded


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The course after `nbgrader autograde`, whose reports are pushed here."""
    return autograded(tmp_path_factory)


@pytest.fixture
def lesson(graded, tmp_path):
    """A copy of it whose gradebook has nobody's scores and that has no graded notebooks."""
    return graded.copied(tmp_path / "copy", "autograded", "feedback", "downloaded")
