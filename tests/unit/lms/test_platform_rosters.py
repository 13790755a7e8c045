"""A platform's own table of people is a roster: rows are known by identities and whole names, and nobody is guessed."""

from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.lms.platform_rosters import read_people
from grader.lms.roster import Identity

from .lms_gradebooks import HARD_NAMES, PEOPLE, canvas_book

CANVAS = "Student,ID,SIS User ID,SIS Login ID,Section,Old work (12)\n    Points Possible,,,,,10\n"
SPLIT = CANVAS.replace("Student", "LastName,FirstName").replace("    Points Possible", "    Points Possible,")
MOODLE = "First name,Last name,ID number,Email address,Total\n"
WORKSHEET = "Identifier,Full name,Email address,Status,Grade\n"
BRIGHTSPACE = "OrgDefinedId,Username,Last Name,First Name,Email,HW Points Grade,End-of-Line Indicator\n"
BLACKBOARD = '"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"HW [Total Pts: 10 Score] |12"\n'
ANA = "Ana Ruiz_9001_assignsubmission_file_"
GITHUB = "identifier,github_username,github_id,name\n"
GRADESCOPE = "First Name,Last Name,SID,Email,Section\n"


def people(folder: Path, text: str | bytes, folders: list[str]) -> dict[str, Identity]:
    place = folder / "people.csv"
    place.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_people(place, folders).people


def refused(folder: Path, text: str, folders: list[str]) -> str:
    with pytest.raises(UsageError) as caught:
        people(folder, text, folders)
    assert caught.value.exit_code == 2
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "folder", "what", "value"),
    [
        (CANVAS + '"Lee, Ann",123,s1,alee,S1,\n', "leeann_123", "login", "alee"),
        (CANVAS + '"이, 안나",123,s1,alee,S1,\n', "이안나_123", "sis_id", "s1"),
        (CANVAS + '"Lee, Ann",123,s1,alee,S1,\n', "alee", "canvas_id", "123"),
        (CANVAS + '"Lee, Ann",123,s1,alee,S1,\n', "S1", "canvas_id", "123"),
        (SPLIT + "Lee,Ann,123,s1,alee,S1,\n", "alee", "sis_id", "s1"),
        (SPLIT + "Lee,Ann,123,s1,alee,S1,\n", "leeann_123", "last_name", "Lee"),
        (MOODLE + "Ann,Lee,s1,ann@x.example,1\n", "Ann Lee_9001_assignsubmission_file_", "email", "ann@x.example"),
        (MOODLE + "철수,김,s1,kim@x.example,1\n", "김철수_9001_assignsubmission_file_", "sis_id", "s1"),
        (MOODLE + "Min-ji,Kim,s1,kim@x.example,1\n", "Kim Min-ji_9001_assignsubmission_file_", "sis_id", "s1"),
        (MOODLE + "José,Ruiz,s1,j@x.example,1\n", "Jose\u0301 Ruiz_9001_assignsubmission_file_", "sis_id", "s1"),
        (
            WORKSHEET + "Participant 9001,Ann Lee,ann@x.example,,\n",
            "Ann Lee_9001_assignsubmission_file_",
            "participant",
            "9001",
        ),
        ("Nombre,Apellido(s),Dirección de correo\nAna,Ruiz,a@x.example\n", ANA, "email", "a@x.example"),
        ("Identifiant,Nom complet,Adresse de courriel\nParticipant 9001,Ana Ruiz,\n", ANA, "participant", "9001"),
        ("ID,Vollständiger Name,E-Mail-Adresse\nTeilnehmer/in 9001,Ana Ruiz,\n", ANA, "participant", "9001"),
        (BRIGHTSPACE + "#s1,#alee,Lee,Ann,ann@x.example,5,#\n", "123-456 - Ann Lee", "login", "alee"),
        ("OrgDefinedId,HW Points Grade,End-of-Line Indicator\n#s1,5,#\n", "s1", "sis_id", "s1"),
        (BRIGHTSPACE + "#s1,#alee,Lee,Ann,ann@x.example,5,#\n", "s1", "email", "ann@x.example"),
        (BLACKBOARD + '"Lee"\t"Ann"\t"alee"\t"s1"\t""\n', "alee", "sis_id", "s1"),
        (GITHUB + '"Lee, Ann",annl,77,\n', "annl", "sis_id", "Lee, Ann"),
        (GITHUB + "s1,,,Ann Lee\n", "s1", "name", "Ann Lee"),
        (GRADESCOPE + "Ann,Lee,s1,ann@x.example,A\n", "ann@x.example", "sis_id", "s1"),
    ],
)
def test_a_folder_is_found_in_a_platforms_table(tmp_path, text, folder, what, value):
    found = people(tmp_path, text, [folder])
    assert list(found) == [folder]
    assert getattr(found[folder], what) == value


def test_a_gradebook_of_canvas_is_everybody_but_its_points_and_its_test_student(tmp_path):
    found = people(tmp_path, canvas_book(), list(HARD_NAMES))
    assert {name: each.canvas_id for name, each in found.items()} == {
        name: PEOPLE[name].canvas_id for name in HARD_NAMES
    }


