"""One column of a platform's own table is filled in, and every other cell stays as it was."""

import csv
import io
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.errors import UsageError
from grader.export.fill import fill
from grader.export.grades import read_grades
from grader.export.tables import read_table

from ...support.reports.lms_reports import ASSIGNMENT, report_of, write_class
from . import gradebooks
from .gradebooks import BOOKS, GRADED, class_of


@pytest.fixture(scope="module")
def grades(tmp_path_factory):
    return class_of(tmp_path_factory.mktemp("class") / "reports")


@pytest.fixture
def filled(grades, tmp_path):
    """Fills a table in, given as text or bytes."""

    def run(book, column="HW1", key=None):
        place = tmp_path / "book.csv"
        place.write_bytes(book if isinstance(book, bytes) else book.encode())
        return fill(place, column, key, grades, ASSIGNMENT)

    return run


def unquoted(done):
    return done.data.decode().replace('"', "")


def rows_of(data, encoding, separator):
    text = data.decode(encoding)
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))


@pytest.mark.parametrize("name", list(BOOKS))
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp949"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_gradebook_gets_the_points_and_nothing_else(filled, name, encoding, separator, end):
    make, column = BOOKS[name]
    book = make(separator, end)
    if encoding == "cp949":
        book = book.replace("Müßig; Jürgen", "뮈시히; 유르겐")
    data = book.encode(encoding)
    done = filled(data)
    before, after = (rows_of(table, encoding, separator) for table in (data, done.data))
    assert len(before) == len(after)
    changed = [(n, at) for n, row in enumerate(before) for at, cell in enumerate(row) if after[n][at] != cell]
    assert {at for _, at in changed} == {column}
    points = [after[n][column] for n, _ in changed]
    assert points == ["5.5", "4.8", "5.5", "5.5", "5.5"] and done.written == len(GRADED)
    for mark in (b"\xef\xbb\xbf", b"\xff\xfe"):
        assert done.data.startswith(mark) == data.startswith(mark)
    assert done.data.decode(encoding).count("\r\n") == book.count("\r\n")


def test_who_has_no_points_or_no_row_is_listed_and_their_cells_stay(filled):
    book = gradebooks.canvas().replace('9.00,,88.1\r\n"Out', '9.00,3,88.1\r\n"Out')
    done = filled(book)
    assert "S1,9.00,3,88.1" in unquoted(done)
    told = "\n".join(done.left_out)
    assert "fbad" in told and "Not UTF-8" in told and "stray" in told and "book.csv" in told
    assert [line for line in done.missing if "gout" in line] == done.missing and len(done.missing) == 1


def test_the_rows_of_canvas_that_are_no_students_are_kept_and_not_said(filled):
    done = filled(gradebooks.canvas())
    assert "Points Possible" in unquoted(done) and "Student, Test" in unquoted(done)
    assert not any("Points Possible" in note or "Student, Test" in note for note in done.notes)


def test_no_quotation_mark_is_behind_a_byte_order_mark(filled):
    done = filled(b"\xef\xbb\xbf" + gradebooks.canvas().encode())
    assert done.data.startswith(b"\xef\xbb\xbfStudent,")


@pytest.mark.parametrize("mark", ["EX", "N/A"])
def test_who_is_excused_or_has_no_assignment_there_stays_so(filled, mark):
    book = gradebooks.canvas().replace("alee,S1,9.00,,", f"alee,S1,9.00,{mark},")
    done = filled(book)
    assert f"alee,S1,9.00,{mark}," in unquoted(done)
    assert any("alee" in line and mark in line for line in done.left_out)


@pytest.mark.parametrize("no", ["No", "아니요"])
def test_a_locked_row_of_moodle_is_left_and_said(filled, no):
    lines = gradebooks.moodle_worksheet().replace(",Submitted,,5.50,Yes", f",Submitted,,5.50,{no}", 1)
    done = filled(lines)
    assert done.written == len(GRADED) - 1
    assert any("alee" in line and "locked" in line for line in done.left_out)


@pytest.mark.parametrize(
    "book",
    [
        gradebooks.canvas().replace(",10,5.5,", ",10,100,"),
        gradebooks.moodle_worksheet().replace("5.50", "100.00"),
        gradebooks.brightspace().replace("MaxPoints:5.5", "MaxPoints:100"),
        gradebooks.blackboard().replace("Total Pts: 5.5", "Total Pts: 100"),
    ],
)
def test_other_points_on_the_platform_are_said(filled, book):
    assert any("100 points" in note and "5.5" in note for note in filled(book).notes)


def test_the_same_points_say_nothing(filled):
    assert not any("points" in note for note in filled(gradebooks.brightspace()).notes)


@pytest.mark.parametrize(
    ("make", "called"),
    [
        (gradebooks.canvas, "HW1 (4711)"),
        (gradebooks.canvas, "hw1"),
        (gradebooks.moodle_report, "Assignment: HW1"),
        (gradebooks.moodle_report, "Assignment: HW1 (Real)"),
        (gradebooks.brightspace, "HW1 Points Grade <Numeric MaxPoints:5.5 Weight:10>"),
    ],
)
def test_a_column_is_known_by_its_heading_or_its_title(filled, make, called):
    assert filled(make(), called).written == len(GRADED)


@pytest.mark.parametrize("called", ["HW2", "", "Score", "HW", "4711"])
def test_a_column_that_is_not_there_is_refused_and_the_headings_named(filled, called):
    with pytest.raises(UsageError, match="4711"):
        filled(gradebooks.canvas(), called)


