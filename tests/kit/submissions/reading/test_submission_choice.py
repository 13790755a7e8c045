"""Of several files that a student hands in, the one with answers is graded, or else a person is asked."""

import json
import time
from pathlib import Path

import pytest

from grader.course.handed_out.stub import without_markers
from grader.course.layout import find_course
from grader.grading.finding import stub_texts
from grader.limits import DEFAULT_LIMITS
from grader.submissions.reading.choice import COMMENT, definitions
from grader.submissions.reading.read import Source, read_submission

from ...kernel.student_notebooks import ANSWERS, SOFTMAX, honest, id_of
from ...support.submission_folders import FOUR, ONE, find, put

COURSE = find_course(Path(__file__))
STEM = "simple_attention"
STUB = stub_texts(COURSE.assignments[ONE])
SOLVED = json.dumps(honest())
BROKEN = SOLVED[:5000]
SOLVED_PY = STUB.py + "\n\n" + ANSWERS[SOFTMAX]


def read(folder: Path, **files: str) -> Source:
    """Read what one student handed in: texts by the names of files, with `__` for the dot."""
    for name, text in files.items():
        put(folder, f"ann/{ONE}/{name.replace('__', '.')}", text=text)
    (submission,) = find(folder).submissions
    return read_submission(submission, STUB, DEFAULT_LIMITS)


@pytest.mark.parametrize("stub", [STUB.py, STUB.py + '\nprint("hello")\n'])
def test_a_notebook_that_cannot_be_read_is_not_graded_by_the_stub_beside_it(tmp_path, stub):
    source = read(tmp_path, simple_attention__py=stub, simple_attention__ipynb=BROKEN)
    assert source.problem is not None and "'simple_attention.ipynb' is not a notebook" in source.problem
    assert source.cells == []
    assert source.notes[0].endswith(", so it was not graded in the place of the other file.")
    assert set(source.sha256) == {"simple_attention.py", "simple_attention.ipynb"}


def test_a_notebook_that_cannot_be_read_costs_nothing_beside_an_answer(tmp_path):
    source = read(tmp_path, simple_attention__py=SOLVED_PY, simple_attention__ipynb=BROKEN)
    assert (source.problem, source.file_name) == (None, "simple_attention.py")


@pytest.mark.parametrize(
    "touched",
    [STUB.py + '\nprint("hello")\n', STUB.py.replace('"""', "'''"), STUB.py.replace("YOUR", "MY") + "\nEPS = 1e-9\n",
     "", "import torch\n", STUB.py + "\ndef helper(x):\n    return x\n"],
    ids=["print", "quotes", "constant", "empty", "import", "helper"],
)  # fmt: skip
def test_a_file_without_an_answer_loses_against_one_with_an_answer(tmp_path, touched):
    source = read(tmp_path, simple_attention__py=touched, simple_attention__ipynb=SOLVED)
    assert source.file_name == "simple_attention.ipynb"
    assert source.notes == ("'simple_attention.ipynb' was graded: no exercise is written in the .py beside it.",)
    notebook = json.loads(STUB.ipynb)
    notebook["cells"][1]["source"] += touched
    other = read(tmp_path, simple_attention__py=SOLVED_PY, simple_attention__ipynb=json.dumps(notebook))
    assert other.file_name == "simple_attention.py"


def test_the_py_counts_where_neither_holds_an_answer(tmp_path):
    touched = STUB.ipynb.replace('"import torch', '"1\\nimport torch')
    assert touched != STUB.ipynb
    source = read(tmp_path, simple_attention__py=STUB.py + "\nx = 1\n", simple_attention__ipynb=touched)
    assert source.file_name == "simple_attention.py"
    assert "'simple_attention.ipynb' beside it was changed too" in source.notes[0]


@pytest.mark.parametrize("name", ["simple_attention-Copy1__ipynb", "final (2)__ipynb", "HW1__py"])
def test_the_only_other_file_is_graded_where_the_named_one_has_no_answer(tmp_path, name):
    answers = SOLVED if name.endswith("ipynb") else SOLVED_PY
    source = read(tmp_path, simple_attention__ipynb=STUB.ipynb, **{name: answers})
    file = name.replace("__", ".")
    assert (source.file_name, source.problem) == (file, None)
    assert f"'{file}' was graded: 'simple_attention.ipynb' is as it was handed out." in source.notes
    assert set(source.sha256) == {file, "simple_attention.ipynb"}


