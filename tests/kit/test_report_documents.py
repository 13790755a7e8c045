"""What a report says to an instructor and to a student, and in which form."""

import json
import re
import sys
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from grader.errors import CourseError
from grader.inside.messages import Cell
from grader.limits import DEFAULT_LIMITS
from grader.results.assemble import BUILT_IN, Outcome, Planned, RunFacts, assemble
from grader.results.redact import student_copy
from grader.results.report import Report, read_report, to_json
from grader.results.schema import PUBLISHED, schema_text
from grader.results.sentences import OUTCOMES
from grader.results.student_report import StudentReport, read_student_report
from grader.results.summary import row_of, summarise
from grader.results.text import name_shown, one_line, sanitise
from grader.results.verdict import (
    CheckVerdict,
    ManifestCheck,
    Status,
    VerdictDiagnosis,
    Visibility,
    read_verdict,
    verdict_line,
)
from grader.submissions.source import Source

DOCS = Path(__file__).parents[2] / "docs"
SECRET = "0.73105857"
CODE = "import torch\n\n\nclass MyError(Exception):\n    pass\n\n\ndef f(x):\n    raise MyError(x)\n"
PLAN = [Planned(id="f", title="The f", points=Decimal(4)), Planned(id="g", title="The g", points=Decimal("2.5"))]
RUN = RunFacts(
    kit_version="0.1.0",
    language="en",
    device="cpu",
    isolation={"tier": "namespaces", "landlock": 4, "seccomp": True, "gaps": ["none"]},
    limits=DEFAULT_LIMITS,
)


def expected(id: str, visibility: Visibility = "hidden", **changes: Any) -> ManifestCheck:
    sentence = f"The sentence of {id}."
    given: dict[str, Any] = {"category": "value", "weight": 1, "sentence": sentence, "sentence_ko": f"{id}의 문장."}
    return ManifestCheck(id=id, exercise=id.split(".")[0], visibility=visibility, **{**given, **changes})


MANIFEST = [expected("f.open", "visible"), expected("f.shut", weight=3), expected("g.late", "after_due_date")]


def source_of(code: str = CODE) -> Source:
    return Source([Cell(1, code)], "py", "f.py", "ab" * 32, {"f.py": "ab" * 32}, ("A note.",))


def outcome_of(*verdicts: CheckVerdict) -> Outcome:
    return Outcome(verdicts=verdicts, seed="cafe", started="2026-03-01T10:00:00Z", duration_s=1.23456789)


def report_of(
    *verdicts: CheckVerdict,
    source: Source | None = None,
    manifest: Sequence[ManifestCheck] = MANIFEST,
    run: RunFacts = RUN,
    outcome: Outcome | None = None,
) -> Report:
    return assemble(
        student="ann",
        assignment="01_x",
        source=source or source_of(),
        plan=PLAN,
        manifest=manifest,
        outcome=outcome or outcome_of(*verdicts),
        run=run,
    )


def passed(*ids: str) -> list[CheckVerdict]:
    return [CheckVerdict(id=id, status="passed") for id in ids]


def leaky(id: str, status: Status = "failed") -> CheckVerdict:
    """A verdict that holds a secret wherever one fits."""
    return CheckVerdict(
        id=id,
        status=status,
        found=f"expected {SECRET}",
        found_ko=f"기대값 {SECRET}",
        reason=f"because {SECRET}",
        exception_type=f"E{SECRET.replace('.', '_')}",
        exception_text=f"text {SECRET}",
        line=3,
        line_text=f"x = {SECRET}",
        output=f"printed {SECRET}",
        input_seed=SECRET,
        duration_s=float(SECRET),
        diagnosis=VerdictDiagnosis([f"mistake_{SECRET}"], "The hint.", "힌트."),
    )


def test_a_report_adds_up() -> None:
    report = report_of(*passed("f.shut", "g.late"), CheckVerdict(id="f.open", status="failed"))
    assert [(each.id, each.score, each.max_score, each.status) for each in report.exercises] == [
        ("f", Decimal(3), Decimal(4), "partial"),
        ("g", Decimal("2.5"), Decimal("2.5"), "passed"),
    ]
    assert (report.score, report.max_score, report.problem) == (Decimal("5.5"), Decimal("6.5"), None)
    assert report.notes == ["A note."]


