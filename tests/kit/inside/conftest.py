"""Closes the sessions that a test opened."""

import pytest

from ..support.open_workers import close_sessions


@pytest.fixture(autouse=True)
def sessions_are_closed():
    yield
    close_sessions()
