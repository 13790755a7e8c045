"""`policy.toml` is read as it says, or refused with the sentence that names what is wrong."""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from grader.errors import CourseError
from grader.gradebook.policy import Policy, read_policy

COURSE = ("01_tiny", "02_more")
WHOLE = """\
timezone = "Europe/Berlin"
missing = "zero"
drop_lowest = 1

[due]
01_tiny = 2026-03-01T18:00:00
02_more = 2026-03-08

[late]
grace_minutes = 15
percent_per_day = 12.5
most_percent = 50
zero_after_days = 7

[attempts]
count = "best"
most = 3

[[extension]]
student = "김철수"
days = 2

[[extension]]
student = "ann"
assignment = "02_more"
until = 2026-03-12T12:00:00+01:00
"""


def read(folder: Path, text: str) -> Policy:
    (folder / "policy.toml").write_text(text, encoding="utf-8")
    return read_policy(folder / "policy.toml", COURSE)


def due(policy: Policy, student: str, assignment: str) -> str:
    found, _ = policy.due_of(student, assignment)
    assert found is not None
    return found.astimezone(UTC).isoformat()


def test_every_rule_is_read(tmp_path):
    policy = read(tmp_path, WHOLE)
    assert due(policy, "ben", "01_tiny") == "2026-03-01T17:00:00+00:00"
    assert due(policy, "ben", "02_more") == "2026-03-08T22:59:59+00:00"
    assert policy.penalty.per_day == Decimal("12.5")
    assert (policy.penalty.most, policy.penalty.zero_after) == (Decimal(50), 7)
    assert (policy.best, policy.most_attempts, policy.drop_lowest, policy.missing_is_zero) == (True, 3, 1, True)


def test_an_extension_is_of_one_student_in_one_assignment_or_in_all(tmp_path):
    policy = read(tmp_path, WHOLE)
    assert due(policy, "김철수", "01_tiny") == "2026-03-03T17:00:00+00:00"
    assert due(policy, "\u1100\u1175\u11b7\u110e\u1165\u11af\u1109\u116e", "01_tiny") == "2026-03-03T17:00:00+00:00"
    assert due(policy, "ann", "01_tiny") == "2026-03-01T17:00:00+00:00"
    assert due(policy, "ann", "02_more") == "2026-03-12T11:00:00+00:00"
    assert policy.unknown_students(["ann", "ben"]) == ["김철수"]


def test_an_extension_ends_at_the_same_time_of_day_also_when_the_clocks_change(tmp_path):
    text = 'timezone = "Europe/Berlin"\ndue.01_tiny = 2026-03-28T23:59:00\n[[extension]]\nstudent = "ann"\ndays = 1\n'
    assert due(read(tmp_path, text), "ann", "01_tiny") == "2026-03-29T21:59:00+00:00"


def test_without_rules_nothing_is_due_and_nothing_is_said():
    assert Policy().due_of("ann", "01_tiny") == (None, False)


ZONE = 'timezone = "Asia/Seoul"\n'
DUE = ZONE + "due.01_tiny = 2026-03-01T18:00:00\n"
EXTENSION = DUE + '[[extension]]\nstudent = "ann"\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("dues = 1\n", "unknown field `dues`. Did you mean `due`?"),
        ("[late]\nper_day = 1\n", "unknown field `per_day`"),
        ("drop_lowest = '1'\n", "Expected a whole number, got text in `drop_lowest`"),
        ("[late]\npercent_per_day = 'x'\n", "Expected a number, got text in `late.percent_per_day`"),
        ("grace_minutes = 1\n", "unknown field `grace_minutes`. It is written as `late.grace_minutes`."),
        ("drop_lowest = -1\n", ">= 0"),
        ("missing = 'nothing'\n", "Invalid enum value 'nothing'"),
        ("[attempts]\ncount = 'first'\n", '`count` is "last" or "best"'),
        ("[attempts]\nmost = 0\n", ">= 1"),
        ("[late]\npercent_per_day = 101\n", "<= 100"),
        ("[late]\npercent_per_day = nan\n", "Expected a number >= 0.0 in `late.percent_per_day`"),
        ("due.01_tiny = 2026-03-01T18:00:00\n", "without a time zone"),
        ("due.01_tiny = 2026-03-01\n", "without a time zone"),
        (ZONE + "due.01_tiny = '2026-03-01'\n", "not a date. Write it without quotes"),
        (ZONE + "due.01_tiny = 18:00:00\n", "`due.01_tiny` is 18:00:00, not a date"),
        (ZONE + "due.01_tiny = 0001-01-01\n", "in the year 1"),
        (ZONE + "due.01_tinny = 2026-03-01\n", "no such assignment. Did you mean `01_tiny`?"),
        ("timezone = 'Asia/Soul'\n", "'Asia/Soul', which this machine does not know"),
        ("timezone = '../x'\n", "which this machine does not know"),
        ("timezone = 'Asia'\n", "which this machine does not know"),
        (EXTENSION.replace("[[extension]]", "[extension]"), "under `[[extension]]`, with two brackets."),
        (EXTENSION, "exactly one of `days` and `until` was looked for; neither is given"),
        (EXTENSION + "days = 1\nuntil = 2026-03-02T00:00:00\n", "both are given"),
        (EXTENSION + "days = 0\n", ">= 1"),
        (EXTENSION + "until = 2026-03-02T00:00:00\n", "`until` needs an `assignment`"),
        (EXTENSION + "assignment = '01_tiny'\nuntil = 2026-02-28T00:00:00\n", "is before the due date"),
        (EXTENSION + "assignment = '02_more'\ndays = 1\n", "02_more has no due date to extend"),
        (EXTENSION + "assignment = '03'\ndays = 1\n", "no such assignment"),
        ("[late]\npercent_per_day = 1\nsteps = [{from_day = 1, percent = 5}]\n", "Keep one of them"),
        ("[late]\nmost_percent = 1\n", "without `percent_per_day`"),
        ("[late]\nsteps = [{from_day = 2, percent = 5}, {from_day = 1, percent = 9}]\n", "do not rise"),
        ("[late]\nsteps = [{from_day = 1, percent = 5}, {from_day = 2, percent = 4}]\n", "do not rise"),
        ("due = \n", "cannot be parsed"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, text, words):
    with pytest.raises(CourseError) as caught:
        read(tmp_path, text)
    assert caught.value.exit_code == 2
    assert str(caught.value).startswith("policy.toml: ")
    assert words in str(caught.value)


def test_the_later_of_two_extensions_counts(tmp_path):
    two = EXTENSION + "days = 3\n[[extension]]\nstudent = 'ann'\nassignment = '01_tiny'\ndays = 1\n"
    assert read(tmp_path, two).due_of("ann", "01_tiny")[0] == datetime(2026, 3, 4, 9, tzinfo=UTC)
