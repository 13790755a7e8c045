"""`grader apply`: what counts is worked out without grading, written beside the reports, and changes none of them."""

import csv
import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import jsonschema
import pytest

from grader.course.layout import find_course
from grader.gradebook.current import NAME
from grader.gradebook.files import SHEET, Applied, apply_rules
from grader.gradebook.given import NAME as GIVEN
from grader.gradebook.policy import read_policy
from grader.lms.rules import keep_times, read_rules
from grader.submissions.submission import Submission

from ..lms.lms_reports import SECRET, report_of
from ..support.class_runs import RIGHT, WRONG
from ..support.command_line import Done, run_here
from ..support.courses import hand_in, write_course, write_files
from ..support.report_parts import DOCS
from .graded_classes import LOST, POLICY, TIMES, TINY, course_with, hand_in_again


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course with rules, of whose class two handed in, one of them unreadable, and one nothing."""
    reports = [report_of("ann"), report_of("ben", LOST["4.8"]), report_of("cleo", problem="Not UTF-8.")]
    course_with(tmp_path, reports, absent=["dora"])
    return write_files(tmp_path, {"times.csv": TIMES})


def apply(course: Path, *more: object) -> Done:
    return run_here("apply", course / "reports", "--course", course, *more)


def applied(course: Path, *more: object) -> dict[tuple[str, str], dict[str, object]]:
    """Apply the rules and return the entries by student and assignment."""
    done = apply(course, *more)
    assert done.returncode == 0, done.stderr
    document = json.loads((course / "reports" / NAME).read_bytes(), parse_float=Decimal)
    return {(each["student"], each["assignment"]): each for each in document["entries"]}


def files(folder: Path) -> dict[str, str]:
    return {str(each): hashlib.sha256(each.read_bytes()).hexdigest() for each in folder.rglob("*") if each.is_file()}


def refused(done: Done) -> str:
    assert done.returncode == 2
    assert done.stderr.startswith("grader: ") and "Traceback" not in done.stderr
    return done.stderr


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


def test_a_table_for_a_spreadsheet_has_what_counts_and_the_raw_points(course):
    apply(course, "--times", course / "times.csv")
    with (course / "reports" / SHEET).open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[:2] == [["student", TINY, f"{TINY} raw", "total", "dropped"], ["ann", "4.95", "5.5", "4.95", ""]]
    assert rows[3:] == [["cleo", "not graded", "", "", ""], ["dora", "", "", "", ""]]


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
    out = course / "scores.csv"
    assert run_here("export", "csv", course / "reports", "--output", out).returncode == 1
    assert '"ann","2.45","3","2.45"' in out.read_text()
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
        assert ["eva", "에바", "eva@x.example", "0", "", "0", ""] in list(csv.reader(file))


def test_an_extension_of_nobody_is_refused_with_a_roster_and_said_without(course):
    write_files(course, {"policy.toml": POLICY + '[[extension]]\nstudent = "benn"\ndays = 1\n'})
    done = apply(course)
    assert done.returncode == 0
    assert "an extension of 'benn', who has handed nothing in; without a --roster nobody knows" in done.stdout
    write_files(course, {"roster.csv": "student\nann\nben\n"})
    assert "Did you mean `ben`?" in refused(apply(course, "--roster", course / "roster.csv"))


def platform_times(course: Path, *submissions: Submission) -> Applied:
    """Apply the rules as a run does that found these submissions in a platform's download."""
    keep_times(find_course(course), course / "reports", submissions)
    rules = read_rules(find_course(course), None, None, None)
    assert rules is not None
    return rules.apply(course / "reports", submissions)


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


@pytest.mark.usefixtures("kept_jails")
def test_grading_applies_the_rules_at_its_end_and_without_rules_writes_no_new_file(tmp_path):
    course, klass, reports = write_course(tmp_path / "course"), tmp_path / "class", tmp_path / "reports"
    hand_in(klass, "ann", RIGHT)
    hand_in(klass, "ben", WRONG)
    command = ("grade", klass, "--output", reports, "--course", course)
    assert run_here(*command).returncode == 0
    assert not any((reports / name).exists() for name in (NAME, SHEET, GIVEN))
    write_files(course, {"policy.toml": POLICY})
    times = write_files(tmp_path, {"times.csv": TIMES}) / "times.csv"
    done = run_here(*command, "--times", times)
    assert done.returncode == 0
    assert "1.45 (2)" in done.stdout
    assert (reports / "scores.csv").read_text().splitlines()[1] == '"ann","2","2"'
    hand_in(klass, "ann", RIGHT + "# again\n")
    again = run_here(*command)
    assert "Submissions whose time is not known count as on time (see --times): 1." in again.stdout
    entry = next(each for each in json.loads((reports / NAME).read_bytes())["entries"] if each["student"] == "ann")
    assert (entry["attempt"], entry["attempts"], entry["counted"]) == (2, 2, 2)
    write_files(course, {"policy.toml": "dues = 1\n"})
    before = files(reports)
    assert "unknown field `dues`" in refused(run_here(*command, "--fresh"))
    assert files(reports) == before


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


@pytest.mark.usefixtures("kept_jails")
def test_who_handed_nothing_in_stays_when_one_student_is_graded_and_goes_with_the_folder(tmp_path):
    course, klass, reports = write_course(tmp_path / "course"), tmp_path / "class", tmp_path / "reports"
    write_files(course, {"policy.toml": 'missing = "zero"\n' + POLICY})
    hand_in(klass, "ann", RIGHT)
    (klass / "dan").mkdir()

    def listed(path: Path) -> list[str]:
        assert run_here("grade", path, "--output", reports, "--course", course).returncode == 0
        return [each["student"] for each in json.loads((reports / NAME).read_bytes())["students"]]

    assert listed(klass) == ["ann", "dan"]
    assert listed(klass / "ann") == ["ann", "dan"]
    assert run_here("apply", reports, "--course", course).returncode == 0
    assert listed(klass / "ann") == ["ann", "dan"]
    (klass / "dan").rmdir()
    assert listed(klass) == ["ann"]


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
