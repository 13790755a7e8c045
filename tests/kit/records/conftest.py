"""The course and the class of this folder's tests, what a run may meet on its way, and jails that stay open."""

import pytest

from grader.grading.progress import ProgressReporter

from ..support.class_runs import course, klass  # noqa: F401  # fixtures


@pytest.fixture(autouse=True)
def in_kept_jails(kept_jails):
    """No test here asks anything of a jail."""


class Doing(ProgressReporter):
    """Does something when a run begins, or after so many submissions."""

    def __init__(self, at_start=None, after=None):
        super().__init__()
        self._at_start, self._after, self._done = at_start, after, 0

    def begin(self, whole, kept):
        if self._at_start:
            self._at_start()

    def advance(self):
        self._done += 1
        if self._done == self._after:
            raise KeyboardInterrupt


@pytest.fixture
def told(monkeypatch):
    """Lets a test say what is done while the next run goes on."""

    def set_to(**options):
        monkeypatch.setattr("grader.grading.whole_class.ProgressReporter", lambda: Doing(**options))

    return set_to