def test_what_can_be_learnt_by_heart_is_worth_nothing_alone() -> None:
    manifest = [*MANIFEST, expected("f.figure", category="document")]
    failed = CheckVerdict(id="f.shut", status="failed")
    report = report_of(*passed("f.open", "f.figure", "g.late"), failed, manifest=manifest)
    assert (report.exercises[0].score, report.exercises[0].status) == (0, "failed")
    assert report.exercises[1].score == Decimal("2.5")
    assert "f: some checks with known numbers pass" in report.notes[-1]


def test_visible_checks_count_where_an_exercise_has_no_others() -> None:
    manifest = [expected("f.open", "visible"), expected("f.more", "visible"), expected("g.late")]
    report = report_of(*passed("f.open", "g.late"), CheckVerdict(id="f.more", status="failed"), manifest=manifest)
    assert report.exercises[0].score == Decimal(2)


def test_points_are_written_digit_for_digit_and_read_back_exactly() -> None:
    report = report_of(*passed("f.open", "f.shut", "g.late"))
    text = to_json(report)
    assert b'"score": 6.5,' in text
    assert b'"max_score": 4,' in text
    assert read_report(text) == report
    copy = student_copy(report)
    assert read_student_report(to_json(copy)) == copy


def test_equal_reports_are_equal_bytes_whatever_the_order_of_verdicts() -> None:
    verdicts = [leaky("f.open"), leaky("f.shut", "error"), *passed("g.late")]
    assert to_json(report_of(*verdicts)) == to_json(report_of(*reversed(verdicts)))


def test_json_is_indented_and_ends_with_a_line_end() -> None:
    text = to_json(report_of(*passed("f.open", "f.shut", "g.late")))
    assert text.startswith(b'{\n  "schema_version": "1.0",\n  "kit_version": "0.1.0",\n  "student": "ann",')
    assert text.endswith(b"\n}\n")


def test_a_report_refuses_what_it_does_not_know() -> None:
    text = json.loads(to_json(report_of(*passed("f.open", "f.shut", "g.late"))))
    text["exercises"][0]["checks"][0]["extra"] = 1
    with pytest.raises(msgspec.ValidationError, match="extra"):
        read_report(json.dumps(text).encode())


def test_the_students_copy_of_a_hidden_check_holds_only_what_it_may() -> None:
    copy = student_copy(report_of(*passed("f.open", "g.late"), leaky("f.shut", "error")))
    check = copy.exercises[0].checks[1]
    assert json.loads(msgspec.json.encode(check)) == {
        "id": "f.shut",
        "visibility": "hidden",
        "status": "error",
        "category": "value",
        "weight": 3,
        "message": "The sentence of f.shut.",
        "outcome": OUTCOMES["error"][0],
        "diagnosis": {"hint": "The hint."},
        "exception": None,
        "line": None,
        "detail": None,
    }


@pytest.mark.parametrize("status", list(OUTCOMES))
@pytest.mark.parametrize("id", ["f.shut", "g.late"])
def test_no_secret_of_a_hidden_check_reaches_the_student(id: str, status: Status) -> None:
    others = passed(*({"f.open", "f.shut", "g.late"} - {id}))
    report = report_of(*others, leaky(id, status if status != "skipped" else "failed"))
    text = to_json(student_copy(report)).decode()
    assert SECRET in to_json(report).decode()
    assert SECRET not in text and SECRET.replace(".", "_") not in text and "73105857" not in text


def test_a_check_shown_late_has_only_its_id_and_status_until_then() -> None:
    report = report_of(*passed("f.open", "f.shut"), leaky("g.late"))
    early = student_copy(report).exercises[1].checks[0]
    assert (early.id, early.status, early.visibility) == ("g.late", "failed", "after_due_date")
    assert not any([early.message, early.outcome, early.category, early.weight, early.diagnosis, early.detail])
    late = student_copy(report, due_passed=True).exercises[1].checks[0]
    assert late.message == "The sentence of g.late."
    assert late.detail is not None and SECRET in late.detail.found


