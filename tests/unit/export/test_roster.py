"""`roster.csv` is any platform's export of people: rows are known by identities and whole names, nobody is guessed."""

import pytest

from grader.errors import UsageError
from grader.export.roster import Roster, read_roster

CANVAS = "Student,ID,SIS User ID,SIS Login ID,Section,Old work (12)\n    Points Possible,,,,,10\n"
SPLIT = CANVAS.replace("Student", "LastName,FirstName").replace("    Points Possible", "    Points Possible,")
MOODLE = "First name,Last name,ID number,Email address,Total\n"
MOODLE_KO = "이름,성,학번,이메일 주소\n"
WORKSHEET = "Identifier,Full name,Email address,Status,Grade\n"
BRIGHTSPACE = "OrgDefinedId,Username,Last Name,First Name,Email,HW Points Grade,End-of-Line Indicator\n"
BLACKBOARD = '"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"HW [Total Pts: 10 Score] |12"\n'
GRADESCOPE = "First Name,Last Name,SID,Email,Section\n"


def roster_of(folder, text, folders=()):
    """Return the roster that a file makes of these folders."""
    place = folder / "roster.csv"
    place.write_bytes(text if isinstance(text, bytes) else text.encode())
    return Roster(read_roster(place), [(folder, "01_a") for folder in folders])


def class_in(roster, assignment="01_a"):
    """Return who on the roster is called what."""
    everybody = {person.folder: person for person in roster.members(assignment).all}
    return {student: person for student, person in everybody.items() if student not in roster.strangers}


def name_of(roster, student):
    return class_in(roster)[student].name


def resolve(roster, text, assignment="01_a"):
    members = roster.members(assignment)
    return members.all[members.resolve(text)].folder


@pytest.mark.parametrize(
    ("text", "folder", "kind", "value"),
    [
        (CANVAS + '"Lee, Ann",123,s1,alee,S1,\n', "leeann_123", "login", "alee"),
        (CANVAS + '"이, 안나",123,s1,alee,S1,\n', "이안나_123", "sis_id", "s1"),
        (CANVAS + '"Lee, Ann",123,s1,alee,S1,\n', "ALEE", "canvas_id", "123"),
        (CANVAS + '"Lee, Ann",123,s1,alee,S1,\n', "S1", "canvas_id", "123"),
        (SPLIT + "Lee,Ann,123,s1,alee,S1,\n", "alee", "sis_id", "s1"),
        (MOODLE + "Ann,Lee,s1,ann@x.example,1\n", "Ann Lee_9001_assignsubmission_file_", "email", "ann@x.example"),
        (MOODLE + "철수,김,s1,kim@x.example,1\n", "김철수_9001", "sis_id", "s1"),
        (MOODLE + "철수,김,s1,kim@x.example,1\n", "철수 김_9001_assignsubmission_file_", "sis_id", "s1"),
        (MOODLE_KO + "철수,김,20231234,kim@x.example\n", "20231234", "email", "kim@x.example"),
        (MOODLE + "José,Ruiz,s1,j@x.example,1\n", "Jose\u0301 Ruiz_9001_assignsubmission_file_", "sis_id", "s1"),
        (WORKSHEET + "Participant 9001,Ann Lee,ann@x.example,,\n", "Ann Lee_9001", "participant", "9001"),
        (
            "ID,Vollständiger Name,E-Mail-Adresse,Bewertung kann geändert werden\nTeilnehmer/in 9001,Ana Ruiz,a@x,Ja\n",
            "Ana Ruiz_9001",
            "email",
            "a@x",
        ),
        ("Nombre,Apellido(s),Dirección de correo\nAna,Ruiz,a@x\n", "Ana Ruiz_7", "email", "a@x"),
        (BRIGHTSPACE + "#s1,#alee,Lee,Ann,ann@x.example,5,#\n", "123-456 - Ann Lee", "login", "alee"),
        (BRIGHTSPACE + "#s1,#alee,Lee,Ann,ann@x.example,5,#\n", "s1", "email", "ann@x.example"),
        (BLACKBOARD + '"Lee"\t"Ann"\t"alee"\t"s1"\t""\n', "alee", "number", "s1"),
        (GRADESCOPE + "Ann,Lee,s1,ann@x.example,A\n", "ann@x.example", "sis_id", "s1"),
        ('name,login\n"O\'Neil Smith, Jean-Luc",jl\n', "oneilsmithjeanluc_5", "login", "jl"),
        ("name,login\nAnn Lee,alee\n", "leeann_5", "login", "alee"),
        ("식별자,이메일 주소\n참가자 9001,k@x\n", "참가자_9001", "email", "k@x"),
        (MOODLE + "Siobhán,O'Brien,s1,sb@x,1\n", "Siobhán OBrien_9001", "email", "sb@x"),
        (MOODLE + "Ann,de_la Cruz,s1,ac@x,1\n", "Ann de la Cruz_9001", "email", "ac@x"),
        (WORKSHEET + "Participant 9001,Ann D'Souza,ad@x,,\n", "Ann DSouza_7", "email", "ad@x"),
        ("id,first_name,last_name,email,lms_user_id\nalee,Ann,Lee,a@x,\n", "alee", "login", "alee"),
        ("folder;name;login\ngroup 7;Ann Lee;alee\n", "group 7", "login", "alee"),
        ("student,login\nann,alee\n", "ann", "login", "alee"),
    ],
)
def test_a_folder_is_found_in_a_platforms_export(tmp_path, text, folder, kind, value):
    roster = roster_of(tmp_path, text, [folder])
    assert class_in(roster)[folder].ids[kind] == value
    assert set(class_in(roster)) == {folder}


