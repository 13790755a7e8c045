"""What a table of times may say beside a time, and that it is told where it does nothing."""

import pytest

from ...support.command_line import run_here
from ...support.courses import write_files
from ...support.lms_reports import report_of
from .graded_classes import POLICY, TIMES, TINY, course_with, hand_in_again


def table(course, times):
    """Apply the rules with a table of times, and return what is printed, which has a line for `ann`."""
    write_files(course, {"times.csv": times})
    done = run_here("apply", course / "reports", "--course", course, "--times", course / "times.csv")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_wrong_time_is_taken_back_by_unknown_and_not_by_an_empty_cell(tmp_path):
    course_with(tmp_path, [report_of("ann"), report_of("ben")])
    late, head = "4.95 (5.5)", TIMES.splitlines()[0]
    assert late in table(tmp_path, TIMES)
    assert late in table(tmp_path, f"{head}\nann,{TINY},\n")
    found = table(tmp_path, f"{head}\nann,{TINY},unknown\n")
    assert late not in found
    assert "Submissions whose time is not known count as on time (see --times): 1." in found


def test_every_usual_way_to_write_a_time_is_taken(tmp_path):
    course_with(tmp_path, [report_of("ann")])
    for time in ("2026-03-02 18:00", "2026-03-02T18:00:00", "2026-03-02 09:00:00Z", "2026-03-02T18:00:01+09:00"):
        days = "4.4" if ":01" in time else "4.95"
        assert f"{days} (5.5)" in table(tmp_path, f"student,assignment,submitted\nann,{TINY},{time}\n")


@pytest.mark.parametrize(("due", "time"), [("2026-03-01", "23:59:59.999"), ("2026-03-01T18:00:00", "18:00:00.5")])
def test_a_part_of_a_second_makes_nothing_late(tmp_path, due, time):
    """A day ends with its last second, and platforms say times with more or fewer digits."""
    course_with(tmp_path, [report_of("ann")], POLICY.replace("2026-03-01T18:00:00", due))
    found = table(tmp_path, f"student,assignment,submitted\nann,{TINY},2026-03-01 {time}\n")
    assert [line.split() for line in found.splitlines() if line.startswith("ann")] == [["ann", "5.5", "5.5"]]


def test_days_late_without_a_due_date_are_named(tmp_path):
    course_with(tmp_path, [report_of("ann")], policy="")
    found = table(tmp_path, f"student,assignment,submitted,late\nann,{TINY},,2\n")
    assert f"Days late do nothing where policy.toml has no due date: {TINY}." in found


def test_the_same_days_late_may_be_said_of_two_files_and_are_named(tmp_path):
    course_with(tmp_path, [report_of("ann")])
    days = f"student,assignment,submitted,late\nann,{TINY},,2\n"
    assert "4.4 (5.5)" in table(tmp_path, days)
    hand_in_again(tmp_path / "reports", "ann", "5.5", "cd" * 32)
    found = table(tmp_path, days)
    assert "4.4 (5.5)" in found
    assert f"earlier file are taken for the file that is there now: 'ann' ({TINY})." in found
    assert "earlier file" not in table(tmp_path, days)
