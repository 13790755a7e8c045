"""The formats of one submission: valid, exact, and nothing in them that the student's copy does not say."""

import base64
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import jsonschema
import pytest
from msgspec.structs import replace

from grader.errors import UsageError
from grader.lms.classroom50 import factor_of
from grader.lms.formats import FORMATS, Choice, find_format
from grader.lms.jsontext import share
from grader.lms.visibility import shown
from grader.results.assemble import Planned
from grader.results.report import Report
from grader.results.text import sanitise
from grader.results.verdict import ManifestCheck, Status

from . import lms_reports
from . import lms_schemas as schemas
from .lms_reports import CANARY, FULL, MANIFEST, PLAN, RUNNER, late_hidden, report_of

ONE = [name for name, each in FORMATS.items() if each.scope == "one"]
SCHEMAS = {
    "gradescope": schemas.GRADESCOPE,
    "prairielearn": schemas.PRAIRIELEARN,
    "classroom50": schemas.CLASSROOM50,
    "github": schemas.GITHUB,
    "exercism": schemas.EXERCISM,
    "ctrf": schemas.CTRF,
}
HOSTILE = "<script>alert(1)</script>\x1b[31m\u202e]]>&\x00\ud800 http://a.example word: `x` \u2028\r\n"
STATUSES: list[Status] = [
    "passed", "failed", "error", "timeout", "memory", "crash", "forbidden", "missing", "skipped",
]  # fmt: skip


def written(name: str, report: Report, **choice: Any) -> bytes:
    return find_format(name).one(shown(report), Choice(environ=RUNNER, **choice))


def made(name: str, report: Report, **choice: Any) -> Any:
    """Return a format's document with exact numbers, after it was held against its rules."""
    text = written(name, report, **choice)
    if name == "autolab":
        return autolab(text)
    if name == "junit":
        return schemas.validate_junit(text)
    schemas.validate(json.loads(text), SCHEMAS[name])
    return json.loads(text, parse_float=Decimal)


def autolab(text: bytes) -> list[Any]:
    """Return the last two lines as Autolab reads them: its pattern first, JSON then."""
    lines = text.decode().rstrip().split("\n")
    assert len(lines) == 2
    changed = [re.sub(r"([a-zA-Z0-9]+):", r'"\1":', line) for line in lines]
    assert changed == lines
    feedback, last = (json.loads(line, parse_float=Decimal) for line in lines)
    assert feedback["_presentation"] == "semantic"
    assert set(feedback["stages"]) == feedback.keys() - {"_presentation", "stages"}
    assert all(set(told) <= {"passed", "hint"} for name in feedback["stages"] for told in feedback[name].values())
    assert isinstance(last["scores"], dict)
    return [feedback, last]


def failing() -> Report:
    return report_of("ann", dict.fromkeys(("shares.open", "shares.shut", "Shift.late"), "failed"))


def hostile() -> Report:
    """Return a report with a text that tries everything, in the author's words and in the student's output."""
    report = failing()
    harmless, authors = sanitise(HOSTILE), HOSTILE.replace("\ud800", "")
    exercises = []
    for exercise in report.exercises:
        checks = [
            replace(check, output=harmless, detail=replace(check.detail, found=harmless), message=authors)
            for check in exercise.checks
        ]
        exercises.append(replace(exercise, title=authors, checks=checks))
    return replace(report, exercises=exercises)


@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("status", STATUSES)
def test_every_status_makes_a_valid_document(name: str, status: Status) -> None:
    made(name, report_of("ann", dict.fromkeys(FULL, status)))
    made(name, report_of("ann", {"shares.open": status, "Shift.late": status}, language="ko"))


@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("failed_as_zero", [False, True])
def test_a_submission_that_could_not_be_graded_makes_a_valid_document(name: str, failed_as_zero: bool) -> None:
    text = written(name, report_of("ann", problem="The file is not UTF-8: line 2."), failed_as_zero=failed_as_zero)
    made(name, report_of("ann", problem="The file is not UTF-8: line 2."), failed_as_zero=failed_as_zero)
    assert name == "classroom50" or b"not UTF-8" in text


@pytest.mark.parametrize("name", ONE)
def test_nothing_of_a_hidden_check_is_in_any_format(name: str) -> None:
    for status in STATUSES[1:]:
        report = report_of("ann", dict.fromkeys(late_hidden("hidden"), status))
        assert CANARY.encode() not in written(name, report)
        assert CANARY.encode() not in written(name, report, show_total=True)