def test_an_identity_of_any_kind_is_understood(tmp_path):
    text = "folder,name,login,email,sis id,number\n,Ann Lee,alee,ann@x.example,s1,0042\n"
    roster = roster_of(tmp_path, text, ["alee"])
    for named in ("alee", "ALEE", "ann@x.example", "s1", "0042", "42", "Ann Lee", " ann  lee "):
        assert resolve(roster, named) == "alee"


def test_lost_zeros_are_recognised_and_said(tmp_path):
    roster = roster_of(tmp_path, "name,number\nAnn Lee,12345\n", ["0012345"])
    assert name_of(roster, "0012345") == "Ann Lee"
    assert any("leading zeros" in note for note in roster.notes)


def test_zeros_that_tell_two_people_apart_are_not_dropped(tmp_path):
    roster = roster_of(tmp_path, "name,number\nAnn Lee,0123\nBen Fox,123\n", ["0123", "123"])
    assert (name_of(roster, "0123"), name_of(roster, "123")) == ("Ann Lee", "Ben Fox")


def test_who_is_nobody_is_never_taken_for_another_person(tmp_path):
    roster = roster_of(tmp_path, "name,login\nAnn Kim,kim01\nBen Kim,kim02\n", ["kim01"])
    assert resolve(roster, "kim02") == "kim02"
    with pytest.raises(UsageError) as caught:
        resolve(roster, "kim03")
    assert "kim01" not in str(caught.value) and "kim02" not in str(caught.value)


def test_a_name_of_two_people_is_refused_where_it_decides(tmp_path):
    text = "name,login\nKim Minsu,kim1\nKim Minsu,kim2\n"
    assert name_of(roster_of(tmp_path, text, ["kim1"]), "kim1") == "Kim Minsu"
    with pytest.raises(UsageError, match=r"'Kim Minsu' .could be 'kim1', 'kim2'."):
        roster_of(tmp_path, text, ["Kim Minsu"])


def test_a_number_in_a_folder_with_another_persons_name_is_not_theirs(tmp_path):
    text = WORKSHEET + "Participant 12,Eve Jung,eve@x,,\nParticipant 13,Ann Lee,ann@x,,\n"
    roster = roster_of(tmp_path, text, ["Team A_12", "Ann Lee_12"])
    assert class_in(roster).keys() == {"Ann Lee_12", "eve@x"} and name_of(roster, "Ann Lee_12") == "Ann Lee"


