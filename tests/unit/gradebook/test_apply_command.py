"""`grader apply`: what counts is worked out without grading, written beside the reports, and changes none of them."""

import csv
import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import jsonschema
import pytest

from grader.gradebook.current import NAME
from grader.gradebook.files import SHEET
from grader.gradebook.given import NAME as GIVEN
from grader.submissions.submission import Submission

from ...support.command_line import run_here
from ...support.courses import write_files
from ...support.lms_reports import report_of
from ...support.report_parts import DOCS
from .graded_classes import POLICY, TINY, applied, apply, course_with, files, hand_in_again, platform_times, refused


def test_points_count_by_the_rules_and_no_report_changes(course):
    before = files(course / "reports")
    done = apply(course, "--times", course / "times.csv")
    assert done.returncode == 0
    assert [line.split() for line in done.stdout.splitlines()[2:6]] == [
        ["ann", "4.95", "(5.5)", "4.95"],
        ["ben", "4.8", "4.8"],
        ["cleo", "not", "graded", "?"],
        ["dora", "-", "-"],
    ]
    assert "Submissions whose time is not known" not in done.stdout
    after = files(course / "reports")
    assert before.items() <= after.items()
    assert {Path(each).name for each in after.keys() - before.keys()} == {NAME, SHEET, GIVEN}


def test_applied_twice_every_byte_is_the_same_and_times_are_remembered(course):
    apply(course, "--times", course / "times.csv")
    before = files(course / "reports")
    for more in ((), ("--times", course / "times.csv")):
        assert apply(course, *more).returncode == 0
        assert files(course / "reports") == before


def test_the_gradebook_keeps_its_schema(course):
    apply(course, "--times", course / "times.csv")
    schema = json.loads((DOCS / "gradebook.schema.json").read_bytes())
    jsonschema.Draft202012Validator(schema).validate(json.loads((course / "reports" / NAME).read_bytes()))


def test_a_table_for_a_spreadsheet_has_what_counts_the_raw_points_and_how_late_they_came(course):
    apply(course)
    assert '"5.5","5.5","","","5.5"' in (course / "reports" / SHEET).read_text()  # nobody knows whether it was late
    apply(course, "--times", course / "times.csv")
    with (course / "reports" / SHEET).open(newline="") as file:
        rows = list(csv.reader(file))
    beside = [f"{TINY} {what}" for what in ("raw", "submitted", "days late")]
    assert rows == [
        ["student", TINY, *beside, "total", "dropped"],
        ["ann", "4.95", "5.5", "2026-03-02T18:00:00+09:00", "1", "4.95", ""],
        ["ben", "4.8", "4.8", "2026-03-01T17:00:00+09:00", "0", "4.8", ""],
        ["cleo", "not graded", "", "", "", "", ""],
        ["dora", "", "", "", "", "", ""],
    ]


def test_a_table_that_cannot_be_written_leaves_no_newer_gradebook_beside_it(course):
    applied(course)
    sheet = course / "reports" / SHEET
    sheet.unlink()
    sheet.mkdir()
    refused(apply(course, "--times", course / "times.csv"))
    assert "'given.json' was changed after" in refused(run_here("export", "csv", course / "reports"))


def test_what_is_handed_in_again_is_another_attempt_with_its_own_time(course):
    applied(course, "--times", course / "times.csv")
    hand_in_again(course / "reports", "ben", "5.5", "cd" * 32)
    late = write_files(course, {"later.csv": "student,assignment,submitted\nben,01_tiny,2026-03-05 12:00\n"})
    entry = applied(course, "--times", late / "later.csv")["ben", TINY]
    assert (entry["counted"], entry["late_days"], entry["attempt"]) == (Decimal("3.3"), 4, 2)
    write_files(course, {"policy.toml": POLICY + '[attempts]\ncount = "best"\n'})
    entry = applied(course)["ben", TINY]
    assert (entry["counted"], entry["late_days"], entry["attempt"], entry["raw"]) == (
        Decimal("4.8"),
        0,
        1,
        Decimal("5.5"),
    )


def test_an_old_row_does_not_say_when_a_new_file_was_handed_in(course):
    applied(course, "--times", course / "times.csv")
    hand_in_again(course / "reports", "ben", "5.5", "cd" * 32)
    for _ in range(2):
        done = apply(course, "--times", course / "times.csv")
        assert f"not taken for the file that is there now; say when it was handed in: 'ben' ({TINY})." in done.stdout
        assert "Submissions whose time is not known count as on time (see --times): 1." in done.stdout
    at = datetime(2026, 3, 2, 10, tzinfo=UTC)
    platform_times(course, Submission("ben", TINY, submitted=at))
    assert applied(course, "--times", course / "times.csv")["ben", TINY]["late_days"] == 2


