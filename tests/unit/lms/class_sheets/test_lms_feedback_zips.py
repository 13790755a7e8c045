"""Zips of pages for Moodle and Canvas: by the platform's own rules each page reaches its student, or nobody."""

import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from grader.errors import UsageError
from grader.lms.reports import read_class
from grader.lms.roster import Identity, Roster
from grader.pages.student import student_page
from grader.results.redact import student_copy
from grader.results.report import Report

from ....support.lms_reports import ASSIGNMENT, CANARY, report_of, write_class
from ..feedback_importers import canvas_takes, files_in, moodle_takes
from ..lms_gradebooks import PEOPLE, ROSTER, Desk

WRONG = {"shares.open": "failed", "shares.shut": "error"}
PARTICIPANTS = {int(who.participant): name for name, who in PEOPLE.items()}
PAGE = f"{ASSIGNMENT}.html"


def page_of(report: Report) -> bytes:
    """Return the page that a student is to get."""
    return student_page(student_copy(report))


def desk_of(folder, *reports: Report) -> Desk:
    """Return a class of these reports."""
    return Desk(read_class(write_class(folder / "reports", reports)), folder)


def from_canvas(student: str, *files: str) -> Report:
    """Return the report of files that were downloaded from Canvas."""
    found = report_of(student, WRONG)
    submission = replace(
        found.submission, files=list(files), graded=files[0], sha256=dict.fromkeys(files, "ab" * 32), uploaded=files[0]
    )
    return replace(found, submission=submission)


@pytest.mark.parametrize("before_4_1", [False, True])
def test_moodle_gives_every_student_their_own_page(desk, before_4_1):
    done = desk.run("moodle-feedback")
    taken = moodle_takes(done.data, PARTICIPANTS, before_4_1=before_4_1)
    assert taken.keys() == PEOPLE.keys()
    for name, files in taken.items():
        assert list(files) == [PAGE]
        assert f"<bdi>{name}</bdi>".encode() in files[PAGE] or name in ('Eve "the" Fox', "O'Neil; Ann")
    assert (done.written, done.unit) == (len(PEOPLE), "page")
    assert done.left_out == ["'bad' has no participant's number in roster.csv."]


def test_a_submission_that_could_not_be_graded_gets_its_page_too(desk):
    people = {**PEOPLE, "bad": Identity(student="bad", participant="9100")}
    done = desk.run("moodle-feedback", roster=Roster("r", people))
    assert b"Not UTF-8." in moodle_takes(done.data, {9100: "bad"})["bad"][PAGE]
    assert done.left_out == []


MOODLE_FOLDERS = [
    "김철수_9001_assignsubmission_file_",
    unicodedata.normalize("NFD", "김영희_9002_assignsubmission_file_"),
    "Ann Lee_9003_assignsubmission_file_",
    "Ann Lee_9004_assignsubmission_file_",
    "Doe-Smith, José_9005_assignsubmission_file",
    "O_Neil_77_9006_assignsubmission_file_",
    "~.. =1+1_9007_assignsubmission_onlinetext_",
]


@pytest.mark.parametrize("before_4_1", [False, True])
def test_a_folder_of_moodles_download_says_whose_the_page_is(tmp_path, before_4_1):
    reports = [report_of(name, WRONG) for name in [*MOODLE_FOLDERS, "Bob", "9008"]]
    done = desk_of(tmp_path, *reports).run("moodle-feedback", roster=None)
    people = {9000 + number: name for number, name in enumerate(MOODLE_FOLDERS, 1)} | {77: "nobody", 9008: "nobody"}
    taken = moodle_takes(done.data, people, before_4_1=before_4_1)
    assert {name: files[PAGE] for name, files in taken.items()} == {
        report.student: page_of(report) for report in reports[: len(MOODLE_FOLDERS)]
    }
    assert done.left_out == [
        f"{name} has no participant's number in the folders' names." for name in ("'9008'", "'Bob'")
    ]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.text(max_size=300))
def test_no_name_leads_a_page_to_another_student(desk, name):
    one, other = list(PEOPLE)[:2]
    people = {**PEOPLE, one: Identity(student=one, name=name, participant="9000"), other: PEOPLE[other]}
    taken = moodle_takes(desk.run("moodle-feedback", roster=Roster("r", people)).data, PARTICIPANTS)
    assert taken.keys() == PEOPLE.keys()
    assert b"<bdi>=1+1</bdi>" in taken[one][PAGE]


