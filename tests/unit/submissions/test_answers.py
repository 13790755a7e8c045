"""Of a `.py` and a notebook each exercise counts from the file in which it is written; nobody guesses between two."""

import json
import time
from pathlib import Path

import pytest

from grader.course.layout import find_course
from grader.inside.protocol.messages import PY_BESIDE, Cell
from grader.limits import DEFAULT_LIMITS
from grader.source_cells import Source
from grader.submissions.answers import written_in
from grader.submissions.read import read_submission
from tests.support.classes.downloads import notebook
from tests.support.classes.grading_runs import frozen_course
from tests.support.classes.student_notebooks import ANSWERS, SCORES, SOFTMAX, honest
from tests.support.classes.submission_folders import ONE, find, put

COURSE = find_course(frozen_course())
STEM = "simple_attention"
ASSIGNED = COURSE.assignments[ONE]
PY_STUB, NB_STUB = ((ASSIGNED.released / f"{STEM}{end}").read_text(encoding="utf-8") for end in (".py", ".ipynb"))
SOLVED = json.dumps(honest())
SOLVED_PY = ASSIGNED.source.read_text(encoding="utf-8")


def read(folder: Path, files: dict[str, str]) -> Source:
    """Read what one student handed in: texts by the names of files."""
    for name, text in files.items():
        put(folder, f"ann/{ONE}/{name}", text=text)
    (submission,) = find(folder).submissions
    return read_submission(submission, ASSIGNED.names, DEFAULT_LIMITS)


PY, NB = f"{STEM}.py", f"{STEM}.ipynb"
SCORED = ANSWERS[SCORES]


def py_with(*definitions: str) -> str:
    return PY_STUB + "".join(f"\n\n{definition}" for definition in definitions)


def notebook_with(*sources: str) -> str:
    return notebook(*sources).decode()


def test_each_exercise_counts_from_the_file_in_which_it_is_written(tmp_path):
    source = read(tmp_path, {PY: py_with(SCORED), NB: notebook_with(ANSWERS[SOFTMAX])})
    assert source.problem is None
    assert [cell.number for cell in source.cells] == [PY_BESIDE, 1]
    assert source.digest not in source.sha256.values()
    assert set(source.sha256) == {PY, NB}


@pytest.mark.parametrize(
    ("py", "notebook", "graded"),
    [
        (py_with(SCORED, ANSWERS[SOFTMAX]), notebook_with(SCORED), PY),
        (py_with(SCORED), notebook_with(SCORED, ANSWERS[SOFTMAX]), NB),
        (py_with(SCORED), notebook_with(SCORED), PY),
        (py_with(SCORED), NB_STUB, PY),
        (PY_STUB, notebook_with(SCORED), NB),
        (py_with("x = 1"), notebook_with(SCORED), NB),
        (SOLVED_PY, "not JSON", PY),
        (notebook_with(SOLVED_PY), notebook_with(SOLVED_PY), NB),
        ("<html>", notebook_with(SOLVED_PY), NB),
        (PY_STUB, NB_STUB, PY),
    ],
)
def test_a_file_that_holds_all_answers_is_graded_alone(tmp_path, py, notebook, graded):
    source = read(tmp_path, {PY: py, NB: notebook})
    assert (source.problem, source.file_name, source.digest) == (None, graded, source.sha256[graded])


@pytest.mark.parametrize(
    ("py", "notebook"),
    [(py_with(SCORED), "not JSON"), ("<html>", notebook_with(SCORED)), (PY_STUB, SOLVED[:-200])],
)
def test_a_file_that_cannot_be_read_may_hold_what_the_other_lacks(tmp_path, py, notebook):
    source = read(tmp_path, {PY: py, NB: notebook})
    assert source.cells == [] and source.problem


def test_a_notebook_and_its_py_are_one_in_different_folders_only_where_the_first_lacks_something(tmp_path):
    deep = {PY: py_with(SCORED), f"hw1/{NB}": notebook_with(ANSWERS[SOFTMAX])}
    assert [cell.number for cell in read(tmp_path / "half", deep).cells] == [PY_BESIDE, 1]
    whole = {PY: SOLVED_PY, f"old/{NB}": notebook_with(ANSWERS[SOFTMAX])}
    assert read(tmp_path / "whole", whole).file_name == PY


