"""What counts is what goes to platforms, students and the teacher's page, with the raw points where there is room."""

import csv
import io
import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest

from grader.errors import UsageError
from grader.gradebook.files import apply_rules
from grader.gradebook.policy import read_policy
from grader.lms.formats import ExportOptions
from grader.lms.pushing.target_scores import read_target_scores
from grader.lms.reports import read_class
from grader.lms.roster import Identity, Roster

from ...support.command_line import Done, run_here
from ...support.courses import write_course, write_files
from ...support.lms_reports import HARD_NAMES, PLAN, SECRET, report_of
from ..lms import lms_gradebooks as books
from .graded_classes import LOST, POLICY, TIMES, TINY, course_with, hand_in_again

ZERO = 'missing = "zero"\n' + POLICY
ON, DUE = "on 2026-03-02 18:00:00+09:00", "due 2026-03-01 18:00+09:00"
WHY = f"Handed in 1 day late ({ON}, {DUE}): 10 % of 5.5 points are taken off."


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """A class under rules: ann is late, ben is not, cleo's file is unreadable, dora handed in nothing."""
    made = [report_of("ann"), report_of("ben", LOST["4.8"]), report_of("cleo", problem="Not UTF-8.")]
    folder = course_with(tmp_path, made, ZERO, absent=["dora"])
    write_files(tmp_path, {"times.csv": TIMES})
    assert run_here("apply", folder, "--course", tmp_path, "--times", tmp_path / "times.csv").returncode == 0
    return folder


def roster_file(folder: Path) -> Path:
    rows = [f"{name},{n},{name}@x.example" for n, name in enumerate(("ann", "ben", "cleo", "dora"), 101)]
    return write_files(folder, {"roster.csv": "\n".join(["student,canvas_id,email", *rows])}) / "roster.csv"


def refused(done: Done) -> str:
    assert done.returncode == 2, done.stdout
    return done.stderr


@pytest.mark.parametrize("name", [*books.FILLED, *books.MADE])
def test_a_platform_takes_what_counts_of_everybody(tmp_path, name):
    made = [report_of(each, LOST["4.8"]) for each in HARD_NAMES[:-1]]
    folder = course_with(tmp_path, made, ZERO, absent=[HARD_NAMES[-1]])
    rows = [["student", "assignment", "submitted"], *([each, TINY, "2026-03-02T18:00:00"] for each in HARD_NAMES[:4])]
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    write_files(tmp_path, {"times.csv": text.getvalue()})
    assert run_here("apply", folder, "--course", tmp_path, "--times", tmp_path / "times.csv").returncode == 0
    desk = books.Desk(read_class(folder), tmp_path)
    if name in books.FILLED:
        book, taken = books.FILLED[name]
        exported = desk.run(name, book(), **books.COLUMNS.get(name, {}))
    else:
        taken, exported = books.MADE[name], desk.run(name)
    late, on_time = dict.fromkeys(HARD_NAMES[:4], 4.25), dict.fromkeys(HARD_NAMES[4:-1], 4.8)
    assert {key: float(each) for key, each in taken(exported.data).items()} == late | on_time | {HARD_NAMES[-1]: 0.0}


def test_a_csv_has_both_when_they_came_and_the_sum_of_what_counts(reports):
    done = run_here("export", "csv", reports, "--output", reports.parent / "scores.csv")
    assert "The points of an assignment are those that count by the course's rules" in done.stderr
    with (reports.parent / "scores.csv").open(newline="") as file:
        assert list(csv.reader(file)) == [
            ["student", f"{TINY} (5.5)", f"{TINY} raw", f"{TINY} submitted", f"{TINY} days late", "total"],
            ["ann", "4.95", "5.5", "2026-03-02T18:00:00+09:00", "1", "4.95"],
            ["ben", "4.8", "4.8", "2026-03-01T17:00:00+09:00", "0", "4.8"],
            ["cleo", "not graded", "", "", "", ""],
            ["dora", "0", "", "", "", "0"],
        ]


def test_what_could_not_be_graded_is_0_where_that_is_asked_for_and_its_total_is_not_made_up(reports):
    place = reports.parent / "scores.csv"
    done = run_here("export", "csv", reports, "--failed-as-zero", "--output", place)
    assert '"cleo","0","","","",""' in place.read_text()
    assert "The total of a student whose work could not be graded is empty" in done.stderr
    mail = ("export", "mail-merge", reports, "--roster", roster_file(reports.parent), "--failed-as-zero")
    assert run_here(*mail, "--output", place).returncode == 0
    assert '"cleo","","cleo@x.example","0 of 5.5 points",' in place.read_text()


