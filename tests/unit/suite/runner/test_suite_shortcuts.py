"""What a grading run spares pytest changes no outcome: overridden fixtures, marks and raw reports stay as they are."""

import pytest

from ....support.exercises.small_suites import HEAD, SmallRun, check

ONE = "assert student.first() == 1"
FIRST = check("first", ONE)
TOP = HEAD + "import pytest\n"


def graded(folder, suite, conftest=""):
    """Grade `def first(): return 1` with a suite."""
    return SmallRun(folder, "def first(): return 1\n", TOP + suite, conftest=conftest, together=False)


def test_a_suite_that_overrides_a_fixture_of_the_kit_gets_its_own(tmp_path):
    suite = check("drawn", 'assert draw == "our own" and student.first() == 1', given="student, draw")
    conftest = """
    import pytest
    @pytest.fixture
    def draw():
        return "our own"
    """
    assert graded(tmp_path, suite, conftest).statuses == {"drawn": "passed"}


def test_a_parameter_with_the_name_of_a_fixture_is_the_parameter(tmp_path):
    suite = "@pytest.mark.parametrize('golden', [1])\n"
    suite += check("first", "assert student.first() == golden", given="student, golden")
    assert graded(tmp_path, suite).statuses == {"first[1]": "passed"}


@pytest.mark.parametrize("when", ["setup", "call", "teardown"])
def test_a_hook_of_a_suite_around_a_stage_is_asked(tmp_path, when):
    conftest = f"""
    import pytest
    def pytest_runtest_{when}(item):
        pytest.skip("asked")
    """
    verdict = graded(tmp_path, FIRST, conftest).verdicts["first"]
    assert (
        (verdict.status, verdict.reason) == ("skipped", "asked") if when != "teardown" else verdict.status != "passed"
    )


@pytest.mark.parametrize(("condition", "status"), [("True", "skipped"), ("False", "passed")])
def test_a_skip_mark_works_and_keeps_pytests_plugin_for_it(tmp_path, condition, status):
    seen = graded(tmp_path, f'@pytest.mark.skipif({condition}, reason="not today")\n{FIRST}')
    assert (seen.statuses, seen.skipping) == ({"first": status}, True)


def test_without_such_marks_the_plugin_is_left_out_and_an_outright_skip_still_works(tmp_path):
    seen = graded(tmp_path, check("first", 'pytest.skip("no GPU")'))
    assert (seen.verdicts["first"].status, seen.verdicts["first"].excused) == ("skipped", True)
    assert not seen.skipping


def test_the_raw_report_of_a_pass_and_of_a_failure_are_those_of_pytest_json_report(tmp_path):
    suite = check("right", ONE) + check("wrong", "assert student.first() == 2")
    tests = {each["nodeid"].rpartition("::")[2]: each for each in graded(tmp_path, suite).raw}
    assert tests["test_right"]["call"].keys() == {"duration", "outcome"}
    assert tests["test_right"]["outcome"] == "passed"
    assert "assert" in tests["test_wrong"]["call"]["longrepr"]
    assert tests["test_wrong"]["call"]["crash"]["lineno"] > 0


NOT_TWO = 'checks.is_true(student.first() == 2, "It is not two.", "둘이 아닙니다.")'
MORE = 'raise RuntimeError("this must not run")'
LADDER = check("value", NOT_TWO, says="Two is returned.") + check(
    "more", MORE, given="student, log", marks=', needs="test_value"'
)
LOG = """
import pytest
LOG = []
@pytest.fixture(scope="module")
def log():
    LOG.append("made")
    yield LOG
    LOG.append("ended")
"""


def test_a_check_that_is_left_out_is_skipped_in_the_raw_report_with_the_reason(tmp_path):
    seen = graded(tmp_path, LADDER, LOG)
    assert seen.statuses["more"] == "skipped"
    more = next(each for each in seen.raw if each["nodeid"].endswith("test_more"))
    assert more["outcome"] == "skipped" and "call" not in more
    assert "Two is returned." in more["setup"]["longrepr"]
    assert more["metadata"] == {"check": "first.more", "status": "skipped"}


def test_a_failure_that_its_words_explain_has_its_place_and_no_traceback_in_the_raw_report(tmp_path):
    wrong = next(each for each in graded(tmp_path, LADDER, LOG).raw if each["nodeid"].endswith("test_value"))
    said, place = wrong["call"]["longrepr"], wrong["call"]["crash"]
    assert "CheckFailed: " in said and "Traceback" not in said and len(said.splitlines()) == 1
    line = (TOP + LADDER).splitlines().index("    " + NOT_TWO) + 1
    assert place["path"].endswith("test_all.py") and place["lineno"] == line


def test_an_error_in_a_suite_keeps_its_traceback_in_the_raw_report(tmp_path):
    assert "Traceback" in graded(tmp_path, check("value", "[][student.first()]")).raw[0]["call"]["longrepr"]


def test_what_a_module_set_up_is_taken_down_where_its_last_check_is_left_out(tmp_path):
    conftest = (
        LOG + f"    __import__('pathlib').Path({str(tmp_path / 'log')!r}).write_text(LOG[-1], encoding='utf-8')\n"
    )
    logged = check("logged", 'assert log == ["made"]', given="student, log")
    seen = graded(tmp_path, logged + LADDER, conftest)
    assert seen.statuses == {"logged": "passed", "value": "failed", "more": "skipped"}
    assert "ended" in (tmp_path / "log").read_text(encoding="utf-8")
