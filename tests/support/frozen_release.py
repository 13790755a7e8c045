"""The release of the frozen course, made once for the tests of this folder."""

import pytest

from grader.course.layout import find_course
from grader.release.archive import pack
from grader.release.bundle import make_release

from .classes.grading_runs import frozen_course


@pytest.fixture(scope="session")
def course():
    return find_course(frozen_course())


@pytest.fixture(scope="session")
def release(course):
    return make_release(course)


@pytest.fixture
def quick_wheel(monkeypatch):
    """A file in place of the wheel, for what does not depend on it."""
    monkeypatch.setattr("grader.release.bundle.build_wheel", lambda: ("kit-0-py3-none-any.whl", pack([])))
