"""What a grading run spares pytest changes no outcome: overridden fixtures, marks and raw reports stay as they are."""

import json
import textwrap
from types import SimpleNamespace

import pytest

from grader.limits import Limits
from grader.suite.core.context import AssignmentContext
from grader.suite.process.child_report import write_raw_report
from grader.suite.runner.collect import collected
from grader.suite.runner.submission_run import Run
from grader.workers.process.clock import Deadline

from ...support.open_workers import open_session

HEAD = """
import pytest
from grader.suite import checks, exercise
first = exercise("first")
"""


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

        course = AssignmentContext(
            assignment="01_a", module_name="a", solution=None, mistakes={}, forbids={}, figures={}, secret=b"s" * 32
        )
        with collected(course, ["first"], [folder], tmp_path / "visible") as checks:
            seen.skipping = checks.pytest_session.config.pluginmanager.has_plugin("skipping")
            checks.warm()
            student = open_session("def first(): return 1\n", begin=False)
            checks.grade(Run(course, student, "digest", Limits(), Deadline(60.0), keep))
            write_raw_report(checks.pytest_session, tmp_path / "raw.json")
            seen.raw = json.loads((tmp_path / "raw.json").read_bytes())
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


@pytest.mark.parametrize("when", ["setup", "call", "teardown"])
def test_a_hook_of_a_suite_around_a_stage_is_asked(graded, when):
    suite = """
    @first.check("value", ko="하나")
    def test_first(student):
        '''One is returned.'''
        assert student.first() == 1
    """
    conftest = f"""
    import pytest
    def pytest_runtest_{when}(item):
        pytest.skip("asked")
    """
    verdict = graded(suite, conftest).verdicts["first.first"]
    assert (
        (verdict.status, verdict.reason) == ("skipped", "asked") if when != "teardown" else verdict.status != "passed"
    )


@pytest.mark.parametrize(("condition", "status"), [("True", "skipped"), ("False", "passed")])
def test_a_skip_mark_works_and_keeps_pytests_plugin_for_it(graded, condition, status):
    suite = f"""
    @pytest.mark.skipif({condition}, reason="not today")
    @first.check("value", ko="하나")
    def test_first(student):
        '''One is returned.'''
        assert student.first() == 1
    """
    seen = graded(suite)
    assert (seen.verdicts["first.first"].status, seen.skipping) == (status, True)


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


def test_the_raw_report_of_a_pass_and_of_a_failure_are_those_of_pytest_json_report(graded):
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


LADDER = """
@first.check("value", ko="하나")
def test_value(student):
    '''Two is returned.'''
    checks.is_true(student.first() == 2, "It is not two.", "둘이 아닙니다.")

@first.check("value", ko="둘", needs="test_value")
def test_more(student, log):
    '''Two is returned again.'''
    raise RuntimeError("this must not run")
"""
LOG = """
import pytest
LOG = []
@pytest.fixture(scope="module")
def log():
    LOG.append("made")
    yield LOG
    LOG.append("ended")
"""


def test_a_check_that_is_left_out_is_skipped_in_the_raw_report_with_the_reason(graded):
    seen = graded(LADDER, LOG)
    assert seen.verdicts["first.more"].status == "skipped"
    more = next(each for each in seen.raw["tests"] if each["nodeid"].endswith("test_more"))
    assert more["outcome"] == "skipped" and "call" not in more
    assert "Two is returned." in more["setup"]["longrepr"]
    assert more["metadata"] == {"check": "first.more", "status": "skipped"}


def test_a_failure_that_its_words_explain_has_its_place_and_no_traceback_in_the_raw_report(graded):
    wrong = next(each for each in graded(LADDER, LOG).raw["tests"] if each["nodeid"].endswith("test_value"))
    said = wrong["call"]["longrepr"]
    assert "CheckFailed: " in said and "Traceback" not in said and len(said.splitlines()) == 1
    assert wrong["call"]["crash"]["path"].endswith("test_all.py") and wrong["call"]["crash"]["lineno"] == 9


def test_an_error_in_a_suite_keeps_its_traceback_in_the_raw_report(graded):
    suite = """
    @first.check("value", ko="하나")
    def test_value(student):
        '''One is returned.'''
        [][student.first()]
    """
    assert "Traceback" in graded(suite).raw["tests"][0]["call"]["longrepr"]


def test_what_a_module_set_up_is_taken_down_where_its_last_check_is_left_out(tmp_path, graded):
    suite = """
    @first.check("value", ko="하나")
    def test_logged(student, log):
        '''The log is there.'''
        assert log == ["made"]
    """
    conftest = (
        LOG + f"    __import__('pathlib').Path({str(tmp_path / 'log')!r}).write_text(LOG[-1], encoding='utf-8')\n"
    )
    seen = graded(textwrap.dedent(suite) + LADDER, conftest)
    assert [seen.verdicts[f"first.{name}"].status for name in ("logged", "value", "more")] == [
        "passed",
        "failed",
        "skipped",
    ]
    assert "ended" in (tmp_path / "log").read_text(encoding="utf-8")
