"""The rules at the end of a run, after a merge, and with what a platform's download says of times."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from grader.course.layout import find_course
from grader.gradebook.current import NAME
from grader.gradebook.files import apply_rules
from grader.gradebook.given import NAME as GIVEN
from grader.gradebook.policy import read_policy
from grader.lms.rules import keep_times, read_rules
from grader.submissions.submission import Submission

from ...support.command_line import Done, run_here
from ...support.courses import write_files
from ...support.lms_reports import SECRET, report_of
from .graded_classes import (
    POLICY,
    TINY,
    applied,
    apply,
    course_with,
    hand_in_again,
    platform_times,
)


def test_a_platforms_time_counts_until_a_person_says_another(course):
    at = datetime(2026, 3, 2, 10, tzinfo=UTC)
    for later in (at, at.replace(day=4)):  # the same file handed in once more is not late by it
        book = platform_times(course, Submission("ann", TINY, submitted=later)).gradebook
        assert book.by_place()["ann", TINY].late_days == 2
    naive = Submission("ben", TINY, submitted=datetime(2026, 3, 1, 18, 0, 1))
    assert platform_times(course, naive).gradebook.by_place()["ben", TINY].late_days == 1
    assert applied(course, "--times", course / "times.csv")["ann", TINY]["late_days"] == 1
    assert (
        platform_times(course, Submission("ann", TINY, submitted=at)).gradebook.by_place()["ann", TINY].late_days == 1
    )


def test_who_is_late_by_a_platform_that_does_not_say_when_is_named(course):
    (note,) = [each for each in platform_times(course, Submission("ann", TINY, late=True)).notes if "how late" in each]
    assert f"'ann' ({TINY})" in note
    known = Submission("ann", TINY, late=True, submitted=datetime(2026, 3, 5, tzinfo=UTC))
    assert not any("how late" in each for each in platform_times(course, known).notes)


def test_a_merge_keeps_earlier_attempts_the_times_and_the_roster_and_says_to_apply(course):
    write_files(course, {"policy.toml": POLICY + '[attempts]\ncount = "best"\n', "people.csv": "student\nann\neva\n"})
    apply(course, "--times", course / "times.csv", "--roster", course / "people.csv")
    hand_in_again(course / "reports", "ben", "0", "cd" * 32)
    summary = json.loads((course / "reports/summary.json").read_bytes())
    (course / "reports/summary.json").write_text(
        json.dumps({**summary, "started": "2026-03-01T00:00:00Z", "journal_bytes": None})
    )
    for _ in range(2):  # merged twice it is the same
        done = run_here("merge", course / "reports", "--course", course, "--output", course / "joined")
        assert f"not applied to it yet: give `grader apply {course / 'joined'}`." in done.stdout
        assert run_here("apply", course / "joined", "--course", course).returncode == 0
        entries = json.loads((course / "joined" / NAME).read_bytes())["entries"]
        found = {each["student"]: (each["counted"], each["attempt"], each["attempts"]) for each in entries}
        assert found["ann"] == (4.95, 1, 1)
        assert found["ben"] == (4.8, 1, 2)
        assert found["eva"] == (None, None, 0)


def test_a_platforms_times_are_kept_before_there_are_rules(course):
    (course / "policy.toml").unlink()
    at = Submission("ann", TINY, submitted=datetime(2026, 3, 2, 10, tzinfo=UTC))
    keep_times(find_course(course), course / "reports", [at, Submission("ben", TINY)])
    write_files(course, {"policy.toml": POLICY})
    assert applied(course)["ann", TINY]["late_days"] == 2
    keep_times(find_course(course), course / "reports", [Submission("dora", TINY, submitted=at.submitted)])
    assert as_csv(course).returncode == 1  # nothing new was said


def as_csv(course: Path) -> Done:
    return run_here("export", "csv", course / "reports", "--output", course / "scores.csv")


def test_points_set_by_hand_stay_where_a_newer_file_could_not_be_graded(course):
    write_files(course, {"policy.toml": POLICY + '[attempts]\ncount = "best"\n'})
    by_hand = ("override", "ben", TINY, "--by", "kim", "--reason", "copied", "--output", course / "reports")
    done = run_here(*by_hand, "--course", course, "--exercise", "shares", "--points", 0.5)
    assert done.returncode == 0, done.stderr
    raw = applied(course)["ben", TINY]["counted"]
    hand_in_again(course / "reports", "ben", "5.5", "cd" * 32, problem="Not UTF-8.")
    entry = applied(course)["ben", TINY]
    assert (entry["counted"], entry["raw"]) == (raw, None)
    assert raw < Decimal("4.8")


def test_nobody_has_a_0_before_the_class_was_graded(tmp_path):
    """A run over one student's folder does not know who else handed something in."""
    folder = course_with(tmp_path, [report_of("ann")], 'missing = "zero"\n' + POLICY)
    write_files(tmp_path, {"roster.csv": "student\nann\nben\n"})
    summary = json.loads((folder / "summary.json").read_bytes())
    for whole, points in ((False, None), (True, 0), (None, 0)):
        (folder / "summary.json").write_text(json.dumps({**summary, "whole": whole}))
        assert applied(tmp_path, "--roster", tmp_path / "roster.csv")["ben", TINY]["counted"] == points
        said = f"Nobody has a 0 for what is missing where no run was over the whole class: {TINY}."
        assert (said in apply(tmp_path).stdout) == (points is None)
    hand_in_again(folder, "ann", "4.8", "cd" * 32, klass="of a class")  # a run over the class came first
    (folder / "summary.json").write_text(json.dumps({**summary, "whole": False}))
    assert applied(tmp_path)["ben", TINY]["counted"] == 0


def test_tables_of_times_that_are_given_at_once_are_all_kept(tmp_path):
    names = [f"s{n}" for n in range(12)]
    folder = course_with(tmp_path, list(map(report_of, names)))
    tables = {f"{name}.csv": f"student,assignment,submitted\n{name},01_tiny,2026-03-03 12:00\n" for name in names}
    write_files(tmp_path, tables)
    rules = [read_rules(find_course(tmp_path), None, tmp_path / each, None) for each in tables]
    with ThreadPoolExecutor(len(rules)) as threads:
        list(threads.map(lambda each: each.apply(folder), rules))
    assert [each["student"] for each in json.loads((folder / GIVEN).read_bytes())["times"]] == sorted(names)


def test_who_handed_nothing_in_misses_the_points_that_were_graded(course):
    write_files(course, {"policy.toml": 'missing = "zero"\n' + POLICY})
    policy = read_policy(course / "policy.toml", [TINY])
    apply_rules(
        course / "reports", SECRET, policy, {TINY: Decimal(7)}, datetime.now(UTC)
    )  # the suite was changed since
    entries = json.loads((course / "reports" / NAME).read_bytes())["entries"]
    assert {each["max_score"] for each in entries} == {5.5}
