"""Each private part of pytest that the kit uses is there and does what it is for; a test's name says which broke."""

import pytest

from grader.errors import CourseError
from grader.suite.runner import pytest_internals as parts
from grader.suite.runner.collect import clean_environment
from grader.suite.runner.plugin import GradingPlugin

SUITE = """
import pytest

@pytest.fixture
def torn(request):
    yield 1
    request.config.torn = True

@pytest.mark.parametrize("size", [3])
def test_first(torn, size):
    assert size == 3

def test_second(absent):
    pass
"""
ARGUMENTS = ["-p", "no:terminal", "-p", "no:cacheprovider", "--import-mode=importlib", "-c"]


@pytest.fixture(autouse=True)
def nothing_of_the_outer_pytest():
    with clean_environment():
        yield


@pytest.fixture
def collected(tmp_path):
    """A session of pytest that has collected two items."""
    (tmp_path / "test_small.py").write_text(SUITE, encoding="utf-8")
    (tmp_path / "none.ini").write_text("[pytest]\n", encoding="utf-8")
    with parts.open_session([*ARGUMENTS, str(tmp_path / "none.ini"), str(tmp_path)], [GradingPlugin()]) as session:
        session.config.hook.pytest_collection(session=session)
        yield session


def test_a_session_stays_open_behind_its_collection(collected):
    assert [item.name for item in collected.items] == ["test_first[3]", "test_second"]


def test_a_pytest_that_does_not_start_is_a_fault_of_the_course(tmp_path):
    with (
        pytest.raises(CourseError, match="pytest could not start on the suite"),
        parts.open_session(["--nonsense"], []),
    ):
        pass


def test_an_item_can_be_begun_set_up_torn_down_and_ended_twice(collected):
    item, following = collected.items
    for _ in range(2):
        parts.begin(item)
        parts.set_up(item)
        assert parts.is_set_up(item) and {"torn": 1, "size": 3}.items() <= item.funcargs.items()
        item.runtest()
        collected.config.torn = False
        parts.tear_down(item, following)
        assert not parts.is_set_up(item) and collected.config.torn
        parts.end(item)
        assert item.funcargs is None
    parts.tear_down(item, None)


def test_the_fixtures_of_an_item_and_which_are_parameters_are_known(collected):
    item = collected.items[0]
    needed, asked = parts.names_needed(item)
    assert {"torn", "size"} <= needed and asked == ("torn", "size")
    fixtures = parts.fixtures_of(item)
    assert not parts.is_parameter(fixtures["torn"][-1])
    assert fixtures["size"] and all(map(parts.is_parameter, fixtures["size"]))


def test_the_function_that_asked_for_a_missing_fixture_is_known(collected):
    item = collected.items[1]
    parts.begin(item)
    with pytest.raises(pytest.FixtureLookupError) as caught:
        parts.set_up(item)
    assert parts.function_that_asks(caught.value) is item.obj
    parts.tear_down(item, None)


def test_pytest_json_report_can_be_found_where_it_takes_part(tmp_path):
    (tmp_path / "none.ini").write_text("[pytest]\n", encoding="utf-8")
    arguments = [*ARGUMENTS, str(tmp_path / "none.ini"), "-p", "pytest_jsonreport.plugin", str(tmp_path)]
    for more, there in ([], False), (["--json-report", "--json-report-file=none"], True):
        with parts.open_session([*arguments, *more], [GradingPlugin()]) as session:
            assert hasattr(parts.reporter_of(session.config), "pytest_sessionfinish") is there


def test_a_failure_in_a_line_is_shown_as_its_words_and_its_place():
    shown = parts.failure_in_a_line("suite.py", 7, "CheckFailed: wrong")
    assert str(shown).strip() == "suite.py:7: CheckFailed: wrong"
    assert (shown.reprcrash.path, shown.reprcrash.lineno, shown.reprcrash.message) == (
        "suite.py",
        7,
        "CheckFailed: wrong",
    )
