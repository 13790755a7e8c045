"""What a grading run spares pytest changes no outcome: overridden fixtures, marks and raw reports stay as they are."""

import json
import textwrap
import time
from types import SimpleNamespace

import pytest

from grader.limits import Limits
from grader.suite import raw_report, shortcuts
from grader.suite.collect import run_suite
from grader.suite.context import CourseSide
from grader.suite.plugin import Run

from .open_workers import close_sessions, open_session

HEAD = """
import pytest
from grader.suite import checks, exercise
first = exercise("first")
"""


@pytest.fixture(autouse=True)
def _no_session_stays():
    yield
    close_sessions()


@pytest.fixture
def graded(tmp_path):
    """Return a function that grades `def first(): return 1` with a suite and gives verdicts, raw report and plugins."""

    def grade(suite: str, conftest: str = ""):
        folder = tmp_path / "hidden"
        folder.mkdir()
        (folder / "test_all.py").write_text(HEAD + textwrap.dedent(suite), encoding="utf-8")
        (folder / "conftest.py").write_text(textwrap.dedent(conftest), encoding="utf-8")
        seen = SimpleNamespace(verdicts={}, raw={}, skipping=None)

        def keep(verdict):
            seen.verdicts[verdict.id] = verdict

        def run(plugin, session):
            seen.skipping = session.config.pluginmanager.has_plugin("skipping")
            shortcuts.prepare(session, plugin.items)
            student = open_session("def first(): return 1\n", begin=False)
            plugin.run = Run(
                student, "digest", Limits(), time.monotonic() + 60, lambda v: seen.verdicts.update({v.id: v})
            )
            for item, following in zip(plugin.items, [*plugin.items[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            raw_report.write(session, tmp_path / "raw.json")
            seen.raw = json.loads((tmp_path / "raw.json").read_bytes())

        course = CourseSide(
            assignment="01_a", module_name="a", solution=None, mistakes={}, forbids={}, figures={}, secret=b"s" * 32
        )
        run_suite(course, ["first"], [folder], tmp_path / "visible", run)
        return seen

    return grade


def test_a_suite_that_overrides_a_fixture_of_the_kit_gets_its_own(graded):
    suite = """
    @first.check("value", ko="하나")
    def test_drawn(student, draw):
        '''The suite's own draw is used.'''
        assert draw == "our own" and student.first() == 1
    """
    conftest = """
    import pytest
    @pytest.fixture
    def draw():
        return "our own"
    """
    assert graded(suite, conftest).verdicts["first.drawn"].status == "passed"


def test_a_parameter_with_the_name_of_a_fixture_is_the_parameter(graded):
    suite = """
    @pytest.mark.parametrize("golden", [1])
    @first.check("value", ko="하나")
    def test_first(student, golden):
        '''One is returned.'''
        assert student.first() == golden
    """
    assert graded(suite).verdicts["first.first[1]"].status == "passed"


def test_a_fixture_of_a_suite_may_build_on_those_of_the_kit(graded):
    suite = """
    @first.check("value", ko="하나")
    def test_first(answer, draw):
        '''One is returned.'''
        assert answer == 1 and draw.normal(2).shape == (2,)
    """
    conftest = """
    import pytest
    @pytest.fixture
    def answer(student):
        return student.first()
    """
    assert graded(suite, conftest).verdicts["first.first"].status == "passed"


@pytest.mark.parametrize(("condition", "status", "kept"), [("True", "skipped", True), ("False", "passed", True)])
def test_a_skip_mark_works_and_keeps_pytests_plugin_for_it(graded, condition, status, kept):
    suite = f"""
    @pytest.mark.skipif({condition}, reason="not today")
    @first.check("value", ko="하나")
    def test_first(student):
        '''One is returned.'''
        assert student.first() == 1
    """
    seen = graded(suite)
    assert (seen.verdicts["first.first"].status, seen.skipping) == (status, kept)


def test_without_such_marks_the_plugin_is_left_out_and_an_outright_skip_still_works(graded):
    suite = """
    @first.check("value", ko="하나")
    def test_first(student):
        '''One is returned.'''
        pytest.skip("no GPU")
    """
    seen = graded(suite)
    assert (seen.verdicts["first.first"].status, seen.verdicts["first.first"].excused) == ("skipped", True)
    assert not seen.skipping


def test_the_raw_report_of_a_pass_and_of_a_failure_are_those_of_pytest_json_report(graded, monkeypatch):
    suite = """
    @first.check("value", ko="하나")
    def test_right(student):
        '''One is returned.'''
        assert student.first() == 1

    @first.check("value", ko="둘")
    def test_wrong(student):
        '''Two is returned.'''
        assert student.first() == 2
    """
    tests = {each["nodeid"].rpartition("::")[2]: each for each in graded(suite).raw["tests"]}
    assert tests["test_right"]["call"].keys() == {"duration", "outcome"}
    assert tests["test_right"]["outcome"] == "passed"
    assert "assert" in tests["test_wrong"]["call"]["longrepr"]
    assert tests["test_wrong"]["call"]["crash"]["lineno"] > 0


def test_only_a_pass_that_has_nothing_to_tell_is_described_in_short():
    def report(**others):
        return SimpleNamespace(**{"outcome": "passed", "longrepr": None, "sections": [], "duration": 0.5} | others)

    assert shortcuts.short_stage(report()) == {"duration": 0.5, "outcome": "passed"}
    assert shortcuts.short_stage(report(outcome="failed")) is None
    assert shortcuts.short_stage(report(longrepr="text")) is None
    assert shortcuts.short_stage(report(sections=[("stdout", "x")])) is None