def test_a_skip_does_not_tell_the_sentence_of_a_check_that_is_shown_late() -> None:
    manifest = [expected("f.late", "after_due_date"), expected("f.next"), expected("g.x")]
    skipped = CheckVerdict(id="f.next", status="skipped", reason="Not run: The sentence of f.late.")
    report = report_of(CheckVerdict(id="f.late", status="failed"), skipped, *passed("g.x"), manifest=manifest)
    assert report.exercises[0].checks[1].outcome == "Not run: The sentence of f.late."
    assert student_copy(report).exercises[0].checks[1].outcome == OUTCOMES["skipped"][0]


def test_a_visible_check_tells_everything_with_its_output_cut() -> None:
    loud = CheckVerdict(
        id="f.open", status="error", found="3 is not 4", exception_text="boo", output="o" * 600, duration_s=0.5
    )
    detail = student_copy(report_of(loud, *passed("f.shut", "g.late"))).exercises[0].checks[0].detail
    assert detail is not None
    assert (detail.found, detail.exception_text, detail.duration_s) == ("3 is not 4", "boo", 0.5)
    assert len(detail.output) == 500 and detail.output.endswith("o\u2026")


def test_the_students_copy_has_no_seed_and_no_duration() -> None:
    text = to_json(student_copy(report_of(*passed("f.open", "f.shut", "g.late")))).decode()
    assert "cafe" not in text and '"seed"' not in text and "1.23" not in text


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("ValueError", "ValueError"),
        ("torch.OutOfMemoryError", "OutOfMemoryError"),
        ("MyError", "MyError"),
        ("f.<locals>.MyError", "MyError"),
        ("x_0_73105857", None),
        ("NotInTheFile", None),
        ("Value Error", None),
        ("", None),
    ],
)
def test_a_visible_checks_exception_type_is_shown_if_it_is_built_in_or_in_the_file(
    told: str, shown: str | None
) -> None:
    verdict = CheckVerdict(id="f.open", status="error", exception_type=told)
    check = report_of(verdict, *passed("f.shut", "g.late")).exercises[0].checks[0]
    assert check.exception == shown


def test_a_hidden_checks_exception_type_is_shown_only_if_it_is_built_in() -> None:
    own = CheckVerdict(id="f.shut", status="error", exception_type="MyError")
    assert report_of(own, *passed("f.open", "g.late")).exercises[0].checks[1].exception is None
    known = CheckVerdict(id="f.shut", status="error", exception_type="ValueError")
    assert report_of(known, *passed("f.open", "g.late")).exercises[0].checks[1].exception == "ValueError"


def test_among_thousands_of_lines_a_hidden_check_names_none() -> None:
    verdict = CheckVerdict(id="f.shut", status="error", line=9, line_text="    raise MyError(x)")
    long = source_of(CODE + "\n" * 2000)
    assert report_of(verdict, source=long).exercises[0].checks[1].line is None
    shown = msgspec.structs.replace(verdict, id="f.open")
    assert report_of(shown, source=long).exercises[0].checks[0].line is not None


def test_a_fixed_advice_is_read_of_a_hidden_check_too() -> None:
    verdict = CheckVerdict(id="f.shut", status="failed", advice="Return a tensor.", advice_ko="텐서를 반환하세요.")
    assert student_copy(report_of(verdict)).exercises[0].checks[1].outcome == "Return a tensor."


def test_the_built_in_exceptions_are_known() -> None:
    assert {"ValueError", "KeyboardInterrupt", "RecursionError"} <= BUILT_IN
    assert "print" not in BUILT_IN