@pytest.mark.parametrize("number", ["", "0", "09001", "9e3", "12 ", "x", "\u0661"])
def test_a_number_that_moodle_would_read_otherwise_is_none(desk, number):
    people = {**PEOPLE, "=1+1": Identity(student="=1+1", participant=number)}
    done = desk.run("moodle-feedback", roster=Roster("r", people))
    assert moodle_takes(done.data, PARTICIPANTS).keys() == PEOPLE.keys() - {"=1+1"}
    assert "'=1+1' has no participant's number in r." in done.left_out


def test_two_folders_of_one_participant_are_refused(tmp_path):
    both = ("Ann_7_assignsubmission_file_", "Ann_7_assignsubmission_onlinetext_")
    with pytest.raises(UsageError, match="have the same: '7'"):
        desk_of(tmp_path, *map(report_of, both)).run("moodle-feedback", roster=None)


CANVAS_FILES = {
    "leeann_101": "leeann_101_201_tiny.py",
    "김철수_102": "김철수_LATE_102_202_tiny-1.py",
    unicodedata.normalize("NFD", "josé_103"): unicodedata.normalize("NFD", "josé_103_203_link_9.py"),
    "leeann_104": "leeann_104_204_x_101_201_tiny.py",
    "anon_4fKx9": "LATE_anon_4fKx9_205_tiny.py",
    "doejohn_106": "doejohn_106_206_<script>.ipynb",
}
HANDED_IN = {str(100 + n): ("4fKx9" if n == 5 else f"a{n}", [str(200 + n)]) for n in range(1, 8)}


def test_canvas_gives_every_student_their_own_page(tmp_path):
    reports = [from_canvas(student, file) for student, file in CANVAS_FILES.items()]
    done = desk_of(tmp_path, *reports).run("canvas-feedback")
    taken, ignored = canvas_takes(done.data, HANDED_IN)
    assert ignored == [] and done.left_out == []
    by_user = dict(zip(["101", "102", "103", "104", "105", "106"], reports, strict=True))
    assert {user: files[f"2{user[1:]}"] for user, files in taken.items()} == {
        user: page_of(report) for user, report in by_user.items()
    }
    assert all(name.endswith("_feedback.html") for name in files_in(done.data))


@pytest.mark.parametrize(
    ("student", "file"),
    [
        ("bob", "tiny.py"),
        ("bob", "leeann_101_201_tiny.py"),
        ("leeann_102", "leeann_101_201_tiny.py"),
        ("leeann_101", "leeann_101_text.html"),
        ("anon_4fKx9", "anon_4fKx9_text.html"),
        ("7_101", "7_101_201_tiny.py"),
        ("007_101", "007_101_201_tiny.py"),
        ("a_\u0661_101", "a_\u0661_101_tiny.py"),
    ],
)
def test_a_page_that_canvas_would_not_bring_to_its_student_is_left_out(tmp_path, student, file):
    """The file's name is of another student's submission, of none, or taken apart at another place by Canvas."""
    right = from_canvas("leeann_103", "leeann_103_203_tiny.py")
    done = desk_of(tmp_path, right, from_canvas(student, file)).run("canvas-feedback")
    assert canvas_takes(done.data, HANDED_IN) == ({"103": {"203": page_of(right)}}, [])
    assert len(done.left_out) == 1 and "has no file under the name that Canvas gave it" in done.left_out[0]


def test_of_two_files_the_one_that_counts_carries_the_page(tmp_path):
    report = from_canvas("leeann_101", "leeann_101_202_tiny.py", "leeann_101_201_tiny.ipynb")
    assert list(files_in(desk_of(tmp_path, report).run("canvas-feedback").data)) == ["leeann_101_202_feedback.html"]


@pytest.mark.parametrize(("name", "choice"), [("canvas-feedback", {}), ("moodle-feedback", {"roster": None})])
def test_a_zip_with_nobodys_page_is_refused(desk, name, choice):
    assert "Students to give their pages to were looked for. There are none: '-dash' has" in desk.refused(
        name, **choice
    )


def test_no_page_holds_what_is_hidden_and_what_is_late_waits_for_its_date(tmp_path):
    statuses = {**WRONG, "Shift.late": "failed", "Shift.shut": "error"}
    desk = desk_of(tmp_path, report_of("=1+1", statuses))
    early, late = (desk.run("moodle-feedback", roster=ROSTER, due_passed=over).data for over in (False, True))
    (page,), (later,) = files_in(early).values(), files_in(late).values()
    assert CANARY.encode() not in page and b"The parameter is added." not in page
    assert b"The parameter is added." in later


def test_a_report_that_changes_meanwhile_stops_the_export(tmp_path):
    desk = desk_of(tmp_path, report_of("=1+1"), report_of("김철수"))
    place = tmp_path / f"reports/김철수/{ASSIGNMENT}.json"
    place.write_bytes(place.read_bytes() + b"\n")
    assert "has changed meanwhile" in desk.refused("moodle-feedback")
