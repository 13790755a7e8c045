"""`grader report --for-web`: pages that may lie on a web server, each under a name that only its student is told."""

import re
from pathlib import Path

import pytest

from grader.pages.write import web_folder

from ...support.command_line import run_here
from ...support.lms_reports import ASSIGNMENT, report_of, write_class

ROOT = Path(__file__).resolve().parents[3]
STUDENTS = ("ann", "김철수", "for-teachers")
KEY = "the secret of a course of the tests"


@pytest.fixture
def reports(tmp_path, monkeypatch) -> Path:
    """A reports folder, with the course's secret in force."""
    monkeypatch.setenv("GRADER_SECRET", KEY)
    monkeypatch.chdir(ROOT)
    return write_class(tmp_path / "out", [report_of(name, {"shares.open": "failed"}) for name in STUDENTS])


def files(folder: Path) -> dict[str, str]:
    """Return the text of every file in a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*") if path.is_file()
    }


def test_each_students_pages_are_alone_under_a_name_that_tells_nothing(reports, tmp_path):
    done = run_here("report", reports, "--for-web", "--output", tmp_path / "web")
    assert (done.returncode, done.stdout, done.stderr) == (0, "3 pages for students.\n", "")
    found = files(tmp_path / "web")
    assert found.pop("index.html") == ""
    names = {web_folder(KEY.encode(), student): student for student in STUDENTS}
    assert found.keys() == {f"{name}/{ASSIGNMENT}.html" for name in names}
    for path, page in found.items():
        folder = path.partition("/")[0]
        assert re.fullmatch("[0-9a-f]{32}", folder)
        assert f"<bdi>{names[folder]}</bdi>" in page
        assert not any(other in page for other in set(STUDENTS) - {names[folder]})
        assert '<meta name="robots" content="noindex, nofollow">' in page


def test_the_names_stay_and_are_others_under_another_secret():
    one, again, other = (web_folder(key, "ann") for key in (b"k" * 32, b"k" * 32, b"K" * 32))
    assert one == again != other
    assert web_folder(b"k" * 32, "ben") != one


@pytest.mark.parametrize("place", ["out", "out/web", "", "pages"])
def test_a_folder_in_which_other_files_would_be_served_too_is_refused(reports, tmp_path, place):
    run_here("report", reports, "--output", tmp_path / "pages")
    before = files(tmp_path)
    done = run_here("report", reports, "--for-web", "--output", tmp_path / place)
    assert done.returncode == 2
    assert "A folder for the web was looked for." in done.stderr
    assert files(tmp_path) == before


def test_it_must_be_said_where_the_pages_go_and_of_which_class(reports, tmp_path):
    for arguments in ([reports], [reports / f"ann/{ASSIGNMENT}.json", "--output", tmp_path / "web"]):
        done = run_here("report", *arguments, "--for-web")
        assert (done.returncode, "needs --output DIR" in done.stderr) == (2, True)
