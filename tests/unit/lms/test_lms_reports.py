"""A reports folder, or one report in it, is read whole and exactly, or refused with a sentence; nothing is skipped."""

import errno
import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.lms.reports import ClassReports, read_class, read_one
from grader.lms.visibility import grade_comment, platform_view
from grader.results.report import to_json

from ...support.lms_reports import ASSIGNMENT, CANARY, HARD_NAMES, report_of, write_class

NAME = f"{ASSIGNMENT}.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_class(
        tmp_path / "reports",
        [
            report_of("ann"),
            report_of("ben", {"shares.open": "failed"}),
            report_of("cleo", problem="The file is not UTF-8."),
        ],
        absent=["dora"],
    )


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(UsageError) as caught:
        act()
    assert caught.value.exit_code == 2
    return str(caught.value)


def test_every_report_is_there_with_its_exact_score(folder: Path) -> None:
    found = read_class(folder)
    assert found.students == ["ann", "ben", "cleo", "dora"]
    assert (found.assignments, found.absent, found.notes) == ([ASSIGNMENT], ["dora"], [])
    scores = found.scores(ASSIGNMENT)
    assert scores.scores == {"ann": Decimal("5.5"), "ben": Decimal("4.8")}
    assert (scores.max_score, scores.absent) == (Decimal("5.5"), ["dora"])
    assert scores.failed == {"cleo": "The file is not UTF-8."}
    assert found.scores(ASSIGNMENT, failed_as_zero=True).scores["cleo"] == Decimal(0)
    assert read_one(folder / "ben" / NAME).score == Decimal("4.8")


def test_hard_names_are_the_folders_names(tmp_path: Path) -> None:
    root = write_class(tmp_path / "reports", [report_of(name) for name in HARD_NAMES])
    assert read_class(root).students == sorted(HARD_NAMES)


def test_a_folder_without_journal_and_summary_is_read_too(tmp_path: Path) -> None:
    root = write_class(tmp_path / "reports", [report_of("ann")], journal=False)
    (root / "summary.json").unlink()
    assert read_class(root).students == ["ann"]


def test_what_is_no_reports_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "There is no folder" in refused(lambda: read_class(tmp_path / "nowhere"))
    assert "holds none" in refused(lambda: read_class(tmp_path / "empty"))


def torn(folder: Path) -> None:
    place = folder / "ben" / NAME
    place.write_bytes(place.read_bytes()[:-40])


def another_version(folder: Path) -> None:
    place = folder / "ann" / NAME
    place.write_text(place.read_text().replace('"schema_version": "1.4"', '"schema_version": "2.0"'))


def something_else(folder: Path) -> None:
    (folder / "ann" / "02_other.json").write_text('{"a": 1}')


def a_field_too_many(folder: Path) -> None:
    place = folder / "ann" / NAME
    place.write_text(json.dumps({**json.loads(place.read_text()), "bonus": 3}))


def a_students_copy(folder: Path) -> None:
    shutil.copy(folder / "for-students" / "ann" / NAME, folder / "ann" / NAME)


def anothers_report(folder: Path) -> None:
    shutil.copy(folder / "ann" / NAME, folder / "ben" / NAME)


def another_assignment(folder: Path) -> None:
    (folder / "ann" / NAME).rename(folder / "ann" / "02_other.json")


def changed_by_hand(folder: Path) -> None:
    (folder / "ben" / NAME).write_bytes(to_json(report_of("ben")))


def gone(folder: Path) -> None:
    shutil.rmtree(folder / "ben")


def of_no_run(folder: Path) -> None:
    (folder / "zoe").mkdir()
    (folder / "zoe" / NAME).write_bytes(to_json(report_of("zoe")))


def behind_a_link(folder: Path) -> None:
    place = folder / "ann" / NAME
    place.rename(folder.parent / "elsewhere.json")
    place.symlink_to(folder.parent / "elsewhere.json")


def a_linked_student(folder: Path) -> None:
    (folder / "bob").symlink_to(folder / "ben")


def a_torn_summary(folder: Path) -> None:
    (folder / "summary.json").write_text("{")


