"""Blackboard's grade centre: its own file comes back with scores in a column that is one of scores."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.lms.reports import ClassReports

from ..lms_gradebooks import PEOPLE, class_of_hard_names, quoted, refused, run, scores, write
from ..lms_importers import Blackboard

BLACKBOARD_HEAD = ["Last Name", "First Name", "Username", "Student ID", "HW [Total Pts: 5.5 Score] |12345",
                   "Total [Total Pts: up to 5.5 Score] |99"]  # fmt: skip


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> ClassReports:
    """A class of hard names with several scores, one who could not be graded and one who handed nothing in."""
    return class_of_hard_names(tmp_path_factory.mktemp("class") / "reports")


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
