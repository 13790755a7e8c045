"""`grader pages --zip` packs everybody's page under the name by which the platform knows whose it is."""

import pytest

from ...support.classes.class_runs import RIGHT, grade
from ...support.command_line import run_here
from ...support.release_parts import unpack
from ...support.reports.lms_reports import report_of, write_class

NAME = "01_tiny.html"


def packed(folder, files):
    """Write a report for each student, given the file as it was in the download, and return the zip file's content."""
    problems = {student: "It is a PDF file." if file.endswith(".pdf") else None for student, file in files.items()}
    write_class(folder / "reports", [report_of(name, problem=why) for name, why in problems.items()], files=files)
    (folder / "reports" / "class.json").write_text("{}")
    done = run_here("pages", folder / "reports", "--zip", folder / "pages.zip")
    assert done.returncode == 0, done.stderr
    return dict(unpack((folder / "pages.zip").read_bytes()))


@pytest.mark.parametrize(
    ("student", "file", "name"),
    [
        ("leeann_123", "leeann_123_456_attention.py", "leeann_123_456_feedback.html"),
        ("leeann_123", "leeann_LATE_123_456_attention.pdf", "leeann_LATE_123_456_feedback.html"),
        ("kim_124", "kim_124_457_x_1_2_y.py", "kim_124_457_feedback.html"),
        ("anon_AbC12", "anon_AbC12_457_attention.py", "anon_AbC12_457_feedback.html"),
        ("Ann Lee_9001", "Ann Lee_9001_assignsubmission_file_/a.py", f"Ann Lee_9001_assignsubmission_file_/{NAME}"),
        ("Ann Lee_9001", "Ann Lee_9001_assignsubmission_file_a.py", "Ann Lee_9001_assignsubmission_file_feedback.html"),
        ("Ann Lee_9001_assignsubmission_file_", "a.pdf", f"Ann Lee_9001_assignsubmission_file_/{NAME}"),
        ("김철수", "attention.py", f"김철수/{NAME}"),
        ("ann", "", f"ann/{NAME}"),
    ],
)
def test_a_page_has_the_name_of_the_download(tmp_path, student, file, name):
    assert list(packed(tmp_path, {student: file})) == [name]


@pytest.mark.parametrize(
    ("layout", "files", "names"),
    [
        ("canvas", ["lee_1_2_tiny.py", "kim_LATE_3_4_x.pdf"], ["kim_LATE_3_4_feedback.html", "lee_1_2_feedback.html"]),
        ("moodle", ["A_1_assignsubmission_file/tiny.py"], [f"A_1_assignsubmission_file/{NAME}"]),
    ],
)
def test_pages_of_a_graded_download_go_back_under_its_names(tmp_path, course, layout, files, names):
    for file in files:
        (tmp_path / "in" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / file).write_text(RIGHT)
    grade(tmp_path / "in", course, layout=layout, assignment="01_tiny")
    run_here("pages", tmp_path / "out", "--zip", tmp_path / "pages.zip")
    assert sorted(dict(unpack((tmp_path / "pages.zip").read_bytes()))) == names


def test_everybody_with_a_report_is_in_it(tmp_path):
    pages = packed(tmp_path, {"ann": "a.py", "ben": "b.pdf", "cho": "c.zip"})
    assert set(pages) == {f"{student}/{NAME}" for student in ("ann", "ben", "cho")}
    assert b"It is a PDF file." in pages[f"ben/{NAME}"]