def test_any_table_is_filled_by_a_key(filled):
    done = filled("wer;HW1;Notiz\nalee;;x\n" + '"김철수";;"a;b"\n', key="wer")
    assert unquoted(done) == "wer;HW1;Notiz\nalee;5.5;x\n김철수;5.5;a;b\n"
    with pytest.raises(UsageError, match="wem"):
        filled("wer;HW1\nalee;\n", key="wem")


CANVAS = gradebooks.canvas()
ANN = next(line for line in CANVAS.split("\r\n") if ",alee," in line) + "\r\n"
NOBODY = re.sub(r",10\d,00\d7,([a-z]+),", r",7,s7,other\1,", CANVAS)
NOT_CLEAR = {
    "a column that Canvas computes": (CANVAS, "Current Score", "read only"),
    "two columns of one title": (CANVAS.replace("Old (12)", "HW1 (12)"), "HW1", "2 columns"),
    "a student who is there twice": (CANVAS + ANN, "HW1", "twice"),
    "a row of two students": (CANVAS.replace(",alee,", ",bfox,"), "HW1", "could be"),
    "the table of another course": (NOBODY, "HW1", "this course's table"),
}


@pytest.mark.parametrize("case", NOT_CLEAR)
def test_what_is_not_clear_is_refused(filled, case):
    book, column, reason = NOT_CLEAR[case]
    with pytest.raises(UsageError, match=reason):
        filled(book, column)


@pytest.mark.parametrize(("column", "key"), [("SIS Login ID", None), ("Student", "ID"), ("Section", "Section")])
def test_a_column_that_says_who_is_who_is_never_filled(filled, column, key):
    with pytest.raises(UsageError, match="who is who"):
        filled(gradebooks.canvas(), column, key)


def test_another_person_of_the_same_name_gets_nothing(filled):
    book = gradebooks.canvas() + '"Lee, Ann",555,s555,alee2,S2,,,\r\n'
    done = filled(book)
    assert "Lee, Ann,555,s555,alee2,S2,,," in unquoted(done)


def test_other_points_that_were_there_are_said(filled):
    book = CANVAS.replace("alee,S1,9.00,,", "alee,S1,9.00,5.50,").replace("bfox,S1,9.00,,", "bfox,S1,9.00,1,")
    (told,) = (note for note in filled(book).notes if "before" in note)
    assert "'bfox' 1 -> 4.8" in told and "alee" not in told


def test_a_folder_of_another_name_with_a_platforms_number_is_not_that_persons(tmp_path):
    write_class(tmp_path / "reports", [report_of("group_12"), report_of("Ann Lee_13")])
    book = tmp_path / "book.csv"
    book.write_text("Identifier,Full name,HW1\nParticipant 12,Eve Jung,\nParticipant 13,Ann Lee,\n")
    done = fill(book, "HW1", None, read_grades(tmp_path / "reports"), ASSIGNMENT)
    assert "Eve Jung,\n" in unquoted(done) and "Ann Lee,5.5\n" in unquoted(done)
    assert any("group_12" in line for line in done.left_out)


def test_a_table_with_names_alone_is_filled_by_whole_names(filled):
    done = filled("Last name,First name,HW1\n김,철수,\n김,수철,\n")
    assert unquoted(done) == "Last name,First name,HW1\n김,철수,5.5\n김,수철,\n"
    assert unquoted(filled("name,HW1\n철수 김,\nAnn Lee,\n")) == "name,HW1\n철수 김,5.5\nAnn Lee,5.5\n"


def test_a_zero_that_a_spreadsheet_dropped_is_found_and_said(filled):
    book = "number,HW1\n17,\n"
    done = filled(book)
    assert unquoted(done) == "number,HW1\n17,4.8\n"
    assert any("leading zeros" in note for note in done.notes)


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0", exclude_categories=["Cs"]), max_size=8)


@given(
    st.lists(st.lists(CELLS, min_size=3, max_size=5), max_size=6),
    st.sampled_from(",;\t"),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_filling_changes_the_column_and_nothing_else(grades, tmp_path, others, separator, end, quoting, encoding):
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator, lineterminator=end, quoting=quoting)
    rows = [["login", "note", "HW1"], ["alee", "x", ""], *([f"other{n}", *row] for n, row in enumerate(others))]
    writer.writerows(rows)
    place = tmp_path / "book.csv"
    place.write_bytes(text.getvalue().encode(encoding))
    done = fill(place, "HW1", "login", grades, ASSIGNMENT)
    after = rows_of(done.data, encoding, separator)
    before = rows_of(place.read_bytes(), encoding, separator)
    assert after == [before[0], ["alee", "x", "5.5"], *before[2:]]


@given(st.binary(max_size=60))
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_a_table_or_refused(tmp_path, data):
    place = tmp_path / "book.csv"
    place.write_bytes(data)
    try:
        table = read_table(place)
    except UsageError:
        return
    place.write_bytes(table.to_bytes())
    again = read_table(place)
    assert [row for row in again.rows if any(row)] == [row for row in table.rows if any(row)]


def test_a_table_of_brightspace_needs_the_roster(tmp_path):
    write_class(tmp_path / "reports", [report_of("123-456 - Ann Lee")])
    book = tmp_path / "book.csv"
    book.write_text("OrgDefinedId,Username,Last Name,First Name,HW1,End-of-Line Indicator\n#s1,#alee,Lee,Ann,,#\n")
    with pytest.raises(UsageError, match=r"roster\.csv"):
        fill(book, "HW1", None, read_grades(tmp_path / "reports"), ASSIGNMENT)
