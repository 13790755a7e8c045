"""One answer as a notebook, as what jupytext and nbconvert make of it, and in the course's own `.py`: one report.

The files are written by the real jupytext and nbconvert. What may differ is the file's name and hash, where a line
stands in it, and when and for how long it was graded.
"""

import re
from typing import Any

import nbformat
import pytest

from grader.course.content.percent_format import split_cells
from grader.course.handed_out.stub import make_stub, without_markers
from grader.course.layout import find_course

from ...support.classes.grading_runs import ASSIGNMENT, REFUSED, SECOND, Graded, frozen_course, grade
from ...support.classes.student_notebooks import solutions_in
from ...support.courses import hand_in
from ...support.workers.open_workers import close_sessions, open_session

jupytext = pytest.importorskip("jupytext", reason="jupytext is not installed")

COURSE = find_course(frozen_course())
WRITTEN = ("percent", "light", "hydrogen", "script")
PYTHON = ("course", *WRITTEN)
CHANGES = {
    "prints": r'\1print("hello")\n\1return ',
    "wrong": r"\1return 2 * ",
    "raises": r"\1undefined_name\n\1return ",
}
KINDS = (*CHANGES, "missing") * 2
WORKS = [(ASSIGNMENT, 0), *((SECOND, turn) for turn in range(4))]
"""Assignments with the place of their first exercise's kind among `KINDS`; the next exercise has the next kind."""
PLACES = frozenset({"before", "after", "started", "duration_s", "submission", "number", "cell", "student"})
LINE = re.compile(r"\b[Ll]ine \d+( of cell \d+)?|\b[Cc]ell \d+(, line \d+)?|(simple_attention|tiny)\.\w+")


def answered(name: str, turn: int) -> str:
    """Return a `.py` in which each exercise is of its kind: the solution with a change, or as handed out."""
    assignment = COURSE.assignments[name]
    source = assignment.source.read_text(encoding="utf-8")
    stub = make_stub(source, assignment.exercises, assignment.source)
    written, handed_out = (solutions_in(text, assignment.source) for text in (without_markers(source), stub))
    for exercise, kind in zip([exercise.id for exercise in assignment.exercises], KINDS[turn:], strict=False):
        if kind in CHANGES:
            text = re.sub(r"^( +)return ", CHANGES[kind], written[exercise], flags=re.MULTILINE)
            assert stub.count(handed_out[exercise]) == 1 and text != written[exercise]
            stub = stub.replace(handed_out[exercise], text)
    return stub


def as_notebook(name: str, turn: int) -> nbformat.NotebookNode:
    """Return the same answers in the released notebook."""
    assignment = COURSE.assignments[name]
    notebook = nbformat.read(assignment.released / f"{assignment.name}.ipynb", as_version=4)
    cells = split_cells(answered(name, turn), assignment.source)
    theirs = [cell for cell in notebook.cells if not cell.id.endswith("-ko")]  # the Korean tasks, folded
    assert [cell.cell_type for cell in theirs] == [cell.kind for cell in cells]
    for cell, text in zip(theirs, cells, strict=True):
        cell.source = text.source
    return notebook


def written_as(form: str, notebook: nbformat.NotebookNode) -> str:
    if form == "script":
        exporter = pytest.importorskip("nbconvert", reason="nbconvert is not installed").PythonExporter()
        return str(exporter.from_notebook_node(notebook)[0])
    return str(jupytext.writes(notebook, fmt=f"py:{form}"))


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    """Grade every form of every work."""
    folder = tmp_path_factory.mktemp("forms")
    for name, turn in WORKS:
        notebook = as_notebook(name, turn)
        hand_in(folder / "class", f"notebook-{turn}", nbformat.writes(notebook), assignment=name, suffix=".ipynb")
        hand_in(folder / "class", f"course-{turn}", answered(name, turn), assignment=name)
        for form in WRITTEN:
            hand_in(folder / "class", f"{form}-{turn}", written_as(form, notebook), assignment=name)
    run = grade(folder / "reports", folder / "class", "--jobs", "2", before=("--language", "en"))
    if run.code == REFUSED:
        pytest.skip(run.stderr.strip())
    return run


def comparable(value: Any) -> Any:
    """Return a report without what belongs to the file: its name, its hash, its places and its time."""
    if isinstance(value, dict):
        return {key: comparable(item) for key, item in value.items() if key not in PLACES}
    if isinstance(value, list):
        return [comparable(item) for item in value]
    return LINE.sub("THERE", value) if isinstance(value, str) else value


def test_every_form_of_an_answer_gets_the_report_of_the_notebook(subtests, graded):
    for form in PYTHON:
        for name, turn in WORKS:
            with subtests.test(form=form, name=name, turn=turn):
                notebook, other = graded.copy(f"notebook-{turn}", name), graded.copy(f"{form}-{turn}", name)
                assert comparable(other) == comparable(notebook)
                assert other["submission"]["graded"].endswith(".py")
                for exercise, kind in zip(notebook["exercises"], KINDS[turn:], strict=False):
                    ends = {check["status"] for check in exercise["checks"]}
                    assert (exercise["status"] == "passed") == (kind == "prints")
                    assert (exercise["status"] == "missing") == (kind == "missing")
                    assert ("error" in ends) == (kind == "raises")
                    assert ("failed" in ends) == (kind == "wrong")
                assert notebook["notes"] == []


@pytest.mark.parametrize(("name", "turn"), [(ASSIGNMENT, 0), (SECOND, 1)])  # a function and a module raise
def test_the_line_of_an_error_is_the_students_own_in_every_form(graded, name, turn):
    def texts(form):
        exercises = graded.copy(f"{form}-{turn}", name)["exercises"]
        checks = [check for exercise in exercises for check in exercise["checks"]]
        return [check["line"]["text"].strip() for check in checks if check["line"]]

    assert "undefined_name" in texts("notebook")
    assert all(texts(form) == texts("notebook") for form in PYTHON)


@pytest.mark.parametrize("form", WRITTEN)
def test_magics_and_broken_cells_cost_nothing_in_any_form(form):
    """jupytext comments magics out, or leaves them; nbconvert writes calls of get_ipython()."""
    code = ["%matplotlib inline\n!pip install x\nfiles = !ls", "1 / 0", "def f(x):\n    return x", "%%bash\nls"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in code])
    session = open_session(written_as(form, notebook))
    session.ready()
    assert "f" in {defined.name for defined in session.record.names}
    assert [problem.type_name for problem in session.record.problems] == ["ZeroDivisionError"]
    close_sessions()