@pytest.mark.parametrize(
    ("line", "text", "shown"),
    [
        (9, "    raise MyError(x)", (9, "raise MyError(x)")),
        (9, "", (9, "raise MyError(x)")),
        (1, "raise MyError(x)", (None, "raise MyError(x)")),
        (9, f"x = {SECRET}", None),
        (99, "", None),
        (0, "", None),
        (2, "", None),
        (None, "import torch", (None, "import torch")),
    ],
)
def test_a_line_is_shown_only_as_the_submission_has_it(
    line: int | None, text: str, shown: tuple[int | None, str] | None
) -> None:
    verdict = CheckVerdict(id="f.shut", status="error", line=line, line_text=text)
    found = report_of(verdict, *passed("f.open", "g.late")).exercises[0].checks[1].line
    assert (None if found is None else (found.number, found.text)) == shown


def test_a_line_of_a_notebook_is_looked_up_in_its_cell() -> None:
    source = Source([Cell(1, "a = 1"), Cell(2, "b = 2\nc = 3")], "ipynb", "f.ipynb", "ab" * 32, {})
    verdict = CheckVerdict(id="f.shut", status="error", cell=2, line=2, line_text="c = 3")
    found = report_of(verdict, *passed("f.open", "g.late"), source=source).exercises[0].checks[1].line
    assert found is not None and (found.cell, found.number, found.text) == (2, 2, "c = 3")


def test_a_submission_with_a_problem_has_a_report_of_zero() -> None:
    report = report_of(source=Source(problem="The file is saved as UTF-16."))
    assert (report.score, report.max_score, report.problem) == (0, Decimal("6.5"), "The file is saved as UTF-16.")
    assert [(each.status, each.checks) for each in report.exercises] == [("ungraded", []), ("ungraded", [])]
    assert report.submission.graded is None
    assert student_copy(report).problem == report.problem


def test_a_run_without_verdicts_is_a_problem() -> None:
    report = report_of()
    assert report.problem is not None and "nothing was graded" in report.problem
    assert {check.status for each in report.exercises for check in each.checks} == {"crash"}


def test_a_run_that_ended_early_keeps_its_verdicts_and_says_so() -> None:
    report = report_of(*passed("f.shut"))
    assert (report.score, report.problem) == (3, None)
    assert "ended early" in report.notes[-1]


def test_verdicts_that_nobody_asked_for_are_a_problem() -> None:
    report = report_of(*passed("f.open", "f.shut", "g.late", "g.late"))
    assert report.score == 0
    assert report.problem is not None and "none of them counts" in report.problem


def test_a_check_of_no_exercise_and_an_exercise_without_checks_are_the_courses_fault() -> None:
    with pytest.raises(CourseError, match="for h, which the assignment does not have"):
        report_of(manifest=[*MANIFEST, expected("h.x")])
    with pytest.raises(CourseError, match="No check was found for g"):
        report_of(manifest=MANIFEST[:2])


def test_the_language_decides_the_sentences() -> None:
    korean = msgspec.structs.replace(RUN, language="ko")
    report = report_of(leaky("f.shut"), *passed("f.open", "g.late"), run=korean)
    check = report.exercises[0].checks[1]
    assert check.message == "f.shut의 문장."
    assert check.outcome == OUTCOMES["failed"][1]
    assert check.diagnosis is not None and check.diagnosis.hint == "힌트."
    assert check.detail.found == f"기대값 {SECRET}"


def test_every_status_has_a_sentence_in_both_languages() -> None:
    from typing import get_args

    assert set(OUTCOMES) == set(get_args(Status))
    for status, sentences in OUTCOMES.items():
        assert all(bool(sentence) == (status != "passed") for sentence in sentences)


def test_a_failed_policy_check_says_what_the_exercise_asks() -> None:
    manifest = [expected("f.policy", category="policy"), expected("g.x")]
    report = report_of(CheckVerdict(id="f.policy", status="forbidden"), *passed("g.x"), manifest=manifest)
    assert "write it yourself" in report.exercises[0].checks[0].outcome


