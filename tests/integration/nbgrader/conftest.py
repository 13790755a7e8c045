"""A course of nbgrader after `nbgrader autograde`, made once for all tests of this folder."""

import pytest

from ...support.notebooks.nbgrader_courses import autograded


@pytest.fixture(scope="session")
def graded(tmp_path_factory):
    """The course whose class nbgrader collected and graded; a test that changes it takes a copy."""
    return autograded(tmp_path_factory)
