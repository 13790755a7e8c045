"""Where a `.py` and a notebook both hold answers, each exercise counts from its own file, in `check` as in `grade`."""

import json
import shutil

import pytest

from grader.course.layout import find_course
from grader.inside.protocol.messages import PY_BESIDE
from grader.limits import DEFAULT_LIMITS
from grader.source_cells import Source
from grader.student_check.render import run_overview
from grader.student_check.visible_checks import check_path
from grader.submissions.read import read_submission

from ...support.classes.downloads import notebook
from ...support.classes.grading_runs import frozen_course
from ...support.classes.student_notebooks import ANSWERS, SCORES, SOFTMAX, honest, id_of
from ...support.classes.submission_folders import ONE, find
from ...support.command_line import run_here
from ...support.courses import hand_in, write_course
from ...support.notebooks.kernels import kernel

pytestmark = pytest.mark.usefixtures("warm_workers")
COURSE = find_course(frozen_course())
PY_STUB = (COURSE.assignments[ONE].released / "simple_attention.py").read_text(encoding="utf-8")
STEM = "simple_attention"
SHARES = "import torch\n\ndef shares(x):\n    return x / x.sum()\n"
SHIFT = (
    "import torch\nfrom torch import nn\n\nclass Shift(nn.Module):\n    def __init__(self, d):\n"
    "        super().__init__()\n        self.beta = nn.Parameter(torch.zeros(d))\n\n"
    "    def forward(self, x):\n        return x + self.beta\n"
)
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


def test_each_exercise_counts_from_its_file_in_a_check_as_in_grading(folder):
    put(folder, py_with(OWN_HELPER), notebook_with(**{SCORES: ANSWERS[SCORES]}))
    checked = check_path(folder)
    assert passed(checked) == {SCORES, SOFTMAX}
    source = graded(folder)
    assert "both hold answers" in checked.notes[0]
    assert checked.notes[0] in source.notes
    assert {cell.number == PY_BESIDE for cell in source.cells} == {True, False}


def test_a_check_of_two_answers_that_differ_warns_that_grading_takes_neither(folder):
    put(folder, py_with(f"def {SOFTMAX}(x):\n    return x\n"), notebook_with(**ANSWERS))
    checked = check_path(folder)
    assert f"different answers to {SOFTMAX}" in checked.notes[0]
    assert graded(folder).problem == checked.notes[0]
    assert "서로 다른 문제" in check_path(folder, language="ko").notes[0]


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


@pytest.mark.parametrize("name", ["my_attention.py", "simple_attention-Copy1.ipynb"])
def test_an_answer_under_another_name_beside_a_file_without_one_is_checked_as_it_is_graded(folder, name):
    answered = {".py": py_with(ANSWERS[SOFTMAX]), ".ipynb": notebook_with(**ANSWERS)}
    other = folder / name
    other.write_text(answered[other.suffix], encoding="utf-8")
    put(folder, PY_STUB, notebook_with())
    checked = check_path(folder, SOFTMAX)
    by_grading = graded(folder)
    assert passed(checked) == {SOFTMAX}
    assert checked.files.submission.name == by_grading.file_name == name
    put(folder, py_with("def normalize_scores(scores):\n    return scores\n"), notebook_with())
    assert passed(check_path(folder, SOFTMAX)) == set()
    assert graded(folder).file_name == f"{STEM}.py"


def test_of_several_answers_under_other_names_none_is_taken_and_all_are_named(folder):
    put(folder, PY_STUB, notebook_with())
    (folder / "one.py").write_text(py_with(ANSWERS[SOFTMAX]), encoding="utf-8")
    (folder / "two.py").write_text(py_with(OWN_HELPER), encoding="utf-8")
    checked = check_path(folder, SOFTMAX)
    assert checked.files.submission.name == f"{STEM}.py"
    assert "'one.py', 'two.py'" in checked.notes[0]


def test_the_notebooks_own_check_warns_where_both_files_hold_answers(folder):
    put(folder, py_with(ANSWERS[SOFTMAX]), notebook_with(**ANSWERS))
    with kernel(folder) as running:
        running.run(f"import torch\n\nfrom grader import check\n\n{ANSWERS[SOFTMAX]}")
        assert "both hold answers" in running.run(f"check({SOFTMAX})").text
        assert "모두 답이 있습니다" in running.run(f"check({SOFTMAX}, 'ko')").text
        (folder / f"{STEM}.py").write_text(PY_STUB)
        assert "hold answers" not in running.run(f"check({SOFTMAX})").text


@pytest.mark.usefixtures("kept_jails")
def test_an_answer_in_either_file_counts_and_the_note_is_in_the_language_of_the_run(tmp_path):
    root = write_course(tmp_path / "course")
    hand_in(tmp_path / "class", "ann", SHARES)
    hand_in(tmp_path / "class", "ann", notebook(SHIFT).decode(), suffix=".ipynb")
    done = run_here("--course", root, "--language", "ko", "grade", tmp_path / "class", "--output", tmp_path / "out")
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads((tmp_path / "out/ann/01_tiny.json").read_text(encoding="utf-8"))
    assert report["score"] == report["max_score"]
    assert any("모두 답이 있습니다" in note for note in report["notes"])
