"""Moodle's grading worksheet, filled in: in every language, with the teacher's comments, times and locks left alone."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from grader.lms.class_sheets.moodle_worksheet import HEADINGS
from grader.lms.reports import ClassReports
from grader.lms.roster import Identity, Roster

from ..lms_gradebooks import PEOPLE, class_of_hard_names, quoted, refused, run, scores, write
from ..lms_importers import MoodleAssignment

WORKSHEETS = {
    "en": ("Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
           "Last modified (submission),Last modified (grade),Feedback comments", "Participant ", "5.50", "Yes", "No"),
    "de": ("ID,Vollständiger Name,E-Mail-Adresse,Status,Bewertung,Bestwertung,Bewertung kann geändert werden,"
           "Zuletzt geändert (Abgabe),Zuletzt geändert (Bewertung),Feedback als Kommentar",
           "Teilnehmer/in", '"5,50"', "Ja", "Nein"),
}  # fmt: skip
THEN = '"Sunday, 1 March 2026, 10:00 AM"'


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> ClassReports:
    """A class of hard names with several scores, one who could not be graded and one who handed nothing in."""
    return class_of_hard_names(tmp_path_factory.mktemp("class") / "reports")


def worksheet(
    language: str = "en",
    grades: Mapping[str, str] | None = None,
    comments: Mapping[str, str] | None = None,
    locked: str = "",
    end: str = "\n",
) -> str:
    """Return the worksheet that Moodle writes."""
    head, prefix, maximum, yes, no = WORKSHEETS[language]
    lines = [head]
    for name, who in PEOPLE.items():
        grade, text = (grades or {}).get(name, ""), (comments or {}).get(name, "")
        row = [f'"{prefix}{who.participant}"', quoted(name), who.email, "Submitted", grade, maximum]
        lines.append(",".join([*row, no if name == locked else yes, THEN, THEN, quoted(text) if text else ""]))
    return end.join([*lines, ""])


def moodle_assignment(language: str = "en", **more: Any) -> MoodleAssignment:
    people = {int(who.participant): name for name, who in PEOPLE.items()}
    return MoodleAssignment(people, 5.5, language, **more)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_worksheet_is_taken_in_every_language(
    reports: ClassReports, tmp_path: Path, language: str, encoding: str
) -> None:
    filled = run(reports, "moodle-worksheet", into=write(tmp_path, worksheet(language).encode(encoding)))
    assignment = moodle_assignment(language)
    assignment.upload(filled.data)
    assert assignment.grades == {name: float(score) for name, score in scores(reports).items()}
    assert assignment.skipped == []
    assert "Shift &lt;by&gt; a parameter" in assignment.feedback["=1+1"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_worksheet_changes_in_grades_and_empty_comments_only(reports: ClassReports, tmp_path: Path, end: str) -> None:
    without = worksheet(end=end).replace(",Feedback comments", ",Marker")
    filled = run(reports, "moodle-worksheet", into=write(tmp_path, without))
    expected = worksheet(grades={name: str(score) for name, score in scores(reports).items()}, end=end)
    assert filled.data.decode() == expected.replace(",Feedback comments", ",Marker")


def test_a_comment_of_the_teacher_stays(reports: ClassReports, tmp_path: Path) -> None:
    place = write(tmp_path, worksheet(comments={"김철수": "By hand, see me"}))
    filled = run(reports, "moodle-worksheet", into=place)
    assert '"By hand, see me"' in filled.data.decode()
    assert "left as they are: 1 (see --overwrite-comments)" in filled.notes[0]
    assert b"By hand" not in run(reports, "moodle-worksheet", into=place, overwrite_comments=True).data


def test_a_comma_in_a_grade_would_lose_its_decimals(reports: ClassReports, tmp_path: Path) -> None:
    """The trap itself: an English site reads `4,83` as 4. What is written reads the same on every site."""
    assignment = moodle_assignment()
    assignment.upload(worksheet(grades={"@SUM(A1)": '"4,83"'}).encode())
    assert assignment.grades == {"@SUM(A1)": 4.0}
    assert b"4,83" not in run(reports, "moodle-worksheet", into=write(tmp_path, worksheet("de"))).data


def test_points_above_the_maximum_are_refused_where_moodle_would_drop_them(
    reports: ClassReports, tmp_path: Path
) -> None:
    low = worksheet().replace("5.50", "5.00")
    assert "The report counts 5.5 points, the platform 5" in refused(
        reports, "moodle-worksheet", into=write(tmp_path, low)
    )
    assignment = moodle_assignment()
    assignment.maximum = 5.0
    assignment.upload(worksheet(grades=dict.fromkeys(PEOPLE, "5.5")).encode())
    assert sorted(assignment.skipped) == sorted(PEOPLE)
    fresh = moodle_assignment()
    fresh.maximum = 5.0
    fresh.upload(run(reports, "moodle-worksheet", into=write(tmp_path, low), scale=True).data)
    assert fresh.skipped == [] and max(fresh.grades.values()) == 5


def test_a_locked_grade_is_said(reports: ClassReports, tmp_path: Path) -> None:
    filled = run(reports, "moodle-worksheet", into=write(tmp_path, worksheet("de", locked="=1+1")))
    assert any("'=1+1': the grade is locked in Moodle" in sentence for sentence in filled.left_out)
    assignment = moodle_assignment("de", locked={"=1+1"})
    assignment.upload(filled.data)
    assert assignment.skipped == [] and "=1+1" not in assignment.grades


def test_the_time_of_a_row_stays_so_that_moodle_can_see_a_later_grade(reports: ClassReports, tmp_path: Path) -> None:
    filled = run(reports, "moodle-worksheet", into=write(tmp_path, worksheet()))
    assignment = moodle_assignment(modified={"=1+1": datetime(2026, 3, 1, 12)}, grades={"=1+1": 1.0})
    assignment.upload(filled.data)
    assert (assignment.skipped, assignment.grades["=1+1"]) == (["=1+1"], 1.0)


def test_participants_may_be_known_by_their_address(reports: ClassReports, tmp_path: Path) -> None:
    people = {name: Identity(student=name, email=who.email) for name, who in PEOPLE.items()}
    place = write(tmp_path, worksheet())
    assert run(reports, "moodle-worksheet", into=place, roster=Roster("r", people)).written == len(PEOPLE)
    small = {name: Identity(student=name, email=who.email.lower()) for name, who in PEOPLE.items()}
    assert "None of them is there" in refused(reports, "moodle-worksheet", into=place, roster=Roster("r", small))


@pytest.mark.parametrize("language", [0, 1, 2, 3])
def test_headings_of_four_languages_are_known(reports: ClassReports, tmp_path: Path, language: int) -> None:
    """The same worksheet with the headings of each site comes back with the same cells."""
    english, body = worksheet().split("\n", 1)
    words = {known[0]: known[min(language, len(known) - 1)] for known in HEADINGS.values()}
    words["Maximum Grade"] = ("Maximum Grade", "Bestwertung", "Calificación máxima", "Note maximale")[language]
    head = ",".join(words.get(text, text) for text in english.split(","))
    filled = run(reports, "moodle-worksheet", into=write(tmp_path, f"{head}\n{body}"))
    plain = run(reports, "moodle-worksheet", into=write(tmp_path, worksheet()))
    assert filled.data.decode() == plain.data.decode().replace(english, head) and filled.written == len(PEOPLE)


def test_a_worksheet_without_comments_gets_none_and_says_so(reports: ClassReports, tmp_path: Path) -> None:
    filled = run(reports, "moodle-worksheet", into=write(tmp_path, worksheet().replace("Feedback comments", "X")))
    assert filled.notes == ["No column of comments was found, so none were written (see --columns comments=HEADING)."]


def test_a_worksheet_that_does_not_say_what_is_locked_gets_a_note(reports: ClassReports, tmp_path: Path) -> None:
    place = write(tmp_path, worksheet(locked="=1+1").replace("Grade can be changed", "Muutettavissa"))
    (note,) = run(reports, "moodle-worksheet", into=place).notes
    assert "No column says whose grade can be changed (see --columns changeable=HEADING)" in note
    named = run(reports, "moodle-worksheet", into=place, columns={"changeable": "Muutettavissa"})
    assert named.notes == [] and named.written == len(PEOPLE) - 1


def test_a_comment_beside_a_scaled_grade_of_the_worksheet_has_both_numbers(
    reports: ClassReports, tmp_path: Path
) -> None:
    filled = run(reports, "moodle-worksheet", into=write(tmp_path, worksheet().replace("5.50", "11.00")), scale=True)
    assert "11 of 11 points = 5.5 of 5.5 points: " in filled.data.decode()


def test_headings_of_another_language_are_named(reports: ClassReports, tmp_path: Path) -> None:
    place = write(tmp_path, worksheet().replace("Grade,Maximum", "Arvosana,Maximum"))
    sentence = refused(reports, "moodle-worksheet", into=place)
    assert "There is no column 'Grade' or 'Bewertung'" in sentence and "--columns grade=HEADING" in sentence
    filled = run(reports, "moodle-worksheet", into=place, columns={"grade": "Arvosana"})
    assert filled.written == len(PEOPLE)
    assert "Did you mean `grade`" in refused(reports, "moodle-worksheet", into=place, columns={"grad": "Arvosana"})
