"""`grader nbgrader init`, the exchange of nbgrader in its course, and what is said where something is missing."""

import importlib.util
import json
import subprocess
import sys

import nbformat
import pytest

from grader.cli import status

from ..support.courses import ASSIGNMENT as TINY
from ..support.courses import write_course
from ..support.grading_runs import ROOT
from .nbgrader_courses import ASSIGNMENT, NBGRADER, NOTEBOOK, autograded, need_real_nbgrader

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def kit(tmp_path):
    """A tiny course of the kit."""
    need_real_nbgrader()
    return write_course(tmp_path / "kit")


def init(kit, place, *options):
    """Run `grader nbgrader init` and return its exit code."""
    return status(["nbgrader", "init", str(place), "--course", str(kit), *options])


def test_the_source_notebook_is_valid_and_has_the_points_and_ids_of_the_course(kit, tmp_path):
    assert init(kit, tmp_path / "nb") == 0
    notebook = nbformat.read(tmp_path / "nb" / "source" / TINY / "tiny.ipynb", as_version=4)
    nbformat.validate(notebook)
    marks = [cell.metadata.nbgrader for cell in notebook.cells if "nbgrader" in cell.metadata]
    points = {each.grade_id: each.points for each in marks if each.grade}
    assert points == {"shares-check": 2, "Shift-check": 3.5}
    assert {each.grade_id for each in marks if each.solution} == {"shares", "Shift"}
    assert {each.schema_version for each in marks} == {3}


def test_a_second_init_changes_nothing(kit, tmp_path, capsys):
    init(kit, tmp_path / "nb")
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "nb").rglob("*") if path.is_file()}
    assert init(kit, tmp_path / "nb") == 0
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert "is as it must be" in capsys.readouterr().out


def test_a_file_that_the_teacher_changed_is_not_replaced_unasked(kit, tmp_path, capsys):
    init(kit, tmp_path / "nb")
    settings = tmp_path / "nb" / "nbgrader_config.py"
    text = settings.read_text(encoding="utf-8")
    settings.write_text("c = get_config()\n", encoding="utf-8")
    (tmp_path / "nb" / "source" / TINY / "README.md").unlink()
    assert init(kit, tmp_path / "nb") == 2
    assert "'nbgrader_config.py' is there already and differs, so nothing was written." in capsys.readouterr().err
    assert not (tmp_path / "nb" / "source" / TINY / "README.md").exists()
    assert init(kit, tmp_path / "nb", "--replace") == 0
    assert settings.read_text(encoding="utf-8") == text


def test_wrong_use_is_a_sentence(kit, tmp_path, capsys):
    assert init(kit, tmp_path / "nb", "--assignment", "01_tinny") == 2
    assert "Did you mean `01_tiny`?" in capsys.readouterr().err
    assert init(kit, kit / "solutions" / "nb") == 2
    assert "Choose one beside it" in capsys.readouterr().err
    assert init(kit, kit) == 2
    assert init(tmp_path, tmp_path / "nb") == 2
    assert not (tmp_path / "nb").exists()


def test_without_nbgrader_one_sentence_says_what_to_install(kit, tmp_path, monkeypatch, capsys):
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "nbgrader" else real(name, *rest)
    )
    assert init(kit, tmp_path / "nb") == 2
    assert status(["nbgrader", "push", str(tmp_path), "--gradebook", "sqlite:///x.db"]) == 2
    said = capsys.readouterr().err
    assert said.count("pip install 'attention-grader[nbgrader]'") == 2
    assert said.count("\n") == 2


def test_the_command_line_imports_nothing_of_nbgrader():
    parts = ("nbgrader", "nbformat", "nbconvert", "sqlalchemy", "traitlets")
    code = f"import sys, grader.cli; print([m for m in sys.modules if m.split('.')[0] in {parts!r}])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_autograde_stops_with_a_sentence_where_the_kits_course_is_gone(tmp_path_factory, tmp_path):
    lesson = autograded(tmp_path_factory).copied(tmp_path / "copy", "autograded")
    settings = lesson.root / "nbgrader_config.py"
    text = settings.read_text(encoding="utf-8") + f"c.KitExporter.course = {str(tmp_path / 'gone')!r}\n"
    settings.write_text(text, encoding="utf-8")
    log = lesson.nbgrader("autograde", ASSIGNMENT, code=1)
    assert log.count("No course was found in") == 1
    assert "Traceback" not in log
    assert not (lesson.root / "autograded").exists()


def test_release_fetch_submit_and_collect_work_in_the_course(tmp_path_factory, tmp_path, monkeypatch):
    lesson = autograded(tmp_path_factory).copied(tmp_path / "copy", "submitted", "autograded", "feedback")
    (tmp_path / "exchange").mkdir(mode=0o777)
    (tmp_path / "exchange").chmod(0o777)
    lesson.nbgrader("release_assignment", ASSIGNMENT)
    student = tmp_path / "student"
    student.mkdir()
    monkeypatch.setenv("HOME", str(student))
    course = ["--course=course", f"--Exchange.root={tmp_path / 'exchange'}"]
    for command in ("fetch_assignment", "submit"):
        subprocess.run(
            [*NBGRADER, command, ASSIGNMENT, *course], cwd=student, capture_output=True, check=True, timeout=300
        )
    lesson.nbgrader("collect", ASSIGNMENT)
    [name] = [path.name for path in (lesson.root / "submitted").iterdir()]
    handed_in = lesson.root / "submitted" / name / ASSIGNMENT
    assert {f"{NOTEBOOK}.ipynb", "timestamp.txt", f"test_{NOTEBOOK}.py"} <= {path.name for path in handed_in.iterdir()}
    released = json.loads((lesson.root / "release" / ASSIGNMENT / f"{NOTEBOOK}.ipynb").read_text(encoding="utf-8"))
    assert json.loads((handed_in / f"{NOTEBOOK}.ipynb").read_text(encoding="utf-8")) == released
