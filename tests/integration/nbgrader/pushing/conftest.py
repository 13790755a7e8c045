"""The course after nbgrader graded it, and copies of it to push scores into."""

import pytest


@pytest.fixture
def lesson(graded, tmp_path):
    """A copy of the course whose gradebook has nobody's scores and that has no graded notebooks."""
    return graded.copied(tmp_path / "copy", "autograded", "feedback", "downloaded")
