"""A check is a plain test of pytest, with its fixtures, marks and reports; what one leaves is gone for another."""

from ....support.exercises.small_suites import ALL_PASSED, HEAD, ONE_TO_THREE, SUITE, SmallRun, check

TOP = HEAD + "import pytest\n"
ONE = "def first(): return 1\n"


def test_visible_checks_of_all_exercises_come_before_the_hidden_ones_and_each_has_its_own_printed_text(tmp_path):
    _, two, _ = ONE_TO_THREE
    text = "calls = []\ndef first(x):\n    calls.append(x)\n    print(len(calls), x.numel())\n    return 2 * x\n"
    graded = SmallRun(tmp_path, text + "def second(): return 2\n", SUITE.replace(two, ""), visible=HEAD + two)
    assert graded.statuses == ALL_PASSED
    assert graded.ran == [(None, ["two", "one", "three", "four"])]
    assert [graded.verdicts[name].output for name in ("two", "one", "three")] == ["1 4\n", "2 3\n", "3 5\n"]


def test_every_check_begins_with_the_same_random_numbers_and_the_same_torch(tmp_path):
    suite = f"""{HEAD}
{check("one", "assert student.first() != student.first(); torch.set_default_dtype(torch.float64)")}
{check("two", "assert student.first() != student.first() and torch.rand(1).dtype == torch.float32")}"""
    text = "import torch\ndef first():\n    print(drawn := torch.rand(1).item())\n    return drawn\n"
    graded = SmallRun(tmp_path, text, suite)
    assert graded.statuses == {"one": "passed", "two": "passed"}
    assert graded.verdicts["one"].output == graded.verdicts["two"].output


def test_the_raw_report_is_that_of_pytest_json_report(tmp_path):
    suite = TOP + check("right", "assert student.first() == 1") + check("wrong", "assert student.first() == 2")
    suite += check("more", "raise RuntimeError", marks=', needs="test_wrong"')
    right, wrong = SmallRun(tmp_path, ONE, suite).raw  # a check that is not run is not in it
    assert right["call"].keys() == {"duration", "outcome"} and right["outcome"] == "passed"
    assert wrong["call"]["crash"]["path"].endswith("test_all.py") and "Traceback" in wrong["call"]["longrepr"]


def test_what_a_module_sets_up_is_taken_down_behind_each_check_whose_end_it_is(tmp_path):
    conftest = """
    import pytest
    @pytest.fixture(scope="module")
    def kept():
        kept = []
        yield kept
        assert not kept, "something was kept"
    """
    suite = TOP + check("one", "assert not kept; kept.extend(student.first())", given="student, kept")
    suite += check("two", "assert not kept; student.first()", given="student, kept")
    for answer, first in (("[]", "passed"), ("[1]", "failed")):
        verdicts = SmallRun(tmp_path, f"def first(): return {answer}\n", suite, conftest=conftest).verdicts
        assert {name: verdict.status for name, verdict in verdicts.items()} == {"one": first, "two": "passed"}
    assert "something was kept" in verdicts["one"].suite_raised