def test_a_csv_has_names_and_addresses_of_the_roster_also_without_rules(tmp_path):
    folder = course_with(tmp_path, [report_of("ann")], policy=None)
    write_files(tmp_path, {"people.csv": "student,name,email\nann,Ann,a@x.example\neva,=Eva,e@x.example\n"})
    done = run_here("export", "csv", folder, "--roster", tmp_path / "people.csv", "--output", tmp_path / "scores.csv")
    assert "On the roster, without a submission (1):\n  'eva'" in done.stderr
    with (tmp_path / "scores.csv").open(newline="") as file:
        assert list(csv.reader(file)) == [
            ["student", "name", "email", f"{TINY} (5.5)", "total"],
            ["ann", "Ann", "a@x.example", "5.5", "5.5"],
            ["eva", "'=Eva", "e@x.example", "", ""],
        ]


@pytest.mark.parametrize("short", [False, True])
def test_a_push_sends_what_counts(reports, short):
    roster = roster_file(reports.parent)
    wanted = read_target_scores(reports, roster, None, None, failed_as_zero=False, short_comments=short)
    assert wanted.scores == {"ann": Decimal("4.95"), "ben": Decimal("4.8"), "dora": Decimal(0)}
    assert wanted.absent == []
    assert f"4.95 of 5.5 points count. {WHY}" in wanted.comments["ann"]
    assert "Nothing was handed in" in wanted.comments["dora"]


def test_a_mail_says_what_counts(reports):
    people = {each: Identity(student=each, email=f"{each}@x.example") for each in ("ann", "dora")}
    from grader.lms.class_sheets.mail_merge import mail_merge

    data = mail_merge(read_class(reports), ExportOptions(roster=Roster("roster.csv", people))).data.decode()
    rows = {row[0]: row[3] for row in csv.reader(io.StringIO(data))}
    assert rows["ann"] == f"4.95 of 5.5 points count. {WHY}"
    assert rows["dora"] == "0 of 5.5 points count. Nothing was handed in: 0 points."


def test_pages_say_what_counts_and_why(reports):
    assert run_here("report", reports, "--markdown").returncode == 0
    own = reports / "for-students" / "ann"
    for page in (own / f"{TINY}.html", own / f"{TINY}.md"):
        text = page.read_text().replace("\\", "")
        assert "4.95 of 5.5 points count" in text
        assert WHY in text
    assert "points count" not in (reports / "for-students" / "ben" / f"{TINY}.html").read_text()
    teachers = (reports / "for-teachers" / TINY / "class.html").read_text()
    assert "Points that count by the course's rules (3)" in teachers.replace("&#39;", "'")
    assert WHY in teachers


@pytest.mark.parametrize(("where", "what"), [("", "."), ("", f"ann/{TINY}.json"), ("ann", f"{TINY}.json")])
def test_pages_are_not_made_of_the_copies_alone_which_would_have_the_raw_points(reports, monkeypatch, where, what):
    run_here("report", reports)
    page = reports / "for-students" / "ann" / f"{TINY}.html"
    before = page.read_bytes()
    monkeypatch.chdir(reports / "for-students" / where)
    assert "which do not say what counts. Name the folder around it" in refused(run_here("report", what))
    assert page.read_bytes() == before
    (reports / "gradebook.json").unlink()
    assert run_here("report", what).returncode == 0


def test_a_korean_report_says_it_in_korean(tmp_path):
    folder = course_with(tmp_path, [report_of("ann", language="ko"), report_of("ben", language="ko")], ZERO)
    write_files(tmp_path, {"times.csv": TIMES})
    run_here("apply", folder, "--course", tmp_path, "--times", tmp_path / "times.csv")
    run_here("report", folder)
    page = (folder / "for-students" / "ann" / f"{TINY}.html").read_text()
    assert "5.5점 중 4.95점 인정" in page
    assert "1일 늦게(2026-03-02 18:00:00+09:00) 제출하여 5.5점의 10%가 감점됩니다." in page


def as_csv(reports: Path) -> Done:
    return run_here("export", "csv", reports, "--output", reports.parent / "scores.csv")


AGAIN = "Give `grader apply` again."


def test_a_gradebook_that_is_older_than_the_journal_is_refused_everywhere(reports):
    hand_in_again(reports, "ben", "4.8", "cd" * 32)  # the report has the same bytes, and is another attempt
    roster = roster_file(reports.parent)
    older = f"'journal.jsonl' was changed after gradebook.json was made. {AGAIN}"
    for command in (("export", "csv"), ("report",)):
        assert older in refused(run_here(*command, reports))
    with pytest.raises(UsageError, match=r"journal\.jsonl"):
        read_target_scores(reports, roster, None, None, failed_as_zero=False, short_comments=False)
    assert run_here("apply", reports, "--course", reports.parent).returncode == 0
    assert as_csv(reports).returncode == 1


