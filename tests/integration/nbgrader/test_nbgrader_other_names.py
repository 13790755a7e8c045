"""What nbgrader alone would miss by its name is entered all the same, and Canvas's names lose no student."""

import json
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.nbgrader.course import settings_text

from ...support.nbgrader_courses import ASSIGNMENT, NOTEBOOK, as_notebook, autograded, gradebook, scores_in

pytestmark = pytest.mark.filterwarnings("ignore")
COPY, PY, STUB, GOOD = "copy_of", "only_py", "stub_and_zip", "named"


def reported(lesson, student):
    return {each["id"]: float(each["score"]) for each in lesson.reports.report(student)["exercises"]}


def test_a_file_of_another_name_has_the_points_of_its_report_in_the_gradebook(tmp_path_factory, tmp_path):
    done = autograded(tmp_path_factory)
    lesson = done.copied(tmp_path / "copy", "submitted", "autograded", "feedback", "downloaded", "reports")
    answers = json.dumps(as_notebook("rosa_notebook"))
    files = {COPY: f"Copy of {NOTEBOOK}.ipynb", PY: f"{NOTEBOOK}.py", STUB: "hw.zip", GOOD: f"{NOTEBOOK}.ipynb"}
    for student, name in files.items():
        folder = lesson.root / "submitted" / student / ASSIGNMENT
        folder.mkdir(parents=True)
        (folder / "timestamp.txt").write_text("2026-10-20 12:00:00 UTC\n")
        (folder / name).write_text(answers, encoding="utf-8")
    solved = lesson.kit / "solutions" / ASSIGNMENT / f"{NOTEBOOK}.py"
    shutil.copy(solved, lesson.root / "submitted" / PY / ASSIGNMENT)
    released = lesson.root / "release" / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
    shutil.copy(released, lesson.root / "submitted" / STUB / ASSIGNMENT)
    log = lesson.nbgrader("autograde", ASSIGNMENT)
    for student in (COPY, PY, GOOD):
        assert sum(reported(lesson, student).values()) > 0
        assert scores_in(lesson, student) == reported(lesson, student), log
        assert (lesson.root / "autograded" / student / ASSIGNMENT / f"{NOTEBOOK}.ipynb").is_file()
    assert set(scores_in(lesson, STUB).values()) == {None}
    with gradebook(lesson) as book:
        assert book.find_submission(ASSIGNMENT, STUB).needs_manual_grade
    assert f"'{STUB}', {ASSIGNMENT}: no points, a person has to grade it" in log
    assert "There was an error processing" not in log
    lesson.nbgrader("autograde", ASSIGNMENT)
    assert scores_in(lesson, COPY) == reported(lesson, COPY)


@pytest.mark.parametrize(
    ("name", "student", "file"),
    [
        ("ada_123_456_simple_attention-1", "123", "simple_attention"),
        ("ada_124_457_simple_attention", "124", "simple_attention"),
        ("김민준_LATE_12_34_simple_attention", "12", "simple_attention"),
        ("smith-jones_12_34_seq2seq_attention-12", "12", "seq2seq_attention"),
        ("van_der_berg_12_34_simple_attention (1)", "12", "simple_attention (1)"),
        ("anon_4fKx9_456_simple_attention", "anon_4fKx9", "simple_attention"),
        ("LATE_anon_12345_457_simple_attention", "anon_12345", "simple_attention"),
        ("ada_1_2_hw/inner/simple_attention", "1", "simple_attention"),
    ],
)
def test_the_pattern_for_canvas_tells_every_student_apart(name, student, file):
    """Of two students of one name nbgrader's collecting stops, so a student is called by the number."""
    text = settings_text(Path("/course"))
    lines = text[text.index("# c.FileNameCollectorPlugin") :].splitlines()
    settings = SimpleNamespace(FileNameCollectorPlugin=SimpleNamespace())
    exec("\n".join(line.removeprefix("# ") for line in lines), {"c": settings})
    found = re.match(settings.FileNameCollectorPlugin.named_regexp, f"/c/downloaded/01/extracted/{name}.ipynb")
    assert found is not None
    assert (found["student_id"], found["file_id"]) == (student, file)
