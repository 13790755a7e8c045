"""Gradebooks of a class: every score reaches its own student by the platform's own rules, or nobody, and says so."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from grader.errors import UsageError
from grader.lms.formats import FORMATS, Choice, Filled, find_format
from grader.lms.moodle_worksheet import HEADINGS
from grader.lms.reports import ClassReports, read_class
from grader.lms.roster import Identity, Roster
from grader.results.assemble import Planned

from . import lms_schemas as schemas
from .lms_importers import Blackboard, Brightspace, CanvasCourse, MoodleAssignment, MoodleGradebook, Refused
from .lms_reports import ASSIGNMENT, HARD_NAMES, PLAN, report_of, write_class

NOW = datetime(2026, 3, 2, 9, 30, 0, 123456, tzinfo=UTC)
STATUSES: list[dict[str, Any]] = [
    {},
    {"shares.open": "failed"},
    {"Shift.open": "failed"},
    {"Shift.late": "error", "shares.open": "failed"},
]
PEOPLE = {
    name: Identity(
        student=name, name=name, canvas_id=str(100 + n), sis_id=f"s{n:03}", login=f"user{n}", email=f"U{n}@x.example",
        moodle_id=str(n + 1), participant=str(9000 + n), lti_user_id=f"sub-{n}",
    )
    for n, name in enumerate(HARD_NAMES)
}  # fmt: skip
ROSTER = Roster("roster.csv", PEOPLE)


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> ClassReports:
    """A class of hard names with several scores, one who could not be graded and one who handed nothing in."""
    graded = [report_of(name, STATUSES[n % len(STATUSES)]) for n, name in enumerate(HARD_NAMES)]
    folder = write_class(
        tmp_path_factory.mktemp("class") / "reports", [*graded, report_of("bad", problem="Not UTF-8.")], ["away"]
    )
    return read_class(folder)


def scores(reports: ClassReports) -> dict[str, Decimal]:
    return reports.scores(ASSIGNMENT).scores


def run(reports: ClassReports, name: str, **choice: Any) -> Filled:
    taken = Choice(**{"roster": ROSTER, "now": NOW, **choice})
    found = reports.scores(ASSIGNMENT, failed_as_zero=taken.failed_as_zero)
    return find_format(name).of_class(reports, found, taken)


def refused(reports: ClassReports, name: str, **choice: Any) -> str:
    with pytest.raises(UsageError) as caught:
        run(reports, name, **choice)
    return str(caught.value)


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def write(tmp_path: Path, text: str | bytes, name: str = "book.csv") -> Path:
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return tmp_path / name


# --- Canvas ---------------------------------------------------------------------------------------------------------

CANVAS_HEAD = "Student,ID,SIS User ID,SIS Login ID,Section,Old work (12),01_tiny (4711),Current Score"


def canvas_book(cells: Mapping[str, str] | None = None, *, top: str = "5.5", head: str = CANVAS_HEAD) -> str:
    """Return the gradebook that a course of Canvas exports, with these scores in the column."""
    known = cells or {}
    lines = [head, f"    Points Possible,,,,,10,{top},(read only)"]
    for name, who in PEOPLE.items():
        lines.append(f"{quoted(name)},{who.canvas_id},{who.sis_id},{who.login},S1,9.00,{known.get(name, '')},88.1")
    return "\r\n".join([*lines, '"Student, Test",999,,,S1,,,', ""])


def canvas_course() -> CanvasCourse:
    students = {int(who.canvas_id): (name, who.sis_id, who.login) for name, who in PEOPLE.items()}
    return CanvasCourse({**students, 999: ("Student, Test", "", "")}, {12: "Old work", 4711: "01_tiny"})


def test_canvas_gives_every_student_their_own_score(reports: ClassReports, tmp_path: Path) -> None:
    course = canvas_course()
    filled = run(reports, "canvas", into=write(tmp_path, canvas_book()))
    course.upload(filled.data)
    expected = {name: str(score) for name, score in scores(reports).items()}
    assert {name: course.grades[4711, int(PEOPLE[name].canvas_id)] for name in PEOPLE} == expected
    assert len({score for _, score in expected.items()}) == 4
    assert (course.new_students, course.new_assignments, filled.written) == ([], [], len(PEOPLE))
    assert filled.left_out == ["'bad' could not be graded: Not UTF-8."]


def test_canvas_changes_nothing_but_the_column(reports: ClassReports, tmp_path: Path) -> None:
    filled = run(reports, "canvas", into=write(tmp_path, canvas_book()))
    by_name = {name: str(score) for name, score in scores(reports).items()}
    assert filled.data.decode() == canvas_book(by_name)


@pytest.mark.parametrize("missing", [(), ("canvas_id",), ("canvas_id", "sis_id")])
def test_canvas_is_matched_by_id_then_sis_then_login(
    reports: ClassReports, tmp_path: Path, missing: tuple[str, ...]
) -> None:
    people = {name: Identity(**{**_fields(who), **dict.fromkeys(missing, "")}) for name, who in PEOPLE.items()}
    filled = run(reports, "canvas", into=write(tmp_path, canvas_book()), roster=Roster("r", people))
    assert filled.data == run(reports, "canvas", into=write(tmp_path, canvas_book())).data


def _fields(who: Identity) -> dict[str, str]:
    return {name: getattr(who, name) for name in Identity.__dataclass_fields__}


def test_a_name_alone_is_never_a_match(reports: ClassReports, tmp_path: Path) -> None:
    book = canvas_book().replace("104,s004,user4", "7777,x,y")
    filled = run(reports, "canvas", into=write(tmp_path, book))
    assert any("'김철수' is not in 'book.csv': canvas_id '104'" in sentence for sentence in filled.left_out)
    assert '"김철수",7777,x,y,S1,9.00,,88.1' in filled.data.decode()


def test_who_is_not_in_the_roster_is_listed(reports: ClassReports, tmp_path: Path) -> None:
    few = Roster("few.csv", {name: who for name, who in PEOPLE.items() if name != "=1+1"})
    filled = run(reports, "canvas", into=write(tmp_path, canvas_book()), roster=few)
    assert "'=1+1' is not in few.csv." in filled.left_out
    assert filled.written == len(PEOPLE) - 1


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("102,s002", "101,s002", "could be line 4 and line 5"),
        ("102,s002", "102,s001", "could be line 4 and line 5"),
        ("102,s002,user2", "102,s002,other", "login is 'user2' in the roster, and 'other' in line 5"),
        ("Section", "Group", "The last of the columns about the student is not Section"),
        ("Student,ID", "Name,ID", "It does not begin with Student and ID"),
        ("01_tiny (4711)", "01_tiny", "Canvas would make a new assignment"),
        ("01_tiny (4711)", "Another (4711)", "There is none called '01_tiny'. There are: 'Old work (12)'"),
        ("Old work (12)", "01_tiny (12)", "2 columns are called '01_tiny'"),
        ("10,5.5,", "10,10,", "The report counts 5.5 points, the platform 10"),
        ("10,5.5,", "10,(read only),", "Canvas only reads it out"),
        ("10,5.5,", "10,,", "Say it with --out-of"),
    ],
)
def test_a_gradebook_that_is_not_clear_is_refused(
    reports: ClassReports, tmp_path: Path, old: str, new: str, words: str
) -> None:
    assert old in canvas_book()
    assert words in refused(reports, "canvas", into=write(tmp_path, canvas_book().replace(old, new)))


def test_canvas_itself_would_take_the_traps() -> None:
    """The importer of these tests has the traps: a bare title is a new assignment, no Section is no gradebook."""
    course = canvas_course()
    course.upload(canvas_book(head=CANVAS_HEAD.replace("01_tiny (4711)", "HW")).encode())
    assert course.new_assignments == ["HW"]
    with pytest.raises(Refused, match="Invalid header row"):
        course.upload(canvas_book(head=CANVAS_HEAD.replace("Section", "Group")).encode())


def test_the_gradebook_of_another_course_is_refused(reports: ClassReports, tmp_path: Path) -> None:
    book = canvas_book()
    for n in range(len(PEOPLE)):
        book = book.replace(f"{100 + n},s{n:03},user{n},", f"{500 + n},t{n},other{n},")
    assert "Is it the file of another course?" in refused(reports, "canvas", into=write(tmp_path, book))


def test_canvas_scores_are_scaled_only_when_asked_and_never_above_the_maximum(
    reports: ClassReports, tmp_path: Path
) -> None:
    filled = run(reports, "canvas", into=write(tmp_path, canvas_book(top="10")), scale=True)
    course = canvas_course()
    course.upload(filled.data)
    got = [Decimal(course.grades[4711, int(who.canvas_id)]) for who in PEOPLE.values()]
    assert got[0] == 10 and max(got) == 10 and got[1] == Decimal("8.78")
    assert sum(score == 10 for score in got) == sum(score == Decimal("5.5") for score in scores(reports).values())


def test_a_semicolon_and_a_decimal_comma_are_read(reports: ClassReports, tmp_path: Path) -> None:
    book = canvas_book({"=1+1": "3.1"}).replace(",", ";").replace(";5.5;", ";5,5;").replace(";3.1;", ";3,1;")
    filled = run(reports, "canvas", into=write(tmp_path, book.replace("Doe; Jane", "Doe, Jane")))
    course = canvas_course()
    course.upload(filled.data)
    assert course.grades[4711, 102] == str(scores(reports)["Doe, Jane"])
    assert filled.notes == ["Other scores stood there before: '=1+1' 3,1 -> 5.5."]


def test_a_thousand_or_one_is_not_guessed(reports: ClassReports, tmp_path: Path) -> None:
    book = canvas_book(top='"1,000"')
    assert "Say it with --out-of" in refused(reports, "canvas", into=write(tmp_path, book))


def test_who_is_excused_stays_excused(reports: ClassReports, tmp_path: Path) -> None:
    filled = run(reports, "canvas", into=write(tmp_path, canvas_book({"=1+1": "EX"})))
    assert ",EX,88.1" in filled.data.decode()
    assert any("'=1+1' is excused in Canvas" in sentence for sentence in filled.left_out)


def test_an_equal_score_leaves_its_cell_as_it_is(reports: ClassReports, tmp_path: Path) -> None:
    filled = run(reports, "canvas", into=write(tmp_path, canvas_book({"=1+1": "5.50"})))
    assert ",5.50,88.1" in filled.data.decode() and filled.notes == []


def test_no_submission_and_no_grade_leave_the_cell_empty(reports: ClassReports, tmp_path: Path) -> None:
    both = {"bad": Identity(student="bad", canvas_id="201"), "away": Identity(student="away", canvas_id="202")}
    book = canvas_book() + "Bad,201,,,S1,,,\r\nAway,202,,,S1,,,\r\n"
    roster = Roster("r", {**PEOPLE, **both})
    assert (
        run(reports, "canvas", into=write(tmp_path, book), roster=roster)
        .data.decode()
        .endswith("Bad,201,,,S1,,,\r\nAway,202,,,S1,,,\r\n")
    )
    zero = run(reports, "canvas", into=write(tmp_path, book), roster=roster, failed_as_zero=True)
    assert zero.data.decode().endswith("Bad,201,,,S1,,0,\r\nAway,202,,,S1,,,\r\n") and zero.left_out == []


def test_first_and_last_names_in_columns_of_their_own(reports: ClassReports, tmp_path: Path) -> None:
    book = "LastName,FirstName,ID,SIS Login ID,Section,01_tiny (4711)\n    Points Possible,,,,,5.5\nX,Y,100,user0,S,\n"
    few = Roster("r", {"=1+1": PEOPLE["=1+1"]})
    assert (
        run(reports, "canvas", into=write(tmp_path, book), roster=few).data.decode().endswith("X,Y,100,user0,S,5.5\n")
    )


# --- Moodle's gradebook -----------------------------------------------------------------------------------------------


def moodle(by: str = "email", **more: Any) -> MoodleGradebook:
    return MoodleGradebook({getattr(who, by): name for name, who in PEOPLE.items()}, **more)


@pytest.mark.parametrize("by", ["email", "sis_id", "login", "moodle_id"])
@pytest.mark.parametrize("decimal_sign", [".", ","])
def test_moodle_takes_every_grade_in_every_language(reports: ClassReports, by: str, decimal_sign: str) -> None:
    book = moodle(by, decimal_sign=decimal_sign)
    book.upload(run(reports, "moodle", by=by).data)
    assert {name: grade for name, (grade, _) in book.grades.items()} == {
        name: float(score) for name, score in scores(reports).items()
    }
    assert all("points: Shares of a whole" in feedback for _, feedback in book.grades.values())
    assert all("Shift &lt;by&gt; a parameter" in feedback for _, feedback in book.grades.values())


def test_moodle_gets_no_row_without_an_identity(reports: ClassReports) -> None:
    """Such a row would give its grade to the student of the row before."""
    people = {**PEOPLE, "Doe, Jane": Identity(student="Doe, Jane", sis_id="s2")}
    filled = run(reports, "moodle", by="email", roster=Roster("r", people))
    book = moodle()
    book.upload(filled.data)
    assert book.grades.keys() == PEOPLE.keys() - {"Doe, Jane"}
    assert book.grades["@SUM(A1)"][0] == float(scores(reports)["@SUM(A1)"])
    assert "'Doe, Jane': the roster has no email." in filled.left_out
    trap = moodle()
    trap.upload(b"email,g,f\nU0@x.example,1,\n,2,\n")
    assert trap.grades == {"=1+1": (2.0, "")}


def test_one_bad_row_ends_moodles_import_so_none_is_written(reports: ClassReports) -> None:
    with pytest.raises(Refused, match="no user"):
        moodle().upload(b"email,g,f\nU0@x.example,1,\nnobody@x.example,2,\n")
    zero = {**PEOPLE, "Doe, Jane": Identity(student="Doe, Jane", moodle_id="0")}
    assert (
        "'Doe, Jane': the roster has no moodle_id."
        in run(reports, "moodle", by="moodle_id", roster=Roster("r", zero)).left_out
    )
    formula = {**PEOPLE, "Doe, Jane": Identity(student="Doe, Jane", login="=cmd")}
    assert "begins like a formula" in refused(reports, "moodle", by="login", roster=Roster("r", formula))


def test_moodle_refuses_more_than_a_hundred_points(tmp_path: Path) -> None:
    plan = [PLAN[0], Planned(id="Shift", title="S", points=Decimal(118))]
    reports = read_class(write_class(tmp_path / "reports", [report_of("=1+1", plan=plan)]))
    assert "120 is above 100" in refused(reports, "moodle")
    scaled = run(reports, "moodle", out_of=Decimal(100), scale=True)
    book = moodle()
    book.upload(scaled.data)
    assert book.grades["=1+1"][0] == 100
    unlimited = moodle(unlimited=True)
    unlimited.upload(run(reports, "moodle", out_of=Decimal(120)).data)
    assert unlimited.grades["=1+1"][0] == 120
    with pytest.raises(Refused, match="too big"):
        moodle().upload(run(reports, "moodle", out_of=Decimal(120)).data)


def test_moodle_writes_grade_and_feedback_together(reports: ClassReports) -> None:
    lines = run(reports, "moodle", title="HW 1").data.decode().split("\r\n")
    assert lines[0] == "email,HW 1,HW 1 (feedback)"
    assert all(line.count(",") >= 2 for line in lines[:-1])


def test_moodle_takes_the_first_identity_that_everybody_has(reports: ClassReports) -> None:
    people = {name: Identity(**{**_fields(who), "email": "", "sis_id": ""}) for name, who in PEOPLE.items()}
    assert run(reports, "moodle", roster=Roster("r", people)).data.startswith(b"username,")
    none = {name: Identity(student=name, canvas_id=who.canvas_id) for name, who in PEOPLE.items()}
    assert "None of email, sis_id, login, moodle_id is there for everybody" in refused(
        reports, "moodle", roster=Roster("r", none)
    )
    assert "Did you mean `email`" in refused(reports, "moodle", by="mail")


# --- Moodle's worksheet -----------------------------------------------------------------------------------------------

WORKSHEETS = {
    "en": ("Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
           "Last modified (submission),Last modified (grade),Feedback comments", "Participant ", "5.50", "Yes", "No"),
    "de": ("ID,Vollständiger Name,E-Mail-Adresse,Status,Bewertung,Bestwertung,Bewertung kann geändert werden,"
           "Zuletzt geändert (Abgabe),Zuletzt geändert (Bewertung),Feedback als Kommentar",
           "Teilnehmer/in", '"5,50"', "Ja", "Nein"),
}  # fmt: skip
THEN = '"Sunday, 1 March 2026, 10:00 AM"'


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


def test_headings_of_another_language_are_named(reports: ClassReports, tmp_path: Path) -> None:
    place = write(tmp_path, worksheet().replace("Grade,Maximum", "Arvosana,Maximum"))
    sentence = refused(reports, "moodle-worksheet", into=place)
    assert "There is no column 'Grade' or 'Bewertung'" in sentence and "--columns grade=HEADING" in sentence
    filled = run(reports, "moodle-worksheet", into=place, columns={"grade": "Arvosana"})
    assert filled.written == len(PEOPLE)
    assert "Did you mean `grade`" in refused(reports, "moodle-worksheet", into=place, columns={"grad": "Arvosana"})


# --- Brightspace and Blackboard ---------------------------------------------------------------------------------------


def brightspace() -> Brightspace:
    ids = {who.sis_id: name for name, who in PEOPLE.items()}
    return Brightspace({**ids, **{who.login: name for name, who in PEOPLE.items()}}, {"HW": 5.5, ASSIGNMENT: 5.5})


def brightspace_book(cells: Mapping[str, str] | None = None, details: str = "<Numeric MaxPoints:5.5 Weight:10>") -> str:
    lines = [f"OrgDefinedId,Username,HW Points Grade {details},End-of-Line Indicator"]
    for name, who in PEOPLE.items():
        lines.append(f"#{who.sis_id},#{who.login},{(cells or {}).get(name, '')},#")
    return "\r\n".join([*lines, ""])


def test_brightspace_takes_a_file_that_is_made(reports: ClassReports) -> None:
    course = brightspace()
    filled = run(reports, "brightspace")
    course.upload(filled.data)
    assert course.errors == []
    assert {name: grade for (_, name), grade in course.grades.items()} == {
        name: float(score) for name, score in scores(reports).items()
    }
    assert "must have a maximum of 5.5" in filled.notes[0]


def test_brightspace_gets_its_own_file_filled_in(reports: ClassReports, tmp_path: Path) -> None:
    filled = run(reports, "brightspace", into=write(tmp_path, brightspace_book()), column="HW")
    assert filled.data.decode() == brightspace_book({name: str(score) for name, score in scores(reports).items()})
    course = brightspace()
    course.upload(filled.data)
    assert course.grades["HW", "김철수"] == float(scores(reports)["김철수"]) and course.errors == []


def test_brightspace_would_cut_at_the_maximum(reports: ClassReports, tmp_path: Path) -> None:
    low = brightspace_book(details="<Numeric MaxPoints:5>")
    assert "the platform 5" in refused(reports, "brightspace", into=write(tmp_path, low), column="HW")
    none = brightspace_book(details="")
    assert "does not say it" in refused(reports, "brightspace", into=write(tmp_path, none), column="HW")
    assert "Columns of points are: 'HW'" in refused(reports, "brightspace", into=write(tmp_path, low))
    cut = brightspace()
    cut.items["HW"] = 5.0
    cut.upload(brightspace_book({"=1+1": "5.5"}).encode())
    assert cut.grades["HW", "=1+1"] == 5.0


def test_brightspace_identities_are_never_changed(reports: ClassReports) -> None:
    formula = Roster("r", {**PEOPLE, "=1+1": Identity(student="=1+1", login="=1+1")})
    assert "begins like a formula" in refused(reports, "brightspace", roster=formula)
    nobody = Roster("r", {**PEOPLE, "=1+1": Identity(student="=1+1")})
    assert "neither sis_id nor login" in " ".join(run(reports, "brightspace", roster=nobody).left_out)
    assert "use --title" in refused(reports, "brightspace", column="HW")


BLACKBOARD_HEAD = ["Last Name", "First Name", "Username", "Student ID", "HW [Total Pts: 5.5 Score] |12345",
                   "Total [Total Pts: up to 5.5 Score] |99"]  # fmt: skip


def blackboard_book(
    cells: Mapping[str, str] | None = None, heading: str = BLACKBOARD_HEAD[4], *, tabs: bool = True
) -> bytes:
    rows = [[*BLACKBOARD_HEAD[:4], heading, BLACKBOARD_HEAD[5]]]
    for name, who in PEOPLE.items():
        rows.append([name, "X", who.login, who.sis_id, (cells or {}).get(name, ""), ""])
    separator = "\t" if tabs else ","
    text = "\r\n".join(separator.join(quoted(cell) for cell in row) for row in rows) + "\r\n"
    return b"\xff\xfe" + text.encode("utf-16-le") if tabs else text.encode()


@pytest.mark.parametrize("tabs", [True, False])
def test_blackboard_gets_its_own_file_filled_in(reports: ClassReports, tmp_path: Path, tabs: bool) -> None:
    filled = run(reports, "blackboard", into=write(tmp_path, blackboard_book(tabs=tabs), "gc.xls"), column="HW")
    expected = {name: str(score) for name, score in scores(reports).items()}
    assert filled.data == blackboard_book(expected, tabs=tabs)
    course = Blackboard({who.login for who in PEOPLE.values()}, {"12345": "HW", "99": "Total"})
    course.upload(filled.data)
    assert course.text_columns == []
    assert course.grades["12345", "user4"] == float(scores(reports)["김철수"])
    assert len(course.grades) == len(PEOPLE)


@pytest.mark.parametrize(
    ("heading", "column", "words"),
    [
        ("HW", "HW", "Blackboard would make a column of text of it"),
        ("HW [Total Pts: 5.5 Score] |12345", "Total", "It is computed by Blackboard"),
        ("HW [Total Pts: 100 Percentage] |12345", "HW", "does not show a score"),
        ("HW [Total Pts: 6 Score] |12345", "HW", "the platform 6"),
        ("HW [Total Pts: 5.5 Score] |12345", "Nothing", "Columns with a number behind a bar are: 'HW', 'Total'"),
    ],
)
def test_a_column_of_blackboard_must_be_one_of_scores(
    reports: ClassReports, tmp_path: Path, heading: str, column: str, words: str
) -> None:
    place = write(tmp_path, blackboard_book(heading=heading))
    assert words in refused(reports, "blackboard", into=place, column=column)


def test_blackboard_would_make_text_of_a_bare_heading() -> None:
    course = Blackboard({"user0"}, {"12345": "HW", "99": "Total"})
    course.upload(blackboard_book({"=1+1": "5"}, "HW"))
    assert (course.text_columns, course.grades) == (["HW"], {})


# --- LTI and what all share -------------------------------------------------------------------------------------------


def test_lti_scores_are_valid_and_fresh(reports: ClassReports) -> None:
    documents = json.loads(run(reports, "lti").data, parse_float=Decimal)
    for document in documents:
        schemas.validate(json.loads(json.dumps(document, default=float)), schemas.AGS)
    assert {each["userId"]: each["scoreGiven"] for each in documents} == {
        PEOPLE[name].lti_user_id: score for name, score in scores(reports).items()
    }
    assert {each["timestamp"] for each in documents} == {"2026-03-02T09:30:00.123+00:00"}
    assert {each["scoreMaximum"] for each in documents} == {Decimal("5.5")}
    started = datetime.fromisoformat(reports.graded[0].started)
    assert all(datetime.fromisoformat(each["timestamp"]) > started for each in documents)


def test_lti_leaves_out_who_has_no_score(reports: ClassReports) -> None:
    """A score object without a score would wipe the grade out."""
    people = {**PEOPLE, "bad": Identity(student="bad", lti_user_id="sub-bad"), "=1+1": Identity(student="=1+1")}
    filled = run(reports, "lti", roster=Roster("r", people))
    assert b"sub-bad" not in filled.data
    assert filled.left_out == ["'bad' could not be graded: Not UTF-8.", "'=1+1': the roster has no lti_user_id."]
    zero = json.loads(run(reports, "lti", roster=Roster("r", people), failed_as_zero=True).data)
    assert {each["userId"]: each["scoreGiven"] for each in zero}["sub-bad"] == 0


@pytest.mark.parametrize("name", [name for name, each in FORMATS.items() if each.scope == "class"])
def test_every_format_of_a_class_asks_for_a_roster(reports: ClassReports, tmp_path: Path, name: str) -> None:
    into = write(tmp_path, canvas_book())
    assert "There is no roster" in refused(reports, name, roster=None, into=into)


@pytest.mark.parametrize("name", ["canvas", "moodle-worksheet", "blackboard"])
def test_a_format_that_fills_in_asks_for_the_file(reports: ClassReports, name: str) -> None:
    assert "--into" in refused(reports, name)


def test_two_maxima_that_contradict_are_refused(reports: ClassReports, tmp_path: Path) -> None:
    sentence = refused(reports, "canvas", into=write(tmp_path, canvas_book()), out_of=Decimal(10))
    assert "--out-of is 10, and the file says 5.5" in sentence


def test_two_students_in_one_row_are_refused(reports: ClassReports, tmp_path: Path) -> None:
    people = {**PEOPLE, "=1+1": Identity(student="=1+1", login="user1")}
    people["@SUM(A1)"] = Identity(student="@SUM(A1)", canvas_id="101")
    sentence = refused(reports, "canvas", into=write(tmp_path, canvas_book()), roster=Roster("r", people))
    assert "Line 4 could be '=1+1' and '@SUM(A1)'" in sentence
