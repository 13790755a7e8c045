"""A class page: what was missed, the map of students by exercises, and how many passed each check."""

from collections.abc import Sequence
from decimal import Decimal

import pytest
from msgspec.structs import replace

from grader.pages.class_page import class_page
from grader.pages.figures import ClassFigures, bins
from grader.records.journal_lines import line_of
from grader.results.grades import Grade
from grader.results.report import Report
from grader.results.summary import Lowered, Summary
from grader.results.verdict import Status

from ...support.classes.class_results import summary_of
from ...support.reports.lms_reports import ASSIGNMENT, CANARY, grade_of, report_of
from ...support.reports.page_structure import Document, assert_sound
from .test_pages_words import NASTY

SHARES, SHIFT = ("shares.open", "shares.shut"), ("Shift.open", "Shift.late", "Shift.shut")
MANY, MOST_BYTES = 3000, 1_500_000


def student(name: str, *wrong: str, status: Status = "failed", problem: str | None = None) -> Report:
    return report_of(name, dict.fromkeys(wrong, status), problem=problem)


def nothing_of(name: str, by_hand: Decimal | None = None) -> Grade:
    """Return the grade of somebody who handed nothing in."""
    return Grade(student=name, name="", ids={}, assignment=ASSIGNMENT, score=None, by_hand=by_hand, max=Decimal(5),
                 status="missing")  # fmt: skip


def figures_of(*reports: Report) -> ClassFigures:
    figures = ClassFigures(ASSIGNMENT)
    for report in reports:
        figures.add(report, grade_of(report))
    return figures


def page_of(*reports: Report, summary: Summary | None = None, missing: Sequence[Grade] = ()) -> bytes:
    return class_page(figures_of(*reports), [*map(grade_of, reports), *missing], summary)


def summary_of_run(reports: list[Report], **changes) -> Summary:
    made = summary_of(
        [line_of(report).row() for report in reports], ["absent_one", *(report.student for report in reports)]
    )
    return replace(made, started="2026-03-01T10:00:00Z", duration_s=7, **changes)


CLASS = [
    student("ann"),
    student("ben", *SHARES),
    student("cho", "shares.shut", *SHIFT),
    student("dee", *SHARES, *SHIFT, status="missing"),
    student("eva", "Shift.open"),
    student("fox", problem="It is a folder."),
]


def test_a_class_page_is_one_shut_file_for_every_reader():
    for reports in (CLASS, CLASS[-1:], CLASS[:1]):
        page = page_of(*reports, summary=summary_of_run(reports))
        assert_sound(page, scripted=True)
        assert all(f'id="{id}"' in page.decode() for id in ("named", "who", "shown"))


def test_the_page_says_first_what_most_students_missed_and_by_which_mistake():
    text = Document(page_of(*CLASS)).words
    assert "5 of 6 submissions graded." in text
    first = text.partition("What the class missed")[2].partition("Exercises")[0]
    worst = "Shares of a whole: 3 of 5 did not pass Commonest mistake (3): Divide by the sum."
    assert first.index(worst) < first.index("Shift <by>")


def test_who_is_not_graded_absent_or_untouched_is_named():
    missing = [nothing_of("absent_one"), nothing_of("judged_one", Decimal("2.5"))]
    text = Document(page_of(*CLASS, summary=summary_of_run(CLASS), missing=missing)).words
    assert "Why fox It is a folder." in text
    assert "Handed in nothing (1) absent_one" in text
    assert "Points set by hand (1) judged_one: Points by hand: 2.5 of 5" in text
    assert "Handed in without any answers (1) dee" in text
    assert "Run of 2026-03-01 10:00:00 (UTC), 7 s, on cpu." in text


def test_points_by_hand_count_for_whoever_has_no_graded_report_who_stays_ungraded():
    grades = [grade_of(CLASS[0]), replace(grade_of(CLASS[-1]), by_hand=Decimal("2.5"))]
    page = class_page(figures_of(CLASS[0], CLASS[-1]), [*grades, nothing_of("absent_one", Decimal(1))], None)
    text = Document(page).words
    assert "1 of 2 submissions graded. Mean 3, median 2.5 of" in text and "Why fox It is a folder." in text
    assert '<th scope="row"><bdi>absent_one</bdi><td>1*<td><td>' in page.decode()