@pytest.mark.parametrize("name", ONE)
def test_only_a_platform_that_holds_it_back_gets_what_is_shown_after_the_due_date(name: str) -> None:
    text = written(name, report_of("ann", {"Shift.late": "failed"}))
    assert (b"The parameter is added." in text) == (name == "gradescope")
    assert (CANARY.encode() in text) == (name == "gradescope")
    assert CANARY.encode() not in written(name, report_of("ann", {"Shift.late": "failed"}), show_total=True)


@pytest.mark.parametrize("name", ["prairielearn", "exercism", "autolab"])
def test_after_the_due_date_nothing_is_held_back(name: str) -> None:
    report = report_of("ann", {"Shift.late": "failed", "Shift.shut": "error"})
    text = find_format(name).one(shown(report, due_passed=True), Choice()).decode()
    assert "The parameter is added." in text and f"expected {CANARY}" in text
    assert f"text {CANARY}" not in text  # of the hidden check, which stays hidden


@pytest.mark.parametrize("name", ONE)
def test_no_time_of_a_hidden_check_and_no_seed_is_told(name: str) -> None:
    manifest = [check for check in MANIFEST if check.visibility == "hidden"]
    text = written(name, report_of("ann", manifest=manifest)).decode()
    assert "0.25" not in text and "250" not in text and "cafe" not in text and "1.5" not in text


@pytest.mark.parametrize("name", ONE)
def test_hostile_text_stays_text(name: str) -> None:
    text = written(name, hostile()).decode()
    made(name, hostile())
    assert not any(sign in text for sign in ("\x1b", "\u202e", "\x00", "\u2028", "\r"))
    if name == "junit":
        assert "<script>" not in text and "<script>alert" in "".join(ET.fromstring(text).itertext())


def test_a_wrong_format_suggests_the_nearest() -> None:
    with pytest.raises(UsageError, match="Did you mean `gradescope`"):
        find_format("gradscope")


def test_gradescope_keeps_each_visibility() -> None:
    tests = made("gradescope", failing())["tests"]
    assert [(test["number"], test["visibility"]) for test in tests] == [
        ("1", "visible"), ("1.1", "visible"), ("1.2", "hidden"),
        ("2", "visible"), ("2.1", "visible"), ("2.2", "after_due_date"), ("2.3", "hidden"),
    ]  # fmt: skip


def test_gradescope_points_are_those_of_the_exercises() -> None:
    document = made("gradescope", report_of("ann", {"shares.open": "failed"}))
    scored = [(test["number"], test["score"], test["max_score"]) for test in document["tests"] if "score" in test]
    assert scored == [("1", Decimal("1.33"), 2), ("2", Decimal("3.5"), Decimal("3.5"))]
    assert document["score"] == sum(points for _, points, _ in scored)
    assert document["stdout_visibility"] == "hidden" and "execution_time" not in document


def test_gradescope_shows_the_total_when_nothing_is_hidden() -> None:
    document = made("gradescope", failing(), show_total=True)
    assert {test["visibility"] for test in document["tests"]} == {"visible"}
    assert "1.2 not passed: Random shares are right: every row." in document["tests"][0]["output"]
    assert "2.2 not passed: Shift.late" in document["tests"][2]["output"]


def test_prairielearn_takes_a_share_that_is_one_only_for_all_points() -> None:
    assert made("prairielearn", report_of("ann"))["score"] == 1
    document = made("prairielearn", report_of("ann", {"shares.open": "failed"}))
    assert document["score"] == Decimal("0.878182")
    assert [test["points"] for test in document["tests"]] == [Decimal("1.33"), Decimal("3.5")]
    assert share(Decimal("999999.9"), Decimal(1000000)) == Decimal("0.999999")
    assert share(Decimal("0.0000001"), Decimal(10)) == Decimal("0.000001")
    assert share(Decimal(0), Decimal(0)) == 0


def test_prairielearn_costs_no_attempt_for_what_could_not_be_graded() -> None:
    document = made("prairielearn", report_of("ann", problem="Not UTF-8."))
    assert document["gradable"] is False and "score" not in document
    zero = made("prairielearn", report_of("ann", problem="Not UTF-8."), failed_as_zero=True)
    assert (zero["gradable"], zero["score"]) == (True, 0)


