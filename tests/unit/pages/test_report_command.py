"""`grader pages`, and the pages of `grader grade`: what is written where, what is said, what bad input comes to."""

import json
import os
from functools import partial
from pathlib import Path

import pytest

from grader.pages.write import write_pages

from ...support.command_line import Done, run_here
from ...support.reports.lms_reports import ASSIGNMENT, CANARY, report_of, write_class
from ...support.reports.page_structure import Document, assert_readable

ROOT = Path(__file__).resolve().parents[3]
WRONG_SHARES = {"shares.open": "failed", "shares.shut": "error"}


@pytest.fixture
def reports(tmp_path) -> Path:
    """A reports folder of three students, one of whom could not be graded."""
    fox = report_of("fox", problem="It is a folder.")
    return write_class(tmp_path / "out", [report_of("ann"), report_of("ben", WRONG_SHARES), fox])


def pages(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.suffix in (".html", ".md"))


def refused(done: Done, *words: str) -> None:
    """Assert that a command ended with one sentence about wrong use."""
    assert done.returncode == 2, done.stdout
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert all(word in done.stderr for word in words), done.stderr


def test_a_folder_of_reports_gets_a_page_for_each_student_and_one_of_the_class(reports):
    done = run_here("pages", reports)
    assert (done.returncode, done.stderr) == (0, "")
    place = reports / f"for-teachers/{ASSIGNMENT}"
    assert done.stdout == f"3 pages for students.\nThe class: {place}/class.html\n"
    assert pages(reports) == [
        *(f"for-students/{name}/{ASSIGNMENT}.html" for name in ("ann", "ben", "fox")),
        f"for-teachers/{ASSIGNMENT}/class.html",
    ]
    assert [path.name for path in place.iterdir()] == ["class.html"]


def test_pages_speak_their_reports_language_unless_another_is_asked_for(reports, monkeypatch):
    page = reports / f"for-students/ben/{ASSIGNMENT}.html"
    monkeypatch.setenv("LANG", "ko_KR.UTF-8")
    assert run_here("pages", reports).returncode == 0
    assert_readable(Document(page.read_bytes()), "en")
    assert run_here("--language", "ko", "pages", reports).returncode == 0
    assert_readable(Document(page.read_bytes()), "ko")


def test_no_page_of_a_student_holds_what_is_hidden(reports):
    assert run_here("pages", reports).returncode == 0
    shown = pages(reports / "for-students")
    assert f"ben/{ASSIGNMENT}.html" in shown
    for page in shown:
        assert CANARY not in (reports / "for-students" / page).read_text(encoding="utf-8")


def test_a_page_is_not_written_again_when_nothing_changed(reports):
    write_pages(reports)
    page = reports / f"for-students/ben/{ASSIGNMENT}.html"
    before = page.stat().st_ino
    write_pages(reports)
    assert page.stat().st_ino == before


TEXTS = (b"{", b"{}", b"\xff", b'{"schema_version": "9.0"}', b"[" * 100_000)
MAKES = [*(partial(Path.write_bytes, data=text) for text in TEXTS), Path.mkdir, os.mkfifo]


@pytest.mark.parametrize("make", [*MAKES, lambda place: place.symlink_to("/dev/zero")])
def test_what_is_no_report_in_its_place_is_named_and_the_others_get_their_pages(reports, make):
    (reports / "dee").mkdir()
    make(reports / f"dee/{ASSIGNMENT}.json")
    done = run_here("pages", reports)
    assert (done.returncode, "3 pages for students." in done.stdout) == (0, True)
    assert done.stderr.startswith("Note: ") and "dee" in done.stderr
    assert len(pages(reports)) == 4


def test_a_report_that_was_changed_by_hand_gets_no_page(reports):
    place = reports / f"ben/{ASSIGNMENT}.json"
    document = json.loads(place.read_bytes())
    place.write_text(json.dumps(document), encoding="utf-8")
    done = run_here("pages", reports)
    assert (done.returncode, "'ben', 01_tiny: Its report is not as it was written." in done.stdout) == (1, True)
    page = Document((reports / f"for-teachers/{ASSIGNMENT}/class.html").read_bytes()).words
    assert "ben Its report is not as it was written." in page and "1 of 3 submissions graded." in page


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nothing", ["There is no folder"]),
        ("empty", ["holds no reports", "grader grade --output"]),
        ("text.json", ["There is no folder", "grader grade --output"]),
        ("", ["REPORTS is empty"]),
    ],
)
def test_what_is_no_folder_of_reports_is_said_in_one_sentence(tmp_path, name, words):
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.json").write_text("{", encoding="utf-8")
    before = sorted(tmp_path.rglob("*"))
    refused(run_here("pages", tmp_path / name if name else ""), *words)
    assert sorted(tmp_path.rglob("*")) == before


def test_pages_are_not_written_through_links_or_into_the_course(reports, tmp_path):
    (reports / "for-teachers").symlink_to(tmp_path)
    refused(run_here("pages", reports), "symbolic link")
    refused(run_here("pages", reports, "--zip", ROOT / "solutions/pages.zip"), "belongs to the course")


def test_a_student_called_like_the_folder_of_the_class_pages_has_a_folder_of_their_own(tmp_path):
    folder = write_class(tmp_path / "out", [report_of("for-teachers"), report_of("ann")])
    assert run_here("pages", folder).returncode == 0
    assert f"for-students/for-teachers (student)/{ASSIGNMENT}.html" in pages(folder)
    page = (folder / f"for-teachers/{ASSIGNMENT}/class.html").read_text(encoding="utf-8")
    assert f'href="../../for-students/for-teachers%20%28student%29/{ASSIGNMENT}.html"' in page


@pytest.mark.parametrize("code", [0, 1])
def test_grade_makes_the_pages_of_its_reports_unless_told_not_to(reports, monkeypatch, code):
    monkeypatch.setattr("grader.grading.run_and_show", lambda order, judge: code)
    asked = ["grade", reports.parent / "class", "--output", reports]
    assert run_here(*asked, "--no-pages").returncode == code
    assert pages(reports) == []
    done = run_here(*asked)
    assert (done.returncode, "3 pages for students." in done.stdout) == (code, True)
    assert len(pages(reports)) == 4