def test_no_other_file_is_read_where_the_named_one_has_an_answer(tmp_path):
    source = read(tmp_path, simple_attention__ipynb=SOLVED, **{"simple_attention-Copy1__ipynb": BROKEN})
    assert (source.file_name, set(source.sha256)) == ("simple_attention.ipynb", {"simple_attention.ipynb"})
    assert source.notes == ("Not graded, though handed in beside it: 'simple_attention-Copy1.ipynb'.",)


def test_files_between_which_nobody_can_choose_are_not_graded_and_named(tmp_path):
    copies = {f"{STEM}-Copy{number}__ipynb": SOLVED.replace("import torch", f"x{number} = 1") for number in (1, 2)}
    source = read(tmp_path, simple_attention__ipynb=STUB.ipynb, **copies)
    assert source.cells == []
    assert "'simple_attention.ipynb' is as it was handed out" in source.problem
    assert "'simple_attention-Copy1.ipynb', 'simple_attention-Copy2.ipynb'. Hand in one file" in source.problem


def test_of_copies_with_the_same_answers_one_is_graded(tmp_path):
    copies = {f"{STEM}-Copy{number}__ipynb": SOLVED for number in (1, 2)}
    source = read(tmp_path, simple_attention__ipynb=STUB.ipynb, **copies)
    assert (source.file_name, source.problem) == ("simple_attention-Copy1.ipynb", None)
    assert source.notes[1] == "Not graded, though handed in beside it: 'simple_attention-Copy2.ipynb'."


def test_another_file_without_an_answer_is_named_and_one_that_cannot_be_read_is_for_a_person(tmp_path):
    source = read(tmp_path, simple_attention__py=STUB.py + "\nx = 1\n", helper__py="def helper(x):\n    return x\n")
    assert (source.file_name, source.problem) == ("simple_attention.py", None)
    assert source.notes[0].startswith("No exercise is written in 'simple_attention.py'. Not graded, though")
    source = read(tmp_path, simple_attention__py=STUB.py + "\nx = 1\n", helper__py="# coding: utf-7\n")
    assert "'helper.py'" in source.problem


def test_in_a_folder_of_several_assignments_a_copy_belongs_to_the_name_that_it_begins_with(tmp_path):
    names = ("simple_attention.ipynb", "simple_attention-Copy1.ipynb", "multi_head_attention.py", "notes.py")
    put(tmp_path, *(f"ann/{name}" for name in (*names, "multi_head_attention (1).py")))
    found = find(tmp_path / "ann", student="ann").submissions
    others = {each.assignment: [path.name for path in each.others] for each in found}
    assert others == {
        ONE: ["notes.py", "simple_attention-Copy1.ipynb"],
        FOUR: ["multi_head_attention (1).py", "notes.py"],
    }


@pytest.mark.parametrize("name", COURSE.assignments)
def test_every_exercise_is_unwritten_in_what_students_get_and_written_in_the_solution(name):
    """Else the choice would rest on exercises that it does not see."""
    assignment = COURSE.assignments[name]
    ids = {exercise.id for exercise in assignment.exercises}
    texts = stub_texts(assignment)
    cells = json.loads(texts.ipynb)["cells"]
    notebook = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    assert {id_of(cell) for cell in cells} >= ids
    for text in (texts.py, notebook):
        assert {found for found, written in definitions(text) if not written} >= ids
    solution = without_markers(assignment.source.read_text(encoding="utf-8"))
    assert {found for found, written in definitions(solution) if written} >= ids


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
        ("if True:\n    async def f(x):\n        yield x\n", True),
        ("def f(x): pass\n", False),
        ("def f(\n    x,\n) -> dict[str, int]:\n    '''Text.'''\n    ...  # later\n\ncheck('f')\n", False),
        ("def f(x: int) -> None:\n    'Text.'\n    return None\nx = 1\n", True),
        ("def f(x):\n    return None\n", False),
        ("def f(x):\n    ''''''\n    def g():\n        return x\n    return g()\n", True),
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
    assert dict(definitions(text))["f"] is written


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
        "def f(\n",
        "    " * 40 + "def f():\n",
        "#",
    ],
)
def test_looking_for_answers_takes_no_longer_for_each_byte_of_a_longer_file(body):
    """Blank lines alone once took the square of their number."""
    text = '"""' + body * (60_000 // len(body))
    begin = time.thread_time()
    COMMENT.sub("", text[3:])
    for each in (text, text[3:]):
        list(definitions(each))
    assert time.thread_time() - begin < 3