def test_assignments_without_a_due_date_are_named_where_something_could_be_late(course):
    said = f"policy.toml has no due date of these, so nothing of them is late or missing: {TINY}."
    for policy, named in (("late.percent_per_day = 10", True), ('missing = "zero"', True), ("drop_lowest = 1", False)):
        write_files(course, {"policy.toml": policy})
        assert (said in apply(course).stdout) == named
    write_files(course, {"policy.toml": POLICY})
    assert said not in apply(course).stdout


def test_an_earlier_file_that_counts_by_another_suite_is_named(course):
    write_files(course, {"policy.toml": POLICY + '[attempts]\ncount = "best"\n'})
    hand_in_again(course / "reports", "ann", "4.8", "cd" * 32)
    assert "another suite" not in apply(course).stdout
    hand_in_again(course / "reports", "ann", "4.8", "cd" * 32, suite="of later")
    hand_in_again(course / "reports", "ben", "5.5", "cd" * 32, suite="of later")
    said = apply(course).stdout
    assert f"grade it and then the newest again: 'ann' ({TINY})." in said  # of ben the newest counts


def test_a_file_that_is_graded_anew_stays_the_same_attempt(course):
    applied(course, "--times", course / "times.csv")
    hand_in_again(course / "reports", "ann", "4.8", "")
    entry = applied(course)["ann", TINY]
    assert (entry["raw"], entry["attempts"]) == (Decimal("4.8"), 1)
    assert entry["counted"] == Decimal("4.25")


def test_a_table_of_times_may_say_the_days(course):
    write_files(
        course, {"t.csv": "assignment;student;submitted;late\n01_tiny;ann;;2\n01_tiny;ben;2026-03-09 12:00;0\n"}
    )
    found = applied(course, "--times", course / "t.csv")
    assert (found["ann", TINY]["counted"], found["ben", TINY]["counted"]) == (Decimal("4.4"), Decimal("4.8"))


def test_points_set_by_hand_replace_the_graded_ones_before_lateness_and_count_alone(course):
    write_files(course, {"policy.toml": POLICY + '[attempts]\ncount = "best"\n'})
    applied(course, "--times", course / "times.csv")
    hand_in_again(course / "reports", "ann", "4.8", "cd" * 32)
    by_hand = ("override", "ann", TINY, "--by", "kim", "--output", course / "reports", "--course", course)
    done = run_here(*by_hand, "--points", 3, "--reason", "copied")
    assert done.returncode == 0, done.stderr
    late = write_files(course, {"t.csv": "student,assignment,submitted\nann,01_tiny,2026-03-02 12:00\n"}) / "t.csv"
    entry = applied(course, "--times", late)["ann", TINY]
    assert (entry["raw"], entry["counted"], entry["attempts"]) == (3, Decimal("2.45"), 1)
    assert entry["why"][0]["en"] == "Points were set by hand, so no other attempt counts."
    assert f"Points set by hand count alone, and no better attempt beside them: 'ann' ({TINY})." in apply(course).stdout
    out = course / "scores.csv"
    assert run_here("export", "csv", course / "reports", "--output", out).returncode == 1
    assert '"ann","2.45","3","2026-03-02T12:00:00+09:00","1","2.45"' in out.read_text()
    assert run_here("report", course / "reports").returncode == 0
    assert run_here(*by_hand, "--take-back", "--reason", "not copied").returncode == 0
    assert "'journal.jsonl' was changed after" in refused(
        run_here("export", "csv", course / "reports", "--output", out)
    )
    assert applied(course)["ann", TINY]["counted"] == Decimal("4.95")


