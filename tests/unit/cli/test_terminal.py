"""What `grader check` and a notebook of nbgrader show in a terminal of any width, and as plain text."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from grader.results.redact import student_copy
from grader.results.report import SourceLine
from grader.results.student_report import StudentCheck, StudentDetail, StudentDiagnosis
from grader.results.verdict import Values
from grader.student_check.render import Part, RunOverview, report_overview
from grader.student_check.terminal import FAILURE_LINES, plain_text, show

from ...support.reports.lms_reports import CANARY, report_of

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
MATRIX = Values(
    shape=[3, 3], place=[], yours=["0.125 2 nan", "0 -inf 1", "1 1 1"], expected=["0.25 2 3", "0 0 1", "1 1 1"]
)
VECTOR = Values(shape=[4], place=[], yours=["1 2 3 nan"], expected=["2 2 1 0"])
WRONG = "The answer is that of the note, 여러 행에서."


def failed(id: str = "f.a", finding: str = "1 of 9 entries differs.", hint: str = "", printed: str = "", **more):
    detail = StudentDetail(
        found=finding, exception_text="", output=printed, duration_s=0.1, values=more.pop("values", None)
    )
    diagnosis = StudentDiagnosis(hint=hint) if hint else None
    given = {"visibility": "visible", "status": "failed", "message": WRONG, "detail": detail, "diagnosis": diagnosis}
    return StudentCheck(id=id, **given, **more)


def overview(*checks: StudentCheck, **changes) -> RunOverview:
    """Return a run of one exercise that is not complete."""
    part = Part("f", "The f", False, "0 of 2", checks)
    given = {"heading": "01_x", "file": "x.py", "notes": (), "problem": "", "parts": (part,), "closing": "0 / 2."}
    return RunOverview(**{**given, **changes})


def coloured(shown: RunOverview, width: int, **settings) -> str:
    console = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", width=width, **settings)
    show(shown, "en", console)
    return console.file.getvalue()


ANYTHING = st.text(st.characters() | st.sampled_from("\x1b\x07\r\n\t\u202e\u200b한글é"), max_size=300)
LINES = st.none() | st.builds(SourceLine, number=st.none() | st.just(14), cell=st.just(None), text=ANYTHING)


def failures(hints: st.SearchStrategy[str], values: Values) -> st.SearchStrategy[StudentCheck]:
    """Return failures whose other words are anything, with these values or none."""
    given = st.none() | st.just(values)
    return st.builds(failed, finding=ANYTHING, hint=hints, printed=ANYTHING, values=given, line=LINES)


@given(failures(st.text("ab 한", max_size=80), VECTOR), st.integers(60, 130))
def test_the_first_failure_takes_eight_rows_at_most_and_the_next_one(first, width):
    shown = overview(first, failed("f.b", hint="Another."))
    on_screen = COLOUR.sub("", coloured(shown, width))
    for lines in (plain_text(shown, "en").split("\n"), [line.rstrip() for line in on_screen.split("\n")][:-1]):
        starts = [number for number, line in enumerate(lines) if line == f"  x {WRONG}"]
        assert len(starts) == 2
        assert starts[1] - starts[0] <= FAILURE_LINES
        assert lines[starts[1] + 1 :] == ["", "0 / 2."]


@given(failures(ANYTHING, MATRIX), ANYTHING, st.integers(20, 130))
def test_whatever_a_student_writes_nothing_acts_and_no_line_is_wider_than_the_terminal(first, words, width):
    shown = overview(first, heading=words, file=words, notes=(words,))
    for text in (plain_text(shown, "en"), COLOUR.sub("", coloured(shown, width))):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\ud800-\udfff]", text)
    assert max(map(cell_len, COLOUR.sub("", coloured(shown, width)).split("\n"))) <= width


def test_a_very_long_line_is_cut():
    assert len(plain_text(overview(failed(finding="x" * 10_000_000, printed="y" * 10_000_000)), "en")) < 2500


def test_a_failure_says_what_came_what_to_try_and_where():
    line = SourceLine(number=14, cell=None, text="return x / x.max()")
    first = failed(finding="3 of 9 entries differ.", hint="Divide by the sum.", values=MATRIX, line=line)
    told = f"""\
01_x (x.py)

f  not yet  (0 of 2)
  x {WRONG}
      3 of 9 entries differ.
      Index  | Yours | Expected
      [0, 2] | nan   | 3
      [1, 1] | -inf  | 0
      [0, 0] | 0.125 | 0.25
      hint: Divide by the sum.
      x.py:14:  return x / x.max()

