"""The course and the class of this folder's tests, what a run may meet on its way, and jails that stay open."""

import pytest

from ...support.classes.class_runs import course, klass, told  # noqa: F401  # fixtures


@pytest.fixture(autouse=True)
def in_kept_jails(kept_jails):
    """No test here asks anything of a jail."""
