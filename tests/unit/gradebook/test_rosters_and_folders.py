"""Times and rosters go to the folders that are there, however their names are encoded, and to nobody who left."""

import csv
import json
import unicodedata
from pathlib import Path

import pytest

from ...support.command_line import run_here
from ...support.courses import write_files
from ...support.lms_reports import report_of
from .graded_classes import POLICY, TINY, course_with, hand_in_again

NFC, NFD = (unicodedata.normalize(form, "Jos\u00e9") for form in ("NFC", "NFD"))
ZERO = 'missing = "zero"\n' + POLICY


def apply(course: Path, *more: object) -> None:
    done = run_here("apply", course / "reports", "--course", course, *more)
    assert done.returncode == 0, done.stderr


def counted(course: Path) -> dict[str, object]:
    book = json.loads((course / "reports" / "gradebook.json").read_bytes())
    return {each["student"]: each["counted"] for each in book["entries"]}


def leave(course: Path, student: str) -> None:
    """Note that the class no longer has a submission."""
    place = course / "reports" / "summary.json"
    summary = json.loads(place.read_bytes())
    summary["handed_in"][TINY] = [each for each in summary["handed_in"][TINY] if each != student]
    summary |= {"gone": {TINY: [student]}, "journal_bytes": (place.parent / "journal.jsonl").stat().st_size}
    place.write_text(json.dumps(summary))


@pytest.mark.parametrize(("left", "there"), [(NFC, NFD), (NFD, NFC)])
def test_a_time_goes_to_the_folder_that_is_there_and_not_to_one_of_the_same_name_that_left(tmp_path, left, there):
    course_with(tmp_path, [report_of(NFC), report_of(NFD)])
    leave(tmp_path, left)
    write_files(tmp_path, {"t.csv": f"student,assignment,submitted\n{left},{TINY},2026-03-04 18:00\n"})
    apply(tmp_path, "--times", tmp_path / "t.csv")
    assert counted(tmp_path) == {there: 3.85}


ANN, DAN = (f"{name}_122_assignsubmission_file_" for name in ("Ann Kim", "Dan Lee"))
MOODLE = "First name,Last name,Email address\nAnn,Kim,ann@x.example\nDan,Lee,dan@x.example\n"
CANVAS = "Student,ID,SIS User ID,SIS Login ID,Section\n"


def on_the_roster(course: Path) -> dict[str, object]:
    book = json.loads((course / "reports" / "gradebook.json").read_bytes())
    return {each["student"]: each["on_roster"] for each in book["students"]}


def test_the_empty_folder_of_somebody_on_a_platforms_table_is_that_persons(tmp_path):
    course_with(tmp_path, [report_of(ANN)], ZERO, absent=[DAN])
    write_files(tmp_path, {"people.csv": MOODLE})
    apply(tmp_path, "--roster", tmp_path / "people.csv")
    assert counted(tmp_path) == {ANN: 5.5, DAN: 0}
    export = ("export", "csv", tmp_path / "reports", "--roster", tmp_path / "people.csv")
    assert run_here(*export, "--output", tmp_path / "scores.csv").returncode == 0
    assert f'"{DAN}","Dan Lee","dan@x.example","0"' in (tmp_path / "scores.csv").read_text()


def test_the_empty_folder_of_somebody_in_a_roster_is_that_persons_however_the_accents_are_encoded(tmp_path):
    course_with(tmp_path, [report_of("ann")], ZERO, absent=[NFD])
    write_files(tmp_path, {"roster.csv": f"student,name\nann,Ann\n{NFC},Jose\n"})
    apply(tmp_path, "--roster", tmp_path / "roster.csv")
    assert on_the_roster(tmp_path) == {"ann": True, NFD: True}


@pytest.mark.parametrize(
    ("roster", "before", "folder"),
    [
        (CANVAS + '"Kim, Ann",1,s1,ann,A\n"Lee, Dan",13,s3,dlee,A\n', "dlee", "leedan_13"),
        (f"student,name\nann,Ann\n{NFC},Jose\n", NFC, NFD),
        (
            "First name,Last name,ID number,Email address\nAnn,Kim,ann,\nMin-ji,Kim,,m@x.example\n",
            "m@x.example",
            "Kim Min-ji_9_assignsubmission_file_",
        ),
    ],
)
def test_a_folder_that_comes_later_is_that_of_the_person_on_the_roster_from_before(tmp_path, roster, before, folder):
    course_with(tmp_path, [report_of("ann")], ZERO)
    write_files(tmp_path, {"people.csv": roster})
    apply(tmp_path, "--roster", tmp_path / "people.csv")
    assert counted(tmp_path) == {"ann": 5.5, before: 0}
    hand_in_again(tmp_path / "reports", folder, "4.8", "cd" * 32)
    for _ in range(2):
        apply(tmp_path)
        assert counted(tmp_path) == {"ann": 5.5, folder: 4.8}
        assert on_the_roster(tmp_path) == {"ann": True, folder: True}


def test_a_folder_that_left_is_not_looked_for_on_the_roster(tmp_path):
    course_with(tmp_path, [report_of("alee"), report_of("Ann Lee")], ZERO)
    leave(tmp_path, "alee")
    write_files(tmp_path, {"people.csv": CANVAS + '"Lee, Ann",11,s1,alee,A\n'})
    apply(tmp_path, "--roster", tmp_path / "people.csv")
    assert on_the_roster(tmp_path) == {"Ann Lee": True}
    leave(tmp_path, "Ann Lee")  # and the other is back
    apply(tmp_path)
    assert on_the_roster(tmp_path) == {"alee": True}


@pytest.mark.parametrize("roster", [MOODLE, f"student\n{ANN}\n{DAN}\n"])
def test_who_left_the_class_has_no_0_and_is_named(tmp_path, roster):
    """A download of a part of the class is no reason to take everybody else's points away."""
    course_with(tmp_path, [report_of(ANN), report_of(DAN)], ZERO)
    leave(tmp_path, DAN)
    write_files(tmp_path, {"people.csv": roster})
    done = run_here("apply", tmp_path / "reports", "--course", tmp_path, "--roster", tmp_path / "people.csv")
    assert (
        f"Nothing counts, and no 0 either, where the class no longer has what was graded: '{DAN}' ({TINY})."
        in done.stdout
    )
    assert "without a submission" not in done.stdout
    for _ in range(2):
        assert counted(tmp_path) == {ANN: 5.5, DAN: None}
        apply(tmp_path)
    assert run_here("export", "csv", tmp_path / "reports", "--output", tmp_path / "scores.csv").returncode == 0
    with (tmp_path / "scores.csv").open(newline="") as file:
        assert {row["student"]: row[f"{TINY} (5.5)"] for row in csv.DictReader(file)} == {ANN: "5.5", DAN: ""}


def test_who_could_be_in_the_class_under_another_name_has_no_0(tmp_path):
    course_with(tmp_path, [report_of(ANN), report_of("Daniel Lee_122_assignsubmission_file_")], ZERO)
    write_files(tmp_path, {"people.csv": MOODLE})
    done = run_here("apply", tmp_path / "reports", "--course", tmp_path, "--roster", tmp_path / "people.csv")
    assert "The former could be the latter, so nobody without a folder has a 0." in done.stdout
    assert counted(tmp_path)["dan@x.example"] is None
    write_files(tmp_path, {"roster.csv": f"student\n{ANN}\nDan\n"})  # says who each folder is
    apply(tmp_path, "--roster", tmp_path / "roster.csv")
    assert counted(tmp_path)["Dan"] == 0