def test_a_student_who_is_called_test_student_is_not_the_one_that_canvas_makes(tmp_path):
    made = f'"Student, Test",99,,{"0a" * 20},S1,\n'
    split = made.replace('"Student, Test"', "Student,Test")
    assert set(people(tmp_path, SPLIT + "Lee,Ann,123,s1,alee,S1,\n" + split, [])) == {"alee"}
    assert set(people(tmp_path, CANVAS + '"Student, Test",15,s5,tstud,S1,\n' + made, [])) == {"tstud"}
    assert set(people(tmp_path, CANVAS + '"Student, Test",15,,tstud,S1,\n' + made, [])) == {"tstud"}


def test_staff_on_a_roster_of_gradescope_are_not_students(tmp_path):
    text = (
        "Name,SID,Email,Role\nAnn Lee,1,ann@x.example,Student\nProf,2,prof@x.example,Instructor\nT,3,t@x.example,TA\n"
    )
    assert set(people(tmp_path, text, [])) == {"1"}


def test_who_has_neither_address_nor_number_is_called_by_the_name(tmp_path):
    text = MOODLE + "Ann,Lee,,,1\nBen,Kim,,,2\n"
    assert set(people(tmp_path, text, ["Ann Lee_9001_assignsubmission_file_"])) == {
        "Ann Lee_9001_assignsubmission_file_",
        "Ben Kim",
    }
    assert "'Ann Lee' has two" in refused(tmp_path, text + "Ann,Lee,,,3\n", [])


def test_utf_16_with_tabs_is_read(tmp_path):
    found = people(tmp_path, (BLACKBOARD + '"이"\t"안나"\t"alee"\t"s1"\t""\n').encode("utf-16"), ["alee"])
    assert found["alee"].last_name == "이"


def test_who_has_no_folder_is_called_by_the_login_and_nobody_is_matched_by_likeness(tmp_path):
    rows = "Minji,Kim,s1,kim@x.example,1\nAnne,Lee,s2,anne@x.example,1\n"
    found = people(tmp_path, MOODLE + rows, ["Kim Min-ji_1_assignsubmission_file_", "Ann Lee_2_assignsubmission_file_"])
    assert sorted(found) == ["s1", "s2"]


def test_a_number_of_somebody_with_another_name_is_not_taken(tmp_path):
    found = people(tmp_path, CANVAS + '"Lee, Ann",12,s1,alee,S1,\n', ["kimben_12"])
    assert list(found) == ["alee"]
    sheet = WORKSHEET + "Participant 9001,Ben Kim,ben@x.example,,\n"
    assert list(people(tmp_path, sheet, ["Ann Lee_9001_assignsubmission_file_"])) == ["ben@x.example"]
    found = people(tmp_path, CANVAS + '"이, 안나",12,s1,alee,S1,\n', ["김민준_12"])
    assert list(found) == ["alee"]
    group = WORKSHEET + "Participant 17,김민준,kim@x.example,,\n"
    assert list(people(tmp_path, group, ["1조_17_assignsubmission_file_"])) == ["kim@x.example"]


@pytest.mark.parametrize("folder", ["annlee_123", "±è¹ÎÁØ_123", "안나이_123"])
def test_a_number_counts_where_names_can_not_be_compared(tmp_path, folder):
    """In the platform's table the name may be in other letters, and a Korean one that was unpacked wrongly is odd."""
    assert list(people(tmp_path, CANVAS + '"이, 안나",123,s1,alee,S1,\n', [folder])) == [folder]


@pytest.mark.parametrize(
    ("text", "folders", "words"),
    [
        (
            MOODLE + "Ann,Lee,s1,a@x.example,1\nAnn,Lee,s2,b@x.example,1\n",
            ["Ann Lee_9001_assignsubmission_file_"],
            "could be 's1' and 's2'. Make a roster.csv",
        ),
        (
            MOODLE + "Ann,Lee,s1,a@x.example,1\n",
            ["Ann Lee_1_assignsubmission_file_", "Ann Lee_2_assignsubmission_file_"],
            "could both be 's1'",
        ),
        (CANVAS + "Ann,101,s1,alee,S1,\nBen,102,101,ben,S1,\n", ["101"], "'101' could be 'alee' and 'ben'"),
        (CANVAS + "Ann,101,s1,alee,S1,\nBen,101,s2,ben,S1,\n", [], "have the same: '101'"),
        (CANVAS + "Ann,101,s1,alee,S1,\nBen,102,s2,alee,S1,\n", [], "'alee' has two"),
        (CANVAS + "Ann,1.2E+11,s1,alee,S1,\n", [], "a number shortened by a spreadsheet"),
        (CANVAS, [], "a gradebook of Canvas. There are none."),
        ("Name,Points\nAnn,1\n", [], "The heading 'points' is not known"),
    ],
)
def test_what_is_not_clear_is_refused(tmp_path, text, folders, words):
    assert words in refused(tmp_path, text, folders)