@pytest.mark.parametrize(("name", "most"), [("prairielearn", 1_000_000), ("exercism", 500_000), ("autolab", 900_000)])
def test_a_large_report_is_cut_to_what_the_platform_takes(
    name: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = [Planned(id=f"e{n}", title=f"Exercise {n}", points=Decimal(1)) for n in range(60)]
    manifest = [
        ManifestCheck(
            id=f"e{n}.c{m}", exercise=f"e{n}", category="value", visibility="visible", weight=1,
            sentence="It is so. " * 9, sentence_ko="그렇다.",
        )
        for n in range(60)
        for m in range(12)
    ]  # fmt: skip
    wordy = replace(
        lms_reports.verdict(manifest[0], "failed"), found="x " * 1900, output="y" * 4000, exception_text="z" * 1900
    )
    monkeypatch.setattr(lms_reports, "verdict", lambda check, status: replace(wordy, id=check.id))
    report = report_of("ann", dict.fromkeys((check.id for check in manifest), "failed"), plan=plan, manifest=manifest)
    text = written(name, report)
    assert 10_000 < len(text) <= most
    made(name, report)


def test_autolab_names_the_scores_after_the_exercises() -> None:
    feedback, last = made("autolab", report_of("ann", {"shares.open": "failed"}))
    assert last == {"scores": {"shares": Decimal("1.33"), "Shift": Decimal("3.5")}, "scoreboard": [Decimal("4.83")]}
    assert feedback["1 shares"]["1.1 The quarters are right."]["passed"] is False
    assert "1.2 Random shares are right: every row." in feedback["1 shares"]


def test_autolab_gets_no_score_for_what_could_not_be_graded() -> None:
    assert made("autolab", report_of("ann", problem="Not: http://x"))[1] == {"scores": {}}
    zero = made("autolab", report_of("ann", problem="Not: http://x"), failed_as_zero=True)
    assert zero[1] == {"scores": {"shares": 0, "Shift": 0}, "scoreboard": [0]}


def test_autolabs_pattern_would_break_a_colon() -> None:
    """The check of the lines above can fail: written without care the same text is not JSON any more."""
    with pytest.raises((AssertionError, json.JSONDecodeError)):
        autolab(b'{"_presentation":"semantic","stages":[]}\n{"scores":{"part a: x":1}}\n')


def test_classroom50_has_whole_points_that_add_up() -> None:
    document = made("classroom50", report_of("ann", {"shares.open": "failed"}))
    assert (document["score"], document["max-score"]) == (483, 550)
    assert [(test["score"], test["max-score"]) for test in document["tests"]] == [(133, 200), (350, 350)]
    assert document["score"] == sum(test["score"] for test in document["tests"])
    assert document["review"] == RUNNER["COMMIT_URL"] and document["assignment_type"] == "individual"


def test_classroom50_scales_all_students_of_an_assignment_alike() -> None:
    everybody = [
        report_of("ann"),
        report_of("ben", {"shares.open": "failed"}),
        report_of("cy", {"Shift.open": "error"}),
    ]
    assert {made("classroom50", each)["max-score"] for each in everybody} == {550}
    fine = [Planned(id="shares", title="S", points=Decimal("0.05")), PLAN[1]]
    report = report_of("ann", {"shares.open": "failed"}, plan=fine)
    assert factor_of(shown(report).exercises) == 1000
    document = made("classroom50", report)
    assert [(test["score"], test["max-score"]) for test in document["tests"]] == [(33, 50), (3500, 3500)]


def test_classroom50_has_zero_of_zero_for_what_could_not_be_graded() -> None:
    report = report_of("ann", problem="Not UTF-8.")
    assert (made("classroom50", report)["max-score"], made("classroom50", report)["tests"]) == (0, [])
    assert made("classroom50", report, failed_as_zero=True)["max-score"] == 550


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"CLASSROOM": "", "OWNER": ""}, "Not set: CLASSROOM, OWNER"),
        ({"SUBMISSION_TAG": "v1"}, "does not begin with submit/"),
        ({"ASSIGNMENT_TYPE": "pair"}, "ASSIGNMENT_TYPE is 'pair'"),
    ],
)
def test_classroom50_asks_for_what_its_runner_says(change: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError, match=re.escape(words)):
        find_format("classroom50").one(shown(report_of("ann")), Choice(environ={**RUNNER, **change}))


def test_github_gets_a_number_for_every_test_and_a_whole_maximum() -> None:
    text = written("github", report_of("ann", {"shares.open": "failed"}))
    document = json.loads(base64.b64decode(base64.b64encode(text)), parse_float=Decimal)
    assert (document["max_score"], [test["score"] for test in document["tests"]]) == (55, [Decimal("13.3"), 35])
    whole = [PLAN[0], Planned(id="Shift", title="Shift", points=Decimal(3))]
    assert made("github", report_of("ann", plan=whole))["max_score"] == 5
    assert made("github", report_of("ann"))["status"] == "pass"
    failed = made("github", report_of("ann", problem="Not UTF-8."))
    assert failed["status"] == "error" and [test["score"] for test in failed["tests"]] == [0, 0]


