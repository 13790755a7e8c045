"""The release of this repository's course, made once for the tests of this folder."""

from pathlib import Path

import pytest

from grader.course.layout import find_course
from grader.release.archive import pack
from grader.release.bundle import make_release


@pytest.fixture(scope="session")
def course():
    """The course of this repository."""
    return find_course(Path(__file__).resolve().parents[3])


@pytest.fixture(scope="session")
def release(course):
    """The release of this repository's course."""
    return make_release(course)


@pytest.fixture
def quick_wheel(monkeypatch):
    """A file in place of the wheel, for what does not depend on it."""
    monkeypatch.setattr("grader.release.bundle.build_wheel", lambda: ("kit-0-py3-none-any.whl", pack([])))