@pytest.mark.parametrize(
    "same",
    [
        SCORED.replace("\n", "  # why\n", 1),
        SCORED.replace("\n", "\n\n", 1),
        SCORED.replace(":\n", ':\n    """Another text."""\n', 1),
        SCORED.replace(":\n", ':\n    r"""Another text with a \\sum."""\n', 1),
        "# A title.\n" + SCORED + "\n\nprint('done')\n",
    ],
)
def test_answers_that_differ_in_comments_blank_lines_and_docstrings_are_the_same(tmp_path, same):
    source = read(tmp_path, {PY: py_with(SCORED), NB: notebook_with(same, ANSWERS[SOFTMAX])})
    assert (source.problem, source.file_name) == (None, NB)


HELPED = "def helper(x):\n    return x * {}\n\n\n"


@pytest.mark.parametrize(
    ("py", "notebook", "named"),
    [
        (py_with(SCORED), notebook_with(SCORED.replace("return ", "return 2 * ")), SCORES),
        (py_with(SCORED + '    "#1"[0]\n'), notebook_with(SCORED + '    "#2"[0]\n'), SCORES),
        (py_with(HELPED.format(1) + SCORED), notebook_with(HELPED.format(2) + ANSWERS[SOFTMAX]), "helper"),
    ],
    ids=["answers", "strings", "helpers"],
)
def test_two_answers_that_differ_are_not_graded_and_named(tmp_path, py, notebook, named):
    source = read(tmp_path, {PY: py, NB: notebook})
    assert f"different answers to {named}," in source.problem
    assert source.cells == []


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("def f(x):\n    raise NotImplementedError\n", False),
        ("def f(x): raise NotImplementedError('f')\n", False),
        (
            "def f(x):\n    '''Text.\n    return it\n    '''\n    # return x\n    raise NotImplementedError('f')\n",
            False,
        ),
        ("def f(x):\n    return x\n    raise NotImplementedError('f')\n", True),
        ("def f(x): return x\n", True),
        ("f = lambda x: x\n", True),
        ("class f:\n    def a(self):\n        return 1\n    def b(self):\n        raise NotImplementedError\n", False),
        ("class f:\n    def a(self):\n        return 1\ndef g():\n    raise NotImplementedError\n", True),
        ("@wraps\nasync def f(x):\n    yield x\n", True),
        ("def f(x): pass\n", False),
        ("def f(\n    x,\n) -> dict[str, int]:\n    '''Text.'''\n    ...  # later\n\ncheck('f')\n", False),
        ("def f(x: int) -> None:\n    'Text.'\n    return None\nx = 1\n", False),
        ("def f(x):\n    return None\n", False),
        ("def f(x):\n    ''''''\n    def g():\n        return x\n    return g()\n", True),
        ("def f(x):\n    def g(y):\n        raise NotImplementedError\n    return g\n", False),
        ("class f:\n    class g:\n        def forward(self, x):\n            pass\n", False),
        ("def f(x):\n    y = x[1:]\n    pass\n    return y\n", True),
        ("def f(x):\n    x.sort()\n    return\n", True),
        ("class f:\n    def forward(self, x):\n        pass\n", False),
        (
            "class f:\n    'Text.'\n    def reset(self):\n        pass\n    def forward(self, x):\n        return x\n",
            True,
        ),
    ],
)
def test_what_counts_as_written(text, written):
    assert ("f" in written_in(Source(cells=[Cell(1, text)]))) is written


@pytest.mark.parametrize(
    "body",
    [
        "\n",
        " \n",
        "def f(x): pass\n",
        "def f(x):\n  pass\n  pass;" + " pass" * 9,
        ": pass",
        "'''\\",
        '"""',
        '\\"""',
        '\\"',
        "\\'",
        "def f(\n",
        "    " * 40 + "def f():\n",
        "#",
        '"" ',
        " " * 50 + '"x" ',
        'def f():\n  """a"""  b\n',
    ],
)
def test_looking_for_answers_takes_no_longer_for_each_byte_of_a_longer_file(body):
    """Blank lines alone once took the square of their number."""
    text = '"""' + body * (60_000 // len(body))
    begin = time.thread_time()
    for version in (text, text[3:]):
        written_in(Source(cells=[Cell(1, version)]))
    assert time.thread_time() - begin < 3


def test_looking_for_answers_takes_no_longer_for_each_line_of_a_file_that_nests_deeper():
    """A quarter of a megabyte of classes in each other once held up the whole class for minutes."""
    text = "".join(f"{' ' * depth}class forward:\n" for depth in range(700))
    begin = time.thread_time()
    assert set(written_in(Source(cells=[Cell(1, text)]))) == {"forward"}
    assert time.thread_time() - begin < 3
