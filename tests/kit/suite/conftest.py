"""What no test of the suites leaves behind: an open worker, and the check that ran."""

import pytest

from grader.suite.core.context import CheckState, current_check

from ..support.open_workers import close_sessions


@pytest.fixture(autouse=True)
def _nothing_stays():
    current_check.set(CheckState())
    yield
    close_sessions()
