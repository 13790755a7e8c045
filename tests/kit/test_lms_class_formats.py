"""What every format of a class asks for before it writes a score."""

from pathlib import Path

import pytest

from grader.lms.formats import FORMATS
from grader.lms.reports import ClassReports

from .lms_gradebooks import canvas_book, class_of_hard_names, refused, write


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> ClassReports:
    """A class of hard names with several scores, one who could not be graded and one who handed nothing in."""
    return class_of_hard_names(tmp_path_factory.mktemp("class") / "reports")


@pytest.mark.parametrize("name", [name for name, each in FORMATS.items() if each.scope == "class"])
def test_every_format_of_a_class_asks_for_a_roster(reports: ClassReports, tmp_path: Path, name: str) -> None:
    into = write(tmp_path, canvas_book())
    assert "There is no roster" in refused(reports, name, roster=None, into=into)


@pytest.mark.parametrize("name", ["canvas", "moodle-worksheet", "blackboard"])
def test_a_format_that_fills_in_asks_for_the_file(reports: ClassReports, name: str) -> None:
    assert "--into" in refused(reports, name)