def test_exercism_fails_what_was_not_run_unless_this_machine_cannot_run_it() -> None:
    document = made("exercism", report_of("ann", {"shares.shut": "skipped", "Shift.open": "timeout"}))
    assert document["status"] == "fail"
    statuses = [test["status"] for test in document["tests"]]
    assert statuses == ["pass", "fail", "error", "pass", "pass"]
    assert [test["task_id"] for test in document["tests"]] == [1, 1, 2, 2, 2]
    assert made("exercism", report_of("ann", problem="Not UTF-8."))["tests"] == []


def test_exercism_passes_what_only_this_machine_cannot_run() -> None:
    """A check that needs a GPU is skipped without costing anything, so its exercise passed and so does the test."""
    report = report_of("ann")
    first, second = report.exercises[0].checks
    excused = replace(second, status="skipped", counts=False, outcome="This machine has no GPU.")
    exercise = replace(report.exercises[0], checks=[first, excused])
    document = made("exercism", replace(report, exercises=[exercise, report.exercises[1]]))
    assert document["status"] == "pass"
    assert (document["tests"][1]["status"], document["tests"][1]["output"]) == ("pass", "This machine has no GPU.")


def test_ctrf_counts_its_tests_and_carries_the_points() -> None:
    results = made("ctrf", report_of("ann", {"shares.open": "failed"}))["results"]
    summary = results["summary"]
    assert [summary[name] for name in ("tests", "passed", "failed", "other")] == [2, 1, 1, 0]
    assert [test["extra"]["points"] for test in results["tests"]] == [Decimal("1.33"), Decimal("3.5")]
    assert summary["extra"] == {"points": Decimal("4.83"), "max_points": Decimal("5.5")}
    assert (summary["start"], summary["stop"] - summary["start"]) == (1772359200000, 500)
    assert all(type(test["duration"]) is int for test in results["tests"])
    assert made("ctrf", report_of("ann", problem="x"))["results"]["summary"]["other"] == 2


def test_junit_tells_failures_from_errors() -> None:
    top = made("junit", report_of("ann", {"shares.open": "failed", "Shift.open": "timeout", "Shift.late": "skipped"}))
    assert [(suite.get("failures"), suite.get("errors"), suite.get("skipped")) for suite in top] == [
        ("1", "0", "0"),
        ("0", "1", "1"),
    ]
    points = {one.get("name"): one.get("value") for one in top[0].iter("property")}
    assert points == {"id": "shares", "score": "1.33", "max_score": "2"}
    names = [case.get("name") for case in top.iter("testcase")]
    assert names == [check.id for check in MANIFEST]


def change(document: Any, path: str, value: Any) -> Any:
    """Return a document with one field changed; None takes it away."""
    *way, last = path.split(".")
    place = document
    for step in way:
        place = place[int(step) if step.isdigit() else step]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return document


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("gradescope", "tests.0.visibility", "secret"),
        ("gradescope", "test_out", "x"),
        ("gradescope", "score", None),
        ("prairielearn", "score", 1.1),
        ("prairielearn", "tests.0.max_points", None),
        ("classroom50", "score", 4.83),
        ("classroom50", "submission", "v1"),
        ("classroom50", "datetime", "2026-03-01 10:00"),
        ("github", "max_score", 5.5),
        ("github", "tests.0.score", None),
        ("exercism", "tests.0.message", None),
        ("exercism", "tests.0.status", "skipped"),
        ("ctrf", "results.tests.0.duration", 1.5),
        ("ctrf", "results.tests.0.points", 1),
        ("ctrf", "results.tests.0.suite", []),
        ("ctrf", "specVersion", "1"),
    ],
)
def test_the_rules_of_the_formats_can_be_broken(name: str, path: str, value: Any) -> None:
    """The schemas above refuse what the platforms refuse."""
    wrote = json.loads(written(name, failing()))
    gone = change(wrote, path, value)
    if (name, path) == ("gradescope", "score"):
        gone["tests"] = []
    with pytest.raises(jsonschema.ValidationError):
        schemas.validate(gone, SCHEMAS[name])


def test_a_broken_junit_is_noticed() -> None:
    text = written("junit", failing())
    breaks: list[Callable[[bytes], bytes]] = [
        lambda whole: whole.replace(b'failures="2"', b'failures="1"'),
        lambda whole: whole.replace(b"<failure", b"<error", 1).replace(b"</failure>", b"</error>", 1),
        lambda whole: whole.replace(b'time="0.250"', b'time="0,250"', 1),
    ]
    for act in breaks:
        assert act(text) != text
        with pytest.raises((AssertionError, ET.ParseError, ValueError)):
            schemas.validate_junit(act(text))
