"""A roster says who a folder is: exactly, or not at all."""

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import UsageError
from grader.lms.roster import COLUMNS, Identity, Roster, read_roster, roster_of_folders
from grader.lms.tables import decode_table, number_text, rounded


def read(tmp_path: Path, text: str | bytes) -> Roster:
    place = tmp_path / "roster.csv"
    place.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_roster(place)


def refused(tmp_path: Path, text: str | bytes) -> str:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, text)
    return str(caught.value)


def test_a_row_says_who_a_folder_is(tmp_path: Path) -> None:
    roster = read(tmp_path, 'student,name,login,canvas_id\nann,"Doe, Ann",adoe,101\n')
    assert roster.people["ann"] == Identity(student="ann", name="Doe, Ann", login="adoe", canvas_id="101")
    people, unknown = roster.match(["ben", "ann"])
    assert (list(people), unknown) == (["ann"], ["ben"])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_tables_of_all_spreadsheets_are_read(tmp_path: Path, encoding: str, separator: str, end: str) -> None:
    rows = [["student", "email"], ["김철수", "kim@x.example"], ['"a, b; c"', "ann@x.example"]]
    text = "".join(separator.join(row) + end for row in rows)
    roster = read(tmp_path, text.encode(encoding))
    assert roster.people["김철수"].email == "kim@x.example"
    assert roster.people["a, b; c"].email == "ann@x.example"


def test_an_accent_may_be_encoded_either_way(tmp_path: Path) -> None:
    roster = read(tmp_path, "student,login\nJose\u0301,j\n")
    assert roster.match(["Jos\u00e9"])[0]["Jos\u00e9"].login == "j"


def test_capitals_are_not_guessed(tmp_path: Path) -> None:
    assert read(tmp_path, "student,login\nAnn,a\n").match(["ann"])[1] == ["ann"]


def test_one_row_is_never_two_students(tmp_path: Path) -> None:
    roster = read(tmp_path, "student,login\n'=x,a\n")
    assert roster.match(["=x"])[0]["=x"].login == "a"
    with pytest.raises(UsageError, match="both have the row"):
        roster.match(["=x", "'=x"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("student,login\nann,a\nann,b\n", "line 3. 'ann' has two rows, the other in line 2"),
        ("student,login\nJos\u00e9,a\nJose\u0301,b\n", "has two rows"),
        ("student,login\nann,a\nben,a\n", "'ann' and 'ben' have the same: 'a'"),
        ("student,canvas_id\nann,1\nben,1\n", "One student for each canvas_id"),
        ("student,login\nann,Kim\nben,kim\n", "'ann' and 'ben' have the same: 'Kim' and 'kim'"),
        ("student,email\nann,jose\u0301@x\nben,jos\u00e9@x\n", "One student for each email"),
        ("student,sis_id\nann,\uff11\nben,1\n", "One student for each sis_id"),
        (
            "student,sis_id\nann,2.02312E+11\n",
            "The sis_id of 'ann' is 2.02312E+11, a number shortened",
        ),
        ("student;canvas_id\nann;2,02312E+11\n", "Set the column to the format Text"),
        ("name,student\nAnn\nBen,ben\n", "line 2. The row has no student"),
        ("student,,login\nann,x,a\n", "The heading '' is not known"),
        ("student,login,\nann,a,b\n", "The heading '' is not known"),
        ("login\na\n", "There is no column student"),
        ("student,logn\nann,a\n", "Did you mean `login`?"),
        ("student,login,login\nann,a,b\n", "is there twice"),
        ("student,login\n,a\n", "line 2. The row has no student"),
        ("student,login\nDoe, Ann,a\n", "Put a name with a comma in double quotes"),
        ('student,login\n"ann,a\n', "In line 2 a double quote is not closed"),
        ("", "is empty"),
        ("student\x00\n", "null character"),
        (b"student\nJ\xfcrgen\n", "is not UTF-8"),
    ],
)
def test_a_broken_roster_is_refused(tmp_path: Path, text: str | bytes, words: str) -> None:
    assert words in refused(tmp_path, text)


def test_a_roster_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"roster\.csv"):
        read_roster(tmp_path / "roster.csv")


def test_folders_may_be_called_by_an_identity() -> None:
    roster = roster_of_folders(["ann", "ben"], "login")
    assert roster.match(["ann"])[0]["ann"].login == "ann"
    with pytest.raises(UsageError, match="Did you mean `login`"):
        roster_of_folders(["ann"], "logn")


@pytest.mark.parametrize("folders", [("Kim", "kim"), (" pad", "pad"), ("Jos\u00e9", "Jose\u0301")])
def test_folders_that_a_platform_takes_for_one_student_are_refused(folders: tuple[str, str]) -> None:
    with pytest.raises(UsageError, match="have the same"):
        roster_of_folders(folders, "login")


def test_blanks_around_a_folders_name_are_no_part_of_an_identity() -> None:
    assert roster_of_folders([" pad"], "login").match([" pad"])[0][" pad"].login == "pad"


def test_columns_in_which_nothing_stands_are_passed_over(tmp_path: Path) -> None:
    roster = read(tmp_path, "student,,login,\nann,,a,\nben,,b\n")
    assert {name: who.login for name, who in roster.people.items()} == {"ann": "a", "ben": "b"}


def test_every_column_can_be_written_and_read(tmp_path: Path) -> None:
    values = [f"{column} of ann" for column in COLUMNS]
    person = Identity(**dict(zip(COLUMNS, values, strict=True)))
    assert read(tmp_path, f"{','.join(COLUMNS)}\n{','.join(values)}\n").people == {"student of ann": person}


@given(st.decimals(0, 1000, places=4), st.decimals(0, 1000, places=3), st.integers(0, 3))
def test_rounding_never_gives_or_takes_the_last_step(score: Decimal, over: Decimal, places: int) -> None:
    maximum = score + over
    step = Decimal(1).scaleb(-places)
    kept = rounded(score, maximum, places)
    assert kept <= maximum
    assert kept == kept.quantize(step)
    if over >= step and score >= step:
        assert (kept == maximum) == (score == maximum)
        assert kept > 0
        assert abs(kept - score) <= step


def test_rounding_is_half_up_and_exact() -> None:
    assert rounded(Decimal("2.345"), Decimal(10), 2) == Decimal("2.35")
    assert rounded(Decimal("9.996"), Decimal(10), 2) == Decimal("9.99")
    assert rounded(Decimal("0.001"), Decimal(10), 2) == Decimal("0.01")
    assert rounded(Decimal(10), Decimal(10), 2) == 10
    assert rounded(Decimal(0), Decimal(10), 2) == 0


def test_a_number_has_a_point_in_every_locale() -> None:
    assert [number_text(Decimal(text)) for text in ("8.5", "0.1", "1E+1", "1E-7")] == ["8.5", "0.1", "10", "0.0000001"]


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(UsageError):
        decode_table(b"\xff\xfea", "x.csv")