HEAD = "student,assignment,submitted,late\n"
NO_CLOCK = ("2026-03-01+09:00", "2026-03-05-05:00", "2026-W09-7T21:10", "2026-03-01x21:10")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("student,assignment\n", "no column submitted"),
        ("student,assignment,submitted,why\n", "The heading 'why' is not known"),
        ("student,student,assignment,submitted\n", "The heading 'student' is there twice"),
        (HEAD + "ann,01_tiny,2026-03-01,\n", "'2026-03-01' is not a date with a time of day"),
        *((HEAD + f"ann,01_tiny,{each},\n", "is not a date with a time of day") for each in NO_CLOCK),
        (HEAD + "ann,01_tiny,2026-03-01 18:00\n", "The row has 3 cells for 4 headings"),
        (HEAD[:-6] + "\nann,01_tiny,2026-03-01 18:00,2\n", "The row has 4 cells for 3 headings"),
        (HEAD[:-5] + "\nann,01_tiny,2026-03-01 18:00,2\n", "The row has 4 cells for 3 headings"),
        (HEAD + "ann,01_tiny,3/1/2026 18:00,\n", "'3/1/2026 18:00' is not a date with a time of day. Write it as"),
        (HEAD + "ann,01_tiny,0001-01-01 00:00,\n", "is not a date"),
        (HEAD + "ann,01_tiny,,yes\n", "'yes' is not a number of days"),
        (HEAD + "ann,01_tiny,,-1\n", "'-1' is not a number of days"),
        (HEAD + ",01_tiny,2026-03-01 12:00,\n", "line 2. The row has no student"),
        (HEAD + "ann,01_tiny,,1\nann,01_tiny,,2\n", "line 3. 'ann' has two times for '01_tiny', the other in line 2"),
        (HEAD + "anne,01_tiny,,1\n", "The times name 'anne', which is not known here. Did you mean `ann`?"),
        (HEAD + "ann,01_tinny,,1\n", "The times name '01_tinny', which is not known here. Did you mean `01_tiny`?"),
    ],
)
def test_a_broken_table_of_times_is_refused_and_leaves_what_was_there(course, text, words):
    apply(course)
    before = files(course / "reports")
    write_files(course, {"times.csv": text})
    assert words in refused(apply(course, "--times", course / "times.csv"))
    assert files(course / "reports") == before


def test_a_name_is_the_same_in_whichever_form_its_hangul_is(tmp_path):
    course_with(tmp_path, [report_of("김철수")])
    name = "\u1100\u1175\u11b7\u110e\u1165\u11af\u1109\u116e"
    write_files(tmp_path, {"times.csv": f"student,assignment,submitted\n{name},01_tiny,2026-03-03 12:00\n"})
    assert applied(tmp_path, "--times", tmp_path / "times.csv")["김철수", TINY]["late_days"] == 2


def test_without_rules_there_is_nothing_to_apply(tmp_path):
    reports = course_with(tmp_path, [report_of("ann")], policy=None)
    assert "There is no policy.toml" in refused(apply(tmp_path))
    assert not (reports / NAME).exists()


def test_rules_that_were_named_once_are_not_forgotten_in_silence(course):
    rules = write_files(course, {"policy.toml": None, "mine.toml": POLICY}) / "mine.toml"
    (course / "policy.toml").unlink()
    assert apply(course, "--policy", rules).returncode == 0
    write_files(course, {"roster.csv": "student\nann\n"})
    assert "Name them with --policy FILE" in refused(apply(course, "--roster", course / "roster.csv"))
    write_files(course, {"policy.toml": POLICY})
    assert "Before, the gradebook was made with the rules in" in apply(course).stdout


def test_an_assignment_that_the_course_no_longer_has_counts_out_of_its_own_points(tmp_path):
    course_with(tmp_path, [report_of("ann"), report_of("ben", assignment="09_old")])
    found = applied(tmp_path)
    assert (found["ben", "09_old"]["counted"], found["ann", "09_old"]["max_score"]) == (Decimal("5.5"), Decimal("5.5"))


def test_a_class_without_graded_work_is_named(tmp_path):
    reports = course_with(tmp_path, [])
    (reports / "journal.jsonl").unlink(missing_ok=True)
    assert "Grade the class first" in refused(apply(tmp_path))


def test_a_roster_gives_a_line_to_who_handed_in_nothing_and_names_who_is_not_on_it(course):
    write_files(course, {"policy.toml": 'missing = "zero"\n' + POLICY})
    roster = "student,name,email\nann,Ann Lee,ann@x.example\nben,,\neva,에바,eva@x.example\n"
    write_files(course, {"roster.csv": roster})
    done = apply(course, "--roster", course / "roster.csv")
    assert "In the class, but not on the roster (2 students): 'cleo', 'dora'." in done.stdout
    assert "On the roster, without a submission (1 student): 'eva'." in done.stdout
    for found in (applied(course), applied(course)):  # the roster is remembered
        assert (found["eva", TINY]["counted"], found["eva", TINY]["report"]) == (0, None)
    with (course / "reports" / SHEET).open(newline="") as file:
        assert ["eva", "에바", "eva@x.example", "0", "", "", "", "0", ""] in list(csv.reader(file))


def test_an_extension_of_nobody_is_refused_with_a_roster_and_said_without(course):
    write_files(course, {"policy.toml": POLICY + '[[extension]]\nstudent = "benn"\ndays = 1\n'})
    done = apply(course)
    assert done.returncode == 0
    assert "an extension of 'benn', who has handed nothing in; without a --roster nobody knows" in done.stdout
    write_files(course, {"roster.csv": "student\nann\nben\n"})
    assert "Did you mean `ben`?" in refused(apply(course, "--roster", course / "roster.csv"))