@pytest.mark.parametrize(
    ("spoil", "who", "words"),
    [
        (torn, "ben", "is torn"),
        (another_version, "ann", "the schema version '2.0'; this grader reads 1.4"),
        (a_field_too_many, "ann", "is not a complete report"),
        (a_students_copy, "ann", "is a student's copy"),
        (anothers_report, "ben", "is the report of 'ann'"),
        (changed_by_hand, "ben", "the report is not as it was written"),
        (of_no_run, "zoe", "the journal knows of no such report"),
        (behind_a_link, "ann", "cannot be read"),
        (something_else, "", "is not a report of this kit"),
        (another_assignment, "", f"for '{ASSIGNMENT}'"),
        (gone, "", "'ben', 01_tiny: the report is gone"),
        (a_linked_student, "", "'bob' is a link"),
        (a_torn_summary, "", "summary"),
    ],
)
def test_a_fault_stops_everything_and_so_does_one_of_a_single_report(
    folder: Path, spoil: Callable[[Path], None], who: str, words: str
) -> None:
    spoil(folder)
    sentence = refused(lambda: read_class(folder))
    assert words in sentence and who in sentence
    if who:
        assert words in refused(lambda: read_one(folder / who / NAME))


def test_a_report_as_the_run_wrote_it_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_one(folder / "ben" / NAME).student == "ben"
    monkeypatch.chdir(folder / "ben")
    assert read_one(Path(NAME)).student == "ben"
    assert read_one(Path("../ann") / NAME).student == "ann"


def test_another_students_report_in_a_folder_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    anothers_report(folder)
    monkeypatch.chdir(folder / "ben")
    assert "is the report of 'ann'" in refused(lambda: read_one(Path(NAME)))


def test_another_students_folder_behind_a_link_is_refused(folder: Path, tmp_path: Path) -> None:
    shutil.rmtree(folder / "ben")
    (folder / "ben").symlink_to("ann")
    assert "is the report of 'ann'" in refused(lambda: read_one(folder / "ben" / NAME))
    (folder / "ann" / NAME).write_bytes(to_json(report_of("ann", {"shares.open": "failed"})))
    (tmp_path / "link").symlink_to(folder / "ann")
    assert "not as it was written" in refused(lambda: read_one(tmp_path / "link" / NAME))


def test_a_report_that_was_taken_out_of_its_folder_stands_alone(folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / "ann" / NAME, tmp_path / "any.json")
    assert read_one(tmp_path / "any.json").student == "ann"


def test_scores_that_do_not_add_up_are_refused(tmp_path: Path) -> None:
    root = write_class(tmp_path / "reports", [report_of("ann")], journal=False)
    place = root / "ann" / NAME
    place.write_text(place.read_text().replace('"score": 5.5', '"score": 55'))
    assert "do not add up" in refused(lambda: read_class(root))


def test_points_that_differ_between_students_are_refused(tmp_path: Path) -> None:
    from ...support.lms_reports import PLAN

    other = report_of("ben", plan=[PLAN[0], type(PLAN[1])(id="Shift", title="Shift", points=Decimal(4))])
    root = write_class(tmp_path / "reports", [report_of("ann"), other])
    assert "Reports count 5.5 and 6 points" in refused(lambda: read_class(root).scores(ASSIGNMENT))


def test_grades_without_isolation_are_exported_only_when_asked(tmp_path: Path) -> None:
    root = write_class(tmp_path / "reports", [report_of("ann", isolation={"tier": "none"})])
    assert "without isolation" in refused(lambda: read_class(root))
    assert "--unsafe-grades" in refused(lambda: read_one(root / "ann" / NAME))
    assert read_class(root, unsafe=True).students == ["ann"]


def test_a_folder_that_cannot_be_looked_into_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_entry(self: Path) -> Iterator[Path]:
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.setattr(Path, "iterdir", no_entry)
    assert "cannot be looked into: Permission denied" in refused(lambda: read_class(folder))


def test_many_faults_are_counted(tmp_path: Path) -> None:
    root = write_class(tmp_path / "reports", [report_of(f"s{n}") for n in range(9)])
    for n in range(9):
        (root / f"s{n}" / NAME).write_text("{")
    assert "And 4 more." in refused(lambda: read_class(root))