def test_hostile_words_are_harmless_everywhere() -> None:
    bad = "a\x1b[31m\u202eb\x00\ud800\u200b"
    source = msgspec.structs.replace(source_of(f"x = 1  # {bad[:-3]}\n"), notes=(bad,))
    verdict = CheckVerdict(
        id="f.open",
        status="error",
        found=bad,
        reason=bad,
        exception_type=bad,
        exception_text=bad,
        output=bad,
        line=1,
        line_text="",
    )
    outcome = Outcome(verdicts=[verdict, *passed("f.shut", "g.late")], notes=[bad], started="now", duration_s=0)
    report = report_of(source=source, outcome=outcome)
    for text in (to_json(report).decode(), to_json(student_copy(report)).decode()):
        whole = json.dumps(json.loads(text), ensure_ascii=False)
        assert not set("\x1b\u202e\x00\u200b") & set(whole)
        assert "\\\\x1b[31m\\\\u202eb" in whole


def test_addresses_are_left_out_so_that_two_runs_say_the_same() -> None:
    texts = [f"<object f at 0x7f{number:010x}> and 0xff" for number in (1, 2)]
    reports = [
        report_of(
            CheckVerdict(id="f.open", status="error", found=text, exception_text=text, output=text),
            *passed("f.shut", "g.late"),
        )
        for text in texts
    ]
    assert to_json(reports[0]) == to_json(reports[1])
    assert reports[0].exercises[0].checks[0].output == "<object f at 0x...> and 0xff"


def test_long_words_are_cut() -> None:
    huge = "x" * 1_000_000
    verdict = CheckVerdict(
        id="f.open", status="error", found=huge, exception_text=huge, exception_type=huge, output=huge
    )
    outcome = Outcome(
        verdicts=[verdict, *passed("f.shut", "g.late")],
        notes=[f"{number} {huge[:10_000]}" for number in range(100)],
        started="now",
        duration_s=0,
    )
    report = report_of(outcome=outcome)
    assert len(to_json(report)) < 200_000
    assert len(report.notes) == 41
    assert len(to_json(student_copy(report))) < 60_000


def test_everything_that_acts_is_shown_as_its_number() -> None:
    """Code points that a later Unicode may give a meaning are left open."""
    acting = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    for code in range(sys.maxunicode + 1):
        letter = chr(code)
        category = unicodedata.category(letter)
        changed = sanitise(letter) != letter
        if (category in acting and letter not in "\n\t") or code in (0xFFFE, 0xFFFF):
            assert changed, f"U+{code:04X} acts"
        elif category not in ("Cn", "Co"):
            assert not changed, f"U+{code:04X} is harmless"


def test_sanitised_text_keeps_its_lines_and_its_limit() -> None:
    assert sanitise("a\r\nb\rc\td") == "a\nb\nc\td"
    assert sanitise("abcdef", 4) == "abc\u2026"
    assert sanitise("abcd", 4) == "abcd"
    assert sanitise("\r\n" * 10, 10) == "\n" * 10
    assert len(sanitise("\x1b" * 1000, 10)) == 10
    assert one_line(" a\n\n b\t") == "a b"
    assert name_shown("a\nb\t\x1b") == "'a\\nb\\t\\x1b'"


def test_a_verdict_travels_as_one_line() -> None:
    verdict = leaky("f.open")
    line = verdict_line(verdict)
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    assert read_verdict(line) == verdict
    assert read_verdict(verdict_line(CheckVerdict(id="a", status="error", output="\ud800\n"))).output == "\\ud800\n"


@pytest.mark.parametrize("line", [b"", b"{}", b'{"id":"a","status":"won"}', b'{"id":"a","status":"passed","x":1}'])
def test_a_line_that_is_no_verdict_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        read_verdict(line)


@pytest.mark.parametrize("name", list(PUBLISHED))
def test_the_published_schema_is_in_step(name: str) -> None:
    assert (DOCS / name).read_bytes() == schema_text(name), (
        f"docs/{name} is out of step: python -m grader.results.schema"
    )


@pytest.mark.parametrize("name", list(PUBLISHED))
def test_the_published_schema_is_strict_and_says_what_every_field_is(name: str) -> None:
    schema = json.loads(schema_text(name))
    jsonschema.Draft202012Validator.check_schema(schema)
    parts = [schema, *schema["$defs"].values()]
    for part in parts:
        assert part["additionalProperties"] is False
        assert part["required"] == list(part["properties"])
        assert part["description"].endswith(".")
    for part in parts:
        for field, value in part["properties"].items():
            assert value["description"].endswith("."), (part["title"], field)
    assert not re.search(r'"format":\s*"decimal"', schema_text(name).decode())


