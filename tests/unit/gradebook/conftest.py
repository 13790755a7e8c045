"""What the tests of the gradebook share."""

from pathlib import Path

import pytest

from ...support.courses import write_files
from ...support.lms_reports import report_of
from .graded_classes import LOST, TIMES, course_with


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course with rules, of whose class two handed in, one of them unreadable, and one nothing."""
    reports = [report_of("ann"), report_of("ben", LOST["4.8"]), report_of("cleo", problem="Not UTF-8.")]
    course_with(tmp_path, reports, absent=["dora"])
    return write_files(tmp_path, {"times.csv": TIMES})