def test_who_handed_nothing_in_lately_is_said(tmp_path: Path) -> None:
    root = write_class(tmp_path / "reports", [report_of("ann"), report_of("ben")])
    summary = (root / "summary.json").read_text()
    (root / "summary.json").write_text(summary.replace('"absent": []', '"absent": ["ben"]'))
    found = read_class(root)
    assert found.absent == [] and "'ben' handed nothing in in the last run" in found.notes[0]


def test_the_assignment_that_is_meant_must_be_clear(tmp_path: Path) -> None:
    reports = [report_of("ann"), report_of("ann", assignment="02_more"), report_of("ben")]
    found = read_class(write_class(tmp_path / "reports", reports))
    assert found.assignment("02_more") == "02_more"
    assert "Add --assignment ID" in refused(lambda: found.assignment(None))
    assert "Did you mean `02_more`?" in refused(lambda: found.assignment("02_mor"))
    assert found.scores("02_more").absent == ["ben"]
    assert "has handed in nothing for it" in refused(lambda: found.find("ben", "02_more"))
    assert "has no such student" in refused(lambda: found.find("bob", "02_more"))


def test_a_journal_with_a_torn_last_line_is_no_fault(folder: Path) -> None:
    with (folder / "journal.jsonl").open("ab") as file:
        file.write(b'{"seal": "ab", "li')
    assert isinstance(read_class(folder), ClassReports)


def test_the_newest_line_of_the_journal_counts(tmp_path: Path) -> None:
    root = write_class(tmp_path / "reports", [report_of("ann", {"Shift.open": "failed"}), report_of("ann")])
    assert read_class(root).graded[0].row.score == Decimal("5.5")
    assert hashlib.sha256(to_json(report_of("ann"))).hexdigest() == read_class(root).graded[0].sha256


def test_nothing_of_a_hidden_check_is_in_what_may_be_shown() -> None:
    report = report_of("ann", {"shares.shut": "error", "Shift.shut": "failed", "Shift.late": "failed"})
    assert CANARY in to_json(report).decode()
    seen = platform_view(report)
    assert CANARY not in repr(seen.exercises) and CANARY not in repr(seen.now)
    assert all(CANARY not in repr(check) for e in seen.held_back for check in e.checks if check.visibility == "hidden")
    hidden = seen.exercises[0].checks[1]
    assert (hidden.status, hidden.passed, hidden.seconds) == ("error", False, None)
    assert "Hint: Divide by the sum." in hidden.text and "ValueError" in hidden.text


def test_a_check_of_after_the_due_date_has_its_name_only_later() -> None:
    seen = platform_view(report_of("ann", {"Shift.late": "failed"}))
    now, later = seen.exercises[1].checks[1], seen.held_back[1].checks[1]
    assert (now.name, now.text, now.number) == ("Shift.late", "This check is shown after the due date.", "2.2")
    assert later.name == "The parameter is added." and f"expected {CANARY}" in later.text
    assert "expected" not in seen.exercises[1].text("en")


def test_a_visible_check_says_what_it_found() -> None:
    seen = platform_view(report_of("ann", {"shares.open": "failed"}))
    check = seen.exercises[0].checks[0]
    assert "expected shown number 7" in check.text and "printed shown number 7" in check.text
    assert check.seconds == 0.25
    assert "1.1 not passed: The quarters are right." in seen.exercises[0].text("en")


def test_a_comment_holds_points_and_no_check(tmp_path: Path) -> None:
    reports = [
        report_of("ann", {"shares.open": "failed"}),
        report_of("bad", problem="Not UTF-8."),
        report_of("cho", language="ko"),
    ]
    wrong, bad, korean = map(grade_comment, read_class(write_class(tmp_path / "reports", reports)).graded)
    assert wrong == "4.8 of 5.5 points: Shares of a whole 1.3/2; Shift <by> a parameter 3.5/3.5"
    assert "could not be graded: Not UTF-8." in bad
    assert korean.startswith("5.5점 중 5.5점")
