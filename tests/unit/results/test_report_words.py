"""The words of a report: in its language, harmless whatever a submission says, and of bounded length."""

import json
import sys
import unicodedata

import msgspec

from grader.results import sentences
from grader.results.assemble import Outcome
from grader.results.redact import student_copy
from grader.results.report import to_json
from grader.results.verdict import CheckVerdict, Status
from grader.text import name_shown, one_line, sanitise

from ...support.reports.report_parts import RUN, SECRET, leaky, passed, report_of, source_of


def test_the_language_decides_the_sentences() -> None:
    korean = msgspec.structs.replace(RUN, language="ko")
    report = report_of(leaky("f.shut"), *passed("f.open", "g.late"), run=korean)
    check = report.exercises[0].checks[1]
    assert check.message == "f.shut의 문장."
    assert check.outcome == sentences.outcome(CheckVerdict(id="f.shut", status="failed"), "ko")
    assert check.diagnosis is not None and check.diagnosis.hint == "힌트."
    assert check.detail.found == f"기대값 {SECRET}"


def test_every_status_has_a_sentence_in_both_languages() -> None:
    from typing import get_args

    for status in get_args(Status):
        verdict = CheckVerdict(id="f.shut", status=status)
        english, korean = sentences.outcome(verdict, "en"), sentences.outcome(verdict, "ko")
        assert bool(english) == (english != korean) == (status != "passed")


def test_a_forbidden_call_says_what_the_exercise_asks() -> None:
    called = CheckVerdict(id="f.open", status="forbidden", is_forbidden_call=True)
    report = report_of(called, *passed("f.shut", "g.late"))
    assert report.exercises[0].checks[0].outcome == sentences.BY_HAND


def test_hostile_words_are_harmless_everywhere() -> None:
    bad = "a\x1b[31m\u202eb\x00\ud800\u200b"
    source = msgspec.structs.replace(source_of(f"x = 1  # {bad[:-3]}\n"), notes=(bad,))
    verdict = CheckVerdict(id="f.open", status="error", found=bad, reason=bad, exception_type=bad, exception_text=bad,
                           output=bad, line=1, line_text="")  # fmt: skip
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
