"""What every push to the Canvas of the tests begins with."""

import pytest

from grader.lms.pushing import canvas, web

from .....support.lms_reports import report_of, write_class
from .canvas_pushes import LOST, ROSTER, STUDENTS, TOKEN, USERS
from .canvas_server import Stub, running


@pytest.fixture
def stub(monkeypatch):
    """A server with Canvas's rules, and a grader that has its token and makes no pauses."""
    monkeypatch.setattr(web, "PAUSE_S", 0.0)
    monkeypatch.setattr(canvas, "POLL_S", 0.0)
    monkeypatch.setenv("CANVAS_API_TOKEN", TOKEN)
    with running(Stub(TOKEN, [dict(user) for user in USERS])) as there:
        yield there


@pytest.fixture(scope="session")
def class_reports(tmp_path_factory):
    """Five students' reports, and one who handed nothing in."""
    folder = tmp_path_factory.mktemp("class")
    return write_class(folder, [report_of(name, LOST.get(name)) for name in STUDENTS], ["absent one"])


@pytest.fixture
def reports(class_reports, tmp_path):
    """The reports, and a roster that a test may change."""
    (tmp_path / "roster.csv").write_text(ROSTER, encoding="utf-8")
    return class_reports, tmp_path / "roster.csv"