def validator(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads((DOCS / name).read_bytes()))


def various_reports() -> list[Report]:
    return [
        report_of(leaky("f.open"), leaky("f.shut", "error"), leaky("g.late", "timeout")),
        report_of(*passed("f.open", "f.shut", "g.late")),
        report_of(source=Source(problem="It is a folder.")),
        report_of(),
        report_of(CheckVerdict(id="f.open", status="error", line=9, exception_type="MyError")),
    ]


def test_real_reports_validate() -> None:
    for report in various_reports():
        validator("report.schema.json").validate(json.loads(to_json(report)))
        for due_passed in (False, True):
            copy = to_json(student_copy(report, due_passed=due_passed))
            validator("student-report.schema.json").validate(json.loads(copy))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text.update(extra=1),
        lambda text: text.pop("isolation"),
        lambda text: text.update(score="6.5"),
        lambda text: text.update(score=-1),
        lambda text: text["exercises"][0]["checks"][0].update(status="won"),
        lambda text: text["submission"]["sha256"].update({"f.py": "zz"}),
        lambda text: text.update(schema_version="2.0"),
    ],
)
def test_spoilt_reports_do_not_validate(spoil: Any) -> None:
    text = json.loads(to_json(report_of(*passed("f.open", "f.shut", "g.late"))))
    spoil(text)
    with pytest.raises(jsonschema.ValidationError):
        validator("report.schema.json").validate(text)


def test_the_instructors_copy_is_no_students_copy() -> None:
    with pytest.raises(jsonschema.ValidationError):
        validator("student-report.schema.json").validate(json.loads(to_json(various_reports()[0])))
    assert not isinstance(various_reports()[0], StudentReport)


def test_a_summary_counts_what_was_graded() -> None:
    rows = [row_of(report) for report in various_reports()[:3]]
    rows = [msgspec.structs.replace(row, student=f"s{number}") for number, row in enumerate(rows)]
    summary = summarise(
        rows,
        ["s0", "s1", "s2", "s3"],
        ["A warning."],
        kit_version="0.1.0",
        started="2026-03-01T10:00:00Z",
        duration_s=2.0,
        device="cpu",
        isolation={"tier": "namespaces"},
    )
    validator("summary.schema.json").validate(json.loads(to_json(summary)))
    assert (summary.students, summary.submissions, summary.graded) == (4, 3, 2)
    (assignment,) = summary.assignments
    assert (assignment.mean, assignment.median, assignment.max_score) == (
        Decimal("3.25"),
        Decimal("3.25"),
        Decimal("6.5"),
    )
    assert assignment.checks == {"error": 1, "failed": 1, "passed": 3, "timeout": 1}
    assert assignment.exercises[0].statuses == {"failed": 1, "passed": 1}
    assert [(each.student, each.problem) for each in summary.not_graded] == [("s2", "It is a folder.")]


def test_the_summary_of_nothing_graded_has_no_mean() -> None:
    row = row_of(report_of(source=Source(problem="It is a folder.")))
    facts: dict[str, Any] = {"kit_version": "0", "started": "now", "duration_s": 0, "device": "cpu", "isolation": {}}
    (assignment,) = summarise([row], ["ann"], [], **facts).assignments
    assert (assignment.mean, assignment.median, assignment.exercises[0].mean) == (None, None, None)


def test_the_documentation_names_every_field() -> None:
    text = (DOCS / "reports.md").read_text(encoding="utf-8")
    for name in ("report.schema.json", "student-report.schema.json"):
        schema = json.loads(schema_text(name))
        for part in [schema, *schema["$defs"].values()]:
            if part["title"] not in ("Limits", "SourceLine"):
                for field in part["properties"]:
                    assert re.search(rf"`(\w+\.)?{field}(\.\w+)?`", text), f"docs/reports.md does not explain {field}"
