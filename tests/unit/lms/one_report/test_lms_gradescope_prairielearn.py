"""What Gradescope and PrairieLearn get of one submission: exact points, and no attempt lost to a problem."""

from decimal import Decimal

from msgspec.structs import replace

from grader.lms.one_report.autograders import share
from grader.results.report import Report
from grader.results.verdict import Values

from ....support.lms_reports import report_of
from ..lms_documents import failing, made


def test_gradescope_keeps_each_visibility() -> None:
    tests = made("gradescope", failing())["tests"]
    assert [(test["number"], test["visibility"]) for test in tests] == [
        ("1", "visible"), ("1.1", "visible"), ("1.2", "hidden"),
        ("2", "visible"), ("2.1", "visible"), ("2.2", "hidden"), ("2.3", "hidden"),
    ]  # fmt: skip


def test_gradescope_points_are_those_of_the_exercises() -> None:
    document = made("gradescope", report_of("ann", {"shares.open": "failed"}))
    scored = [(test["number"], test["score"], test["max_score"]) for test in document["tests"] if "score" in test]
    assert scored == [("1", Decimal("1.3"), 2), ("2", Decimal("3.5"), Decimal("3.5"))]
    assert document["score"] == sum(points for _, points, _ in scored)
    assert document["stdout_visibility"] == "hidden" and "execution_time" not in document


def test_gradescope_shows_the_total_when_nothing_is_hidden() -> None:
    document = made("gradescope", failing(), show_total=True)
    assert {test["visibility"] for test in document["tests"]} == {"visible"}
    assert "1.2 not passed: Random shares are right: every row." in document["tests"][0]["output"]
    assert "2.2 not passed: The parameter is added." in document["tests"][2]["output"]


def test_prairielearn_takes_a_share_that_is_one_only_for_all_points() -> None:
    assert made("prairielearn", report_of("ann"))["score"] == 1
    document = made("prairielearn", report_of("ann", {"shares.open": "failed"}))
    assert document["score"] == Decimal("0.872727")
    assert [test["points"] for test in document["tests"]] == [Decimal("1.3"), Decimal("3.5")]
    assert share(Decimal("999999.9"), Decimal(1000000)) == Decimal("0.999999")
    assert share(Decimal("0.0000001"), Decimal(10)) == Decimal("0.000001")
    assert share(Decimal(0), Decimal(0)) == 0


def test_prairielearn_costs_no_attempt_for_what_could_not_be_graded() -> None:
    document = made("prairielearn", report_of("ann", problem="Not UTF-8."))
    assert document["gradable"] is False and "score" not in document
    zero = made("prairielearn", report_of("ann", problem="Not UTF-8."), failed_as_zero=True)
    assert (zero["gradable"], zero["score"]) == (True, 0)


def pictured(*ids: str) -> Report:
    """Return a report in which these checks have a small wrong answer, and a text that is markup."""
    report = failing()
    detail = {"values": Values(shape=[2], place=[], yours=["1 nan"], expected=["1 0.125"]), "found": "<b>1 & 2"}
    exercises = [
        replace(
            exercise,
            checks=[
                replace(check, detail=replace(check.detail, **detail)) if check.id in ids else check
                for check in exercise.checks
            ],
        )
        for exercise in report.exercises
    ]
    return replace(report, exercises=exercises)


def test_gradescope_shows_a_small_wrong_answer_beside_the_right_one() -> None:
    exercise, shown, *others = made("gradescope", pictured("shares.open"))["tests"]
    assert shown["output_format"] == "html"
    assert "<pre>&lt;b&gt;1 &amp; 2\nHint: Divide by the sum." in shown["output"]
    assert shown["output"].count("<table ") == 1 and ">0.125</td>" in shown["output"]
    assert not any("output_format" in test for test in [exercise, *others])


def test_gradescope_shows_no_answer_to_a_hidden_check() -> None:
    assert not any("output_format" in test for test in made("gradescope", pictured("shares.shut"))["tests"])
    folded = made("gradescope", pictured("shares.shut", "Shift.late"), show_total=True)
    assert not any("output_format" in test for test in folded["tests"])