def test_points_set_by_hand_to_the_graded_ones_must_be_applied(reports):
    by_hand = ("override", "ben", TINY, "--by", "kim", "--reason", "seen", "--output", reports)
    for what in (("--points", 4.8), ("--take-back",)):
        assert run_here(*by_hand, *what, "--course", reports.parent).returncode == 0
        assert "'journal.jsonl' was changed" in refused(as_csv(reports))
        assert run_here("apply", reports, "--course", reports.parent).returncode == 0
        assert as_csv(reports).returncode == 1


@pytest.mark.parametrize("name", ["given.json", "summary.json"])
def test_what_was_said_and_the_newest_run_are_a_part_of_the_gradebook(reports, name):
    (reports / name).write_bytes((reports / name).read_bytes() + b"\n")
    assert f"'{name}' was changed after gradebook.json was made. {AGAIN}" in refused(as_csv(reports))


def test_rules_that_were_changed_must_be_applied_again(reports):
    write_files(reports.parent, {"policy.toml": ZERO.replace("10", "20")})
    for command in (("export", "csv"), ("report",)):
        assert "policy.toml' was changed after gradebook.json was made" in refused(run_here(*command, reports))
    (reports.parent / "policy.toml").unlink()
    assert "policy.toml' was changed after gradebook.json was made" in refused(as_csv(reports))
    reports = reports.parent.rename(reports.parent.parent / "elsewhere") / "reports"
    assert as_csv(reports).returncode == 1  # on another machine nobody can tell
    for rules, code in ((ZERO, 1), (ZERO.replace("10", "20"), 2)):  # but where the course was moved, too
        write_files(reports.parent, {"policy.toml": rules})
        assert as_csv(reports).returncode == code


def test_a_gradebook_is_old_when_the_next_due_date_has_passed(tmp_path):
    folder = course_with(tmp_path, [report_of("ann")], ZERO, absent=["dora"])
    policy = read_policy(tmp_path / "policy.toml", [TINY])
    apply_rules(folder, SECRET, policy, {TINY: Decimal("5.5")}, datetime(2026, 2, 1, tzinfo=UTC))
    assert "before a due date that has passed since: 2026-03-01T18:00:00+09:00." in refused(as_csv(folder))
    assert run_here("apply", folder, "--course", tmp_path).returncode == 0
    assert as_csv(folder).returncode == 0


def test_rules_that_were_never_applied_are_named_in_place_of_raw_points(reports, monkeypatch):
    (reports / "gradebook.json").unlink()
    never = "has a policy.toml, which was not applied to"
    for command in (("export", "csv"), ("report",)):
        assert never in refused(run_here(*command, reports))
    course = reports.parent
    apart = reports.rename(course.parent / f"{course.name}-reports")
    monkeypatch.chdir(course)
    assert "Give `grader apply`." in refused(as_csv(apart))
    write_course(apart.parent / "other")
    assert as_csv(apart.rename(apart.parent / "other" / "reports")).returncode == 1  # the course around it has none


def test_a_torn_gradebook_is_refused(reports):
    (reports / "gradebook.json").write_bytes((reports / "gradebook.json").read_bytes()[:-30])
    assert f"is torn or not of this version. {AGAIN}" in refused(run_here("export", "csv", reports))
    assert run_here("apply", reports, "--course", reports.parent).returncode == 0
    assert as_csv(reports).returncode == 1


def test_a_format_of_one_submission_stays_raw(reports):
    done = run_here("export", "gradescope", reports, "--student", "ann", "--output", reports.parent / "one.json")
    assert done.returncode == 0
    assert json.loads((reports.parent / "one.json").read_bytes())["score"] == 5.5


def test_who_left_the_class_counts_nowhere_and_is_not_taken_beside_the_rules(reports):
    summary = json.loads((reports / "summary.json").read_bytes())
    gone = {**summary, "gone": {TINY: ["ben"]}, "journal_bytes": (reports / "journal.jsonl").stat().st_size}
    (reports / "summary.json").write_text(json.dumps(gone))
    assert "'summary.json' was changed" in refused(as_csv(reports))
    assert "ben" not in run_here("apply", reports, "--course", reports.parent).stdout
    assert as_csv(reports).returncode == 1
    assert "Leave --keep-gone out" in refused(run_here("export", "csv", reports, "--keep-gone"))


def test_an_export_says_why_no_attempt_counts(tmp_path):
    other = [msgspec.structs.replace(each, points=each.points + 1) for each in PLAN]
    made = [report_of("ann"), report_of("ben", plan=other)]
    folder = course_with(tmp_path, made, POLICY + "[attempts]\nmost = 1\n")
    hand_in_again(folder, "ben", "5.5", "cd" * 32)
    assert run_here("apply", folder, "--course", tmp_path).returncode == 0
    done = as_csv(folder)
    assert "could not be graded: An attempt that was graded out of 7.5 points is left aside." in done.stderr
    assert '"ben","not graded","5.5",""' in (tmp_path / "scores.csv").read_text()
