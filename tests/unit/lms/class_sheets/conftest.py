"""A class of hard names for every platform: several scores, one not graded and one who handed nothing in."""

import pytest

from ..lms_gradebooks import Desk, class_of_hard_names


@pytest.fixture(scope="session")
def class_reports(tmp_path_factory):
    """The class, read once."""
    return class_of_hard_names(tmp_path_factory.mktemp("class") / "reports")


@pytest.fixture
def desk(class_reports, tmp_path):
    """The class, and a folder of the test's own for the platform's file."""
    return Desk(class_reports, tmp_path)