def test_an_anonymous_students_name_is_never_taken_for_a_number(tmp_path):
    roster = roster_of(tmp_path, CANVAS + '"Lee, Ann",12345,s1,alee,S1,\n', ["anon_12345"])
    assert set(class_in(roster)) == {"alee"}


def test_a_person_whom_moodle_numbers_anew_for_each_assignment_is_one_person(tmp_path):
    (tmp_path / "roster.csv").write_text("name,email\nAnn Lee,a@x\nBen Fox,b@x\n")
    roster = Roster(
        read_roster(tmp_path / "roster.csv"),
        [("Ann Lee_9001", "01_a"), ("Ann Lee_9101", "02_b"), ("Ben Fox_9002", "01_a")],
    )
    assert class_in(roster).keys() == {"Ann Lee_9001", "Ben Fox_9002"}
    assert class_in(roster, "02_b").keys() == {"Ann Lee_9101", "Ben Fox_9002"}
    assert resolve(roster, "a@x", "02_b") == "Ann Lee_9101" and resolve(roster, "a@x", "01_a") == "Ann Lee_9001"


def test_a_worksheet_of_each_assignment_tells_two_of_one_name_apart(tmp_path):
    people = []
    for first in (9100, 9000):  # the newest first
        rows = "".join(f"Participant {first + n},김민준,k{n}@x,,\n" for n in (1, 2))
        (tmp_path / "roster.csv").write_text(WORKSHEET + rows)
        people += read_roster(tmp_path / "roster.csv")
    roster = Roster(people, [("김민준_9001", "01_a"), ("김민준_9002", "01_a"), ("김민준_9102", "02_b")])
    assert class_in(roster, "02_b").keys() == {"김민준_9001", "김민준_9102"}
    assert [resolve(roster, f"k{n}@x", "02_b") for n in (1, 2)] == ["김민준_9001", "김민준_9102"]


def test_a_number_that_a_newer_roster_gives_to_another_person_is_theirs(tmp_path):
    rosters = ["login,number\nann,1\nben,2\n", "login,number\nann,2\n"]  # the newest first
    people = []
    for text in rosters:
        (tmp_path / "roster.csv").write_text(text)
        people += read_roster(tmp_path / "roster.csv")
    assert resolve(Roster(people, []), "2") == "ben"


def test_a_column_folder_settles_whose_a_folder_is(tmp_path):
    roster = roster_of(tmp_path, "folder,name,login\nann,Ann Lee,x\nben,Ben Fox,ann\n", ["ann", "ben"])
    assert (name_of(roster, "ann"), name_of(roster, "ben")) == ("Ann Lee", "Ben Fox")


def test_staff_and_points_are_nobody(tmp_path):
    text = "Name,SID,Email,Role\nAnn Lee,1,a@x,Student\nProf,2,p@x,Instructor\n"
    assert set(class_in(roster_of(tmp_path, text))) == {"a@x"}
    assert set(class_in(roster_of(tmp_path, CANVAS + '"Lee, Ann",15,s5,alee,S1,\n'))) == {"alee"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *((text, None) for text in (b"", b"\n\n", b"name,login\n", b"PK\3\4", b"\x81\x00\xff")),
        ("colour,size\nred,1\n", None),
        ('name,login\n"Ann,alee\n', None),
        ("name,login\nAnn Lee,alee\nAnna Lee,ALEE\n", "'alee' for 'Ann Lee' and 'Anna Lee'"),
        ("name,login,Canvas ID\nAnn Lee,alee,123\n", "folder"),
    ],
)
def test_what_is_no_roster_or_not_clear_is_refused(tmp_path, text, reason):
    with pytest.raises(UsageError, match=reason):
        roster_of(tmp_path, text, ["alee", "annlee_123"])


def test_a_column_id_is_canvas_s_in_its_own_tables_and_nothing_elsewhere(tmp_path):
    """A student's number may be another one's in Canvas, and a push goes by it."""
    assert class_in(roster_of(tmp_path, "name,email,ID\nAnn Lee,a@x,12\n", ["Bob Fox_12", "12"])).keys() == {"a@x"}
    assert class_in(roster_of(tmp_path, "name,number\nAnn Lee,12\n", ["Bob Fox_12"])).keys() == {"12"}


