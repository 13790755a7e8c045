"""What a student reads of a check, and what of a hidden one stays with the instructor."""

import json

import msgspec
import pytest

from grader.inside.protocol.messages import Cell
from grader.results.redact import student_copy
from grader.results.report import to_json
from grader.results.sentences import OUTCOMES
from grader.results.verdict import CheckVerdict
from grader.source_cells import Source

from ...support.reports.report_parts import CODE, SECRET, leaky, passed, report_of, source_of


def test_the_students_copy_of_a_hidden_check_holds_only_what_it_may() -> None:
    copy = student_copy(report_of(*passed("f.open", "g.late"), leaky("f.shut", "error")))
    check = copy.exercises[0].checks[1]
    assert json.loads(msgspec.json.encode(check)) == {
        "id": "f.shut", "visibility": "hidden", "status": "error", "category": "value", "weight": 3,
        "message": "The sentence of f.shut.", "outcome": OUTCOMES["error"], "diagnosis": {"hint": "The hint."},
        "exception": None, "line": None, "detail": None,
    }  # fmt: skip


def test_no_secret_of_a_hidden_check_reaches_the_student(subtests: pytest.Subtests) -> None:
    for status in ["passed", *OUTCOMES]:
        for id in ["f.shut", "g.late"]:
            with subtests.test(status=status, id=id):
                others = passed(*({"f.open", "f.shut", "g.late"} - {id}))
                report = report_of(*others, leaky(id, status if status != "skipped" else "failed"))
                text = to_json(student_copy(report)).decode()
                assert SECRET in to_json(report).decode()
                assert SECRET not in text and SECRET.replace(".", "_") not in text and "73105857" not in text


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


def test_a_visible_checks_exception_type_is_shown_if_it_is_built_in_or_in_the_file(subtests: pytest.Subtests) -> None:
    for told, shown in [
        ("ValueError", "ValueError"), ("torch.OutOfMemoryError", "OutOfMemoryError"), ("MyError", "MyError"),
        ("f.<locals>.MyError", "MyError"), ("x_0_73105857", None), ("NotInTheFile", None), ("Value Error", None),
        ("", None),
    ]:  # fmt: skip
        with subtests.test(told=told, shown=shown):
            verdict = CheckVerdict(id="f.open", status="error", exception_type=told)
            check = report_of(verdict, *passed("f.shut", "g.late")).exercises[0].checks[0]
            assert check.exception == shown


def test_a_hidden_checks_exception_type_is_shown_only_if_it_is_built_in() -> None:
    custom = CheckVerdict(id="f.shut", status="error", exception_type="MyError")
    assert report_of(custom, *passed("f.open", "g.late")).exercises[0].checks[1].exception is None
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


def test_a_line_is_shown_only_as_the_submission_has_it(subtests: pytest.Subtests) -> None:
    for line, text, shown in [
        (9, "    raise MyError(x)", (9, "    raise MyError(x)")),
        (9, "", (9, "    raise MyError(x)")),
        (1, "raise MyError(x)", (None, "raise MyError(x)")),
        (9, f"x = {SECRET}", None),
        (99, "", None),
        (0, "", None),
        (2, "", None),
        (None, "import torch", (None, "import torch")),
    ]:
        with subtests.test(line=line, text=text, shown=shown):
            verdict = CheckVerdict(id="f.shut", status="error", line=line, line_text=text)
            place = report_of(verdict, *passed("f.open", "g.late")).exercises[0].checks[1].line
            assert (None if place is None else (place.number, place.text)) == shown


def test_a_line_of_a_notebook_is_looked_up_in_its_cell() -> None:
    source = Source([Cell(1, "a = 1"), Cell(2, "b = 2\nc = 3")], "ipynb", "f.ipynb", "ab" * 32, {})
    verdict = CheckVerdict(id="f.shut", status="error", cell=2, line=2, line_text="c = 3")
    place = report_of(verdict, *passed("f.open", "g.late"), source=source).exercises[0].checks[1].line
    assert place is not None and (place.cell, place.number, place.text) == (2, 2, "c = 3")
