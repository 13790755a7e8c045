"""The course and the class of this folder's tests, and jails that stay open from test to test."""

import pytest

from ..support.class_runs import course, klass  # noqa: F401  # fixtures


@pytest.fixture(autouse=True)
def in_kept_jails(kept_jails):
    """No test here asks anything of a jail."""
