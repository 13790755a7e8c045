"""What every push to the LTI platform of the tests begins with."""

import pytest

from grader.lms.pushing import web


@pytest.fixture
def reports(tmp_path):
    """Four students' reports and a roster of them."""
    from .....support.lti_pushes import class_to_push

    return class_to_push(tmp_path)


@pytest.fixture(scope="session")
def keys():
    """A tool's private key, and another one that nobody registered."""
    from .....support.lti_platforms import new_key

    return new_key(), new_key()


@pytest.fixture
def platform(keys, monkeypatch):
    """A platform that knows the students, and a grader that has its key and makes no pauses."""
    from .....support.lti_platforms import Platform, running
    from .....support.lti_pushes import STUDENTS

    monkeypatch.setattr(web, "PAUSE_S", 0.0)
    monkeypatch.setenv("LTI_PRIVATE_KEY", keys[0])
    with running(Platform(keys[0], set(STUDENTS.values()))) as there:
        yield there