def test_a_lowered_score_is_said_and_one_that_became_none():
    lower = Lowered(student="ben", assignment=ASSIGNMENT, before=Decimal(5), after=Decimal("3.5"), exercises=[],
                    resubmitted=False)  # fmt: skip
    lost = replace(lower, student="fox", after=None)
    elsewhere = replace(lower, student="zed", assignment="09_other")
    text = Document(page_of(*CLASS, summary=summary_of_run(CLASS, lowered=[lower, lost, elsewhere]))).text
    assert "ben: 5 to 3.5" in text and "fox: 5 to -" in text
    assert "zed" not in text


def test_grades_without_isolation_are_called_that():
    report = report_of("ann", isolation={"tier": "none"})
    assert "do not use these grades" in page_of(report).decode()


def test_every_student_has_a_line_with_points_and_signs():
    page = page_of(*CLASS).decode()
    assert (
        '<a href="../../for-students/ann/01_tiny.html"><bdi>ann</bdi></a><td>5.5<td class=p>2✓<td class=p>3.5✓' in page
    )
    assert "<bdi>dee</bdi></a><td>0<td class=m>0–<td class=m>0–" in page
    assert "<bdi>fox</bdi></a><td>?<td><td>" in page


def test_of_each_check_it_is_counted_who_passed():
    counted = {figure.check.id: (figure.passed, figure.graded) for figure in figures_of(*CLASS).checks.values()}
    assert counted["shares.open"] == (3, 5) and counted["Shift.open"] == (2, 5)


def test_a_mistake_is_counted_once_a_student_and_a_wrong_answer_without_one_is_counted_too():
    named = figures_of(*CLASS).exercises["shares"].mistakes[0]
    assert (named.students, named.hint) == (["ben", "cho", "dee"], "Divide by the sum.")


def test_the_page_of_the_class_does_not_hold_what_a_check_found():
    gil = student("gil", *SHARES, *SHIFT, status="error")
    text = page_of(*CLASS, gil, summary=summary_of_run(CLASS)).decode().replace(f"mistake_{CANARY}", "")
    assert CANARY not in text
    assert "shown number" not in text


def test_the_distribution_counts_every_graded_student_once():
    distribution = bins([Decimal(score) for score in (0, 0, "1.5", "4.9", "5.5")], Decimal("5.5"))
    assert sum(count for _, _, count in distribution) == 5
    assert distribution[-1] == (Decimal("4.95"), Decimal("5.5"), 1)


def test_a_student_is_counted_once_by_what_a_later_check_leaves_of_several_mistakes():
    first, *others = CLASS[1].exercises
    checks = [
        replace(check, diagnosis=replace(check.diagnosis, mistakes=mistakes))
        for check, mistakes in zip(first.checks, (["a", "b"], ["a"]), strict=True)
    ]
    wrong = replace(CLASS[1], exercises=[replace(first, checks=checks), *others])
    assert [mistake.name for mistake in figures_of(wrong).exercises[first.id].mistakes] == ["a"]


@pytest.mark.parametrize("nasty", NASTY)
def test_hostile_words_do_nothing_on_a_class_page(nasty):
    ungraded = replace(CLASS[-1], student=nasty.replace("/", "") or "x", problem=nasty)
    first, *others = CLASS[1].exercises
    diagnosis = replace(first.checks[0].diagnosis, hint=nasty, mistakes=[nasty])
    checks = [replace(check, message=nasty, diagnosis=diagnosis) for check in first.checks]
    wrong = replace(CLASS[1], exercises=[replace(first, title=nasty, checks=checks), *others])
    summary = replace(summary_of_run(CLASS), started=nasty)
    missing = [nothing_of(nasty), nothing_of(nasty, Decimal(1))]
    assert_sound(page_of(ungraded, wrong, summary=summary, missing=missing), scripted=True)


def test_three_thousand_students_make_a_small_page():
    page = page_of(*(replace(CLASS[number % len(CLASS)], student=f"student{number}") for number in range(MANY)))
    assert len(page) < MOST_BYTES
    assert page.count(b'<tr><th scope="row"><a ') == MANY
