"""Every format of one submission: valid, harmless, and nothing in it that the student's copy does not say."""

import xml.etree.ElementTree as ET
from decimal import Decimal

import pytest
from msgspec.structs import replace

from grader.errors import UsageError
from grader.lms.formats import find_format
from grader.results.assemble import PlannedExercise
from grader.results.verdict import ManifestCheck, Status

from ...support import lms_reports
from ...support.lms_reports import CANARY, FULL, MANIFEST, late_hidden, report_of
from .lms_documents import ONE, STATUSES, hostile, made, written


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
    assert b"not UTF-8" in text


@pytest.mark.parametrize("name", ONE)
def test_nothing_of_a_hidden_check_is_in_any_format(name: str) -> None:
    for status in STATUSES[1:]:
        report = report_of("ann", dict.fromkeys(late_hidden("hidden"), status))
        assert CANARY.encode() not in written(name, report)
        assert CANARY.encode() not in written(name, report, show_total=True)


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


@pytest.mark.parametrize(("name", "most"), [("prairielearn", 1_000_000)])
def test_a_large_report_is_cut_to_what_the_platform_takes(
    name: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = [PlannedExercise(id=f"e{n}", title=f"Exercise {n}", points=Decimal(1)) for n in range(60)]
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