def test_one_persons_number_may_be_anothers_in_canvas(tmp_path):
    text = CANVAS + '"Lee, Ann",1001,1028,alee,S1,\n"Fox, Ben",1028,s2,bfox,S1,\n'
    roster = roster_of(tmp_path, text, ["leeann_1001", "foxben_1028"])
    with pytest.raises(UsageError, match="could be 'foxben_1028', 'leeann_1001'"):
        resolve(roster, "1028")
    for row in read_roster(tmp_path / "roster.csv"):
        assert len(roster.members("01_a").find_row(row)) == 1


def test_a_name_does_nothing_in_a_terminal(tmp_path):
    roster = roster_of(tmp_path, 'name,login\n"\x1b[2JAnn\u202e Lee",ann\n', ["ann"])
    assert name_of(roster, "ann") == "\\x1b[2JAnn\\u202e Lee"


def test_canvas_number_finds_a_person_whose_name_is_in_other_letters(tmp_path):
    text = "이름,학번,Canvas ID\n김민준,20231001,123\nElizabeth Fox,20231002,124\n"
    roster = roster_of(tmp_path, text, ["kimminjun_123", "foxliz_124"])
    assert name_of(roster, "kimminjun_123") == "김민준" and name_of(roster, "foxliz_124") == "Elizabeth Fox"


@pytest.mark.parametrize("other", ["김민준", "Müller, Zoë", "Fo, X"])
def test_a_folder_of_canvas_is_nobodys_where_the_name_and_the_number_are_two_peoples(tmp_path, other):
    text = CANVAS + f'"{other}",12,s1,alee,S1,\n"Fox, Bob",13,s2,bfox,S1,\n'
    roster = roster_of(tmp_path, text, ["foxbob_12"])
    assert roster.strangers == {"foxbob_12"}


def test_folders_of_two_people_of_one_name_are_named_together_and_a_person_may_have_several(tmp_path):
    text = "name,number,folder\n"
    kims = ["1-11 - Kim Minsu", "2-11 - Kim Minsu", "3-12 - Kim Minsu", "4-12 - Kim Minsu"]
    with pytest.raises(UsageError) as refusal:
        roster_of(tmp_path, text + "Kim Minsu,7,\nKim Minsu,8,\n", kims)
    assert all(folder in str(refusal.value) for folder in kims)
    rows = [f"Kim Minsu,{7 + at % 2},{folder}\n" for at, folder in enumerate(kims)]
    places = [(folder, "01_a" if at < 2 else "02_b") for at, folder in enumerate(kims)]
    (tmp_path / "roster.csv").write_text(text + "".join(rows))
    roster = Roster(read_roster(tmp_path / "roster.csv"), places)
    second = roster.members("02_b")
    assert [second.all[second.resolve(number)].folder for number in ("7", "8")] == kims[2:]
    assert roster.strangers == set()


def test_who_enrolled_later_is_not_somebody_else_of_that_name(tmp_path):
    text = CANVAS + '"Kim, Minjun",1224,s1,minjun1,S,\n'
    roster = roster_of(tmp_path, text, ["kimminjun_1225"])
    assert roster.strangers == {"kimminjun_1225"}


def test_a_team_without_names_is_no_participant_of_its_number(tmp_path):
    text = "Identifier,Status,Grade\nParticipant 12,Submitted,\nParticipant 13,Submitted,\n"
    roster = roster_of(tmp_path, text, ["Team A_12", "Team A-Participant_13"])
    assert roster.strangers == {"Team A_12"}


def test_a_team_in_front_of_a_name_costs_nothing_where_the_worksheet_has_the_number(tmp_path):
    text = WORKSHEET + "Participant 9001,Gil Grün,gil@x,,\nParticipant 9002,Lee Kim,lee@x,,\n"
    roster = roster_of(tmp_path, text, ["Team 3-Gil Grün_9001", "Ann-Lee Kim_9003"])
    assert name_of(roster, "Team 3-Gil Grün_9001") == "Gil Grün" and "Ann-Lee Kim_9003" in roster.strangers