0 / 2."""
    assert plain_text(overview(first), "en") == told


def test_printed_lines_fill_what_is_left_of_the_eight():
    printed = "\n".join(f"line {number}" for number in range(20))
    shown = plain_text(overview(failed(finding="It raised.", printed=printed)), "en")
    assert "      your code printed: line 0\n        line 1\n" in shown
    assert "        line 5 ...\n" in shown


def test_what_was_printed_has_two_rows_beside_the_entries_that_differ():
    finding, printed = "3 of 9 entries differ.", "a\nb\nc"
    shown = plain_text(overview(failed(finding=finding, hint="Divide.", values=MATRIX, printed=printed)), "en")
    assert "[1, 1] | -inf" in shown
    assert "your code printed: a\n        b ...\n" in shown


def test_on_a_narrow_terminal_a_hint_goes_on_below_and_what_a_student_wrote_is_cut():
    long, hint = "x" * 300, "Divide by the sum, not by the largest entry, and only once."
    first = failed(finding=long, hint=hint, printed=long, line=SourceLine(number=14, cell=None, text=long))
    rows = COLOUR.sub("", coloured(overview(first), 60)).split("\n")
    assert [row.strip() for row in rows[4:11]] == [
        *["x" * 54] * 3,
        "x" * 53 + "…",
        "hint: Divide by the sum, not by the largest entry, and",
        "only once.",
        "x.py:14:  " + "x" * 43 + "…",
    ]


def test_a_matrix_out_of_a_batch_is_drawn_with_its_place():
    inner = Values(shape=[2, 2, 2], place=[1], yours=["1 2", "3 4"], expected=["1 2", "3 5"])
    assert "yours [1]   expected [1]" in COLOUR.sub("", coloured(overview(failed(values=inner)), 60))
    assert "Index" not in plain_text(overview(failed(values=inner)), "en"), "a single entry needs no table"


@pytest.mark.parametrize(("width", "side_by_side"), [(100, True), (30, False)])
def test_a_small_matrix_is_drawn_beside_the_expected_one_where_there_is_room(width, side_by_side):
    drawn = coloured(overview(failed(values=MATRIX)), width)
    assert "\x1b[30;48;2;" in drawn
    rows = [line.split() for line in COLOUR.sub("", drawn).split("\n")]
    assert (["yours", "expected"] in rows) == side_by_side
    assert (["0", "0.125", "2", "nan"] in rows) == (not side_by_side)


def test_a_run_of_several_exercises_ends_with_a_bar():
    part = Part("f", "The f", False, "0 of 2", ())
    assert "\u2501" in coloured(overview(parts=(part, part)), 40)


@pytest.mark.parametrize("values", [None, VECTOR, Values(shape=[9, 1], place=[], yours=["1"] * 9, expected=["2"] * 9)])
def test_vectors_and_larger_matrices_are_not_drawn(values):
    assert "yours" not in coloured(overview(failed(values=values)), 100)


def test_without_colours_all_is_plain_text():
    shown = overview(failed(values=MATRIX))
    assert coloured(shown, 30, no_color=True) == plain_text(shown, "en") + "\n"


def test_a_report_folds_what_is_complete_and_what_is_not_written():
    statuses = {"shares.open": "missing", "shares.shut": "missing"}
    told = """\
01_tiny, ann (tiny.py)

shares  not yet  (0 of 2 points)
  x expected shown number 7
      hint: Divide by the sum.
Shift  ok  (3.5 of 3.5 points)

1 of 2 exercises done. 3.5 of 5.5 points."""
    assert plain_text(report_overview(student_copy(report_of("ann", statuses))), "en") == told


def test_of_hidden_checks_a_report_shows_what_they_ask_and_nothing_of_their_inputs():
    statuses = {"shares.shut": "error", "Shift.shut": "failed", "Shift.late": "failed"}
    copy = student_copy(report_of("ann", statuses, language="ko"))
    shown = plain_text(report_overview(copy), "ko")
    assert "  x shares.shut의 문장. (숨은 검사)\n      코드에서 예외가 났습니다. (ValueError)\n" in shown
    assert "문제 2개 중 0개를 마쳤습니다." in shown
    assert CANARY not in shown


def test_a_submission_that_was_not_graded_says_why_and_nothing_else():
    copy = student_copy(report_of("ann", problem="It is a folder."))
    assert plain_text(report_overview(copy), "en") == (
        "01_tiny, ann (tiny.py)\n  This submission could not be graded: It is a folder."
    )
