"""Where a `.py` and a notebook both hold answers, each exercise counts from its own file, in `check` as in `grade`."""

import json
import re
import shutil

import pytest

from grader.course.layout import find_course
from grader.limits import DEFAULT_LIMITS
from grader.source_cells import Source
from grader.student_check.render import run_overview
from grader.student_check.visible_checks import check_path
from grader.submissions.read import read_submission

from ...support.classes.grading_runs import frozen_course
from ...support.classes.student_notebooks import ANSWERS, SCORES, SOFTMAX, honest, id_of
from ...support.classes.submission_folders import ONE, find
from ...support.notebooks.kernels import kernel

pytestmark = pytest.mark.usefixtures("warm_workers")
COURSE = find_course(frozen_course())
PY_STUB = (COURSE.assignments[ONE].released / "simple_attention.py").read_text(encoding="utf-8")
STEM = "simple_attention"


OWN_HELPER = (
    f"def powers_of(x):\n    return torch.exp(x)\n\n\ndef {SOFTMAX}(x):\n    return powers_of(x) / powers_of(x).sum()\n"
)


@pytest.fixture
def folder(tmp_path):
    """The folder of an assignment as students have it."""
    shutil.copytree(COURSE.assignments[ONE].released, tmp_path / ONE)
    return tmp_path / ONE


def notebook_with(**answers):
    """Return the released notebook with some answers in its cells, as text."""
    notebook = honest()
    for cell in notebook["cells"]:
        if id_of(cell) in (SCORES, SOFTMAX):
            stub = f'def {id_of(cell)}(*x):\n    """Text."""\n    raise NotImplementedError("not written yet")\n'
            cell["source"] = answers.get(id_of(cell), stub)
    return json.dumps(notebook)


def put(folder, py, notebook):
    for suffix, text in ((".py", py), (".ipynb", notebook)):
        (folder / f"{STEM}{suffix}").write_text(text, encoding="utf-8")


def graded(folder) -> Source:
    (submission,) = find(folder, student="ann", assignment=ONE).submissions
    return read_submission(submission, COURSE.assignments[ONE].names, DEFAULT_LIMITS)


def passed(checked):
    """Return the exercises of which every visible check passed."""
    outcomes = {}
    for check in checked.checks:
        outcomes.setdefault(check.exercise, []).append(checked.verdicts[check.id].status == "passed")
    return {exercise for exercise, verdicts in outcomes.items() if all(verdicts)}


def py_with(*definitions):
    return PY_STUB + "".join(f"\n\n{definition}" for definition in definitions)


WRONG = f"def {SOFTMAX}(x):\n    return x\n"
PY, NB = f"{STEM}.py", f"{STEM}.ipynb"
FOLDERS = {
    "one exercise in each": {PY: py_with(OWN_HELPER), NB: notebook_with(**{SCORES: ANSWERS[SCORES]})},
    "answers that differ": {PY: py_with(WRONG), NB: notebook_with(**ANSWERS)},
    "another name": {PY: PY_STUB, NB: notebook_with(), "my_attention.py": py_with(ANSWERS[SOFTMAX])},
    "a copy of Jupyter's": {PY: PY_STUB, NB: notebook_with(), f"{STEM}-Copy1.ipynb": notebook_with(**ANSWERS)},
    "two other names": {PY: PY_STUB, "one.py": py_with(ANSWERS[SOFTMAX]), "two.py": py_with(OWN_HELPER)},
}


@pytest.mark.parametrize("case", FOLDERS)
def test_a_check_of_a_folder_reads_what_grading_reads_or_says_why_grading_reads_nothing(folder, case):
    for name, text in FOLDERS[case].items():
        (folder / name).write_text(text, encoding="utf-8")
    checked, source = check_path(folder, SOFTMAX), graded(folder)
    if source.problem is None:
        assert checked.files.submission.name == source.file_name
        assert checked.notes[: len(source.notes)] == [*source.notes]
        assert (passed(checked) == {SOFTMAX}) is (source.file_name != PY)
    else:
        assert checked.files.submission.name == PY
        assert (checked.problem or checked.notes[0]) == source.problem
        assert bool(checked.problem) is (case == "answers that differ")  # then no file is checked alone
        korean = check_path(folder, SOFTMAX, language="ko")
        assert re.search("[가-힣]", korean.problem or korean.notes[0])


def test_places_are_told_by_the_file_that_they_lie_in(folder):
    slip = f"def {SOFTMAX}(x):\n    return exp(x)\n"
    put(folder, py_with(slip, "1 / 0"), notebook_with(**{SCORES: "7 / 0\n" + ANSWERS[SCORES]}))
    checked = check_path(folder)
    line = (folder / f"{STEM}.py").read_text().split("\n").index("    return exp(x)") + 1
    verdict = next(verdict for verdict in checked.verdicts.values() if verdict.line_text == "return exp(x)")
    assert (verdict.line, verdict.cell) == (line, None)
    assert any(note.startswith(f"Line {line + 3} of the .py stopped with ZeroDivisionError") for note in checked.notes)
    assert any(note.startswith("Line 1 of cell ") for note in checked.notes)
    assert any(test.line and test.line.number == line for part in run_overview(checked).parts for test in part.checks)


def test_a_named_file_is_checked_alone_and_the_other_is_told_of(folder):
    put(folder, py_with(ANSWERS[SOFTMAX]), notebook_with(**{SCORES: ANSWERS[SCORES]}))
    checked = check_path(folder / f"{STEM}.py", SOFTMAX)
    assert passed(checked) == {SOFTMAX}
    assert "both hold answers" in checked.notes[0]
    put(folder, PY_STUB, notebook_with(**{SCORES: ANSWERS[SCORES]}))
    assert check_path(folder / f"{STEM}.ipynb", SCORES).notes == []


def test_the_notebooks_own_check_warns_where_both_files_hold_answers(folder):
    put(folder, py_with(ANSWERS[SOFTMAX]), notebook_with(**ANSWERS))
    with kernel(folder) as running:
        running.run(f"import torch\n\nfrom grader import check\n\n{ANSWERS[SOFTMAX]}")
        assert "both hold answers" in running.run(f"check({SOFTMAX})").text
        assert "모두 답이 있습니다" in running.run(f"check({SOFTMAX}, 'ko')").text
        (folder / f"{STEM}.py").write_text(PY_STUB)
        assert "hold answers" not in running.run(f"check({SOFTMAX})").text
