"""Of several files that a student hands in, the one with answers is graded, or else a person is asked."""

import json
import time
from pathlib import Path

import pytest

from grader.course.layout import find_course
from grader.grading.finding import stub_texts
from grader.limits import DEFAULT_LIMITS
from grader.submissions.reading.choice import COMMENT, definitions
from grader.submissions.reading.read import Source, read_submission

from ....support.grading_runs import frozen_course
from ....support.student_notebooks import ANSWERS, SOFTMAX, honest
from ....support.submission_folders import FOUR, ONE, find, put

COURSE = find_course(frozen_course())
STEM = "simple_attention"
STUB = stub_texts(COURSE.assignments[ONE])
SOLVED = json.dumps(honest())
BROKEN = SOLVED[:-200]
SOLVED_PY = STUB.py + "\n\n" + ANSWERS[SOFTMAX]


def read(folder: Path, files: dict[str, str]) -> Source:
    """Read what one student handed in: texts by the names of files."""
    for name, text in files.items():
        put(folder, f"ann/{ONE}/{name}", text=text)
    (submission,) = find(folder).submissions
    return read_submission(submission, STUB, DEFAULT_LIMITS)


PY, NB = f"{STEM}.py", f"{STEM}.ipynb"
PRINTS = STUB.py + '\nprint("hello")\n'
ONE_LINE = STUB.py + "\nx = 1\n"
TOUCHED = STUB.ipynb.replace('"import torch', '"1\\nimport torch')
COPIES = [f"{STEM}-Copy{number}.ipynb" for number in (1, 2)]
DIFFERENT = [SOLVED.replace("import torch", f"x{number} = 1") for number in (1, 2)]
NOT_READ = f"'{NB}' is not a notebook"
CHOSEN = {
    "a notebook that cannot be read, beside the stub": (
        {PY: STUB.py, NB: BROKEN}, "", NOT_READ, ", so it was not graded in the place of the other file."
    ),
    "one beside a stub that prints": (
        {PY: PRINTS, NB: BROKEN}, "", NOT_READ, ", so it was not graded in the place of the other file."
    ),
    "one beside an answer": ({PY: SOLVED_PY, NB: BROKEN}, PY, "", ""),
    "neither holds an answer": ({PY: ONE_LINE, NB: TOUCHED}, PY, "", f"'{NB}' beside it was changed too"),
    **{
        f"the only other file, {name}": (
            {NB: STUB.ipynb, name: SOLVED if name.endswith("ipynb") else SOLVED_PY}, name, "",
            f"'{name}' was graded: '{NB}' is as it was handed out.",
        )
        for name in (COPIES[0], "final (2).ipynb", "HW1.py")
    },
    "files between which nobody can choose": (
        {NB: STUB.ipynb, **dict(zip(COPIES, DIFFERENT, strict=True))}, "",
        f"'{NB}' is as it was handed out, and what is beside it and may be the work was not graded either: "
        f"'{COPIES[0]}', '{COPIES[1]}'. Hand in one file", "",
    ),
    "copies with the same answers": (
        {NB: STUB.ipynb, **dict.fromkeys(COPIES, SOLVED)}, COPIES[0], "",
        f"Not graded, though handed in beside it: '{COPIES[1]}'.",
    ),
    "another file without an answer": (
        {PY: ONE_LINE, "helper.py": "def helper(x):\n    return x\n"}, PY, "",
        f"No exercise is written in '{PY}'. Not graded, though",
    ),
    "another file that cannot be read": ({PY: ONE_LINE, "helper.py": "# coding: utf-7\n"}, "", "'helper.py'", ""),
}  # fmt: skip


@pytest.mark.parametrize("case", CHOSEN)
def test_the_file_with_answers_is_graded_or_else_a_person_is_asked(tmp_path, case):
    files, graded, problem, note = CHOSEN[case]
    source = read(tmp_path, files)
    assert (source.problem is None) == (not problem) and problem in str(source.problem)
    assert source.file_name == graded if graded else source.cells == []
    assert any(note in said for said in source.notes) if note else True
    assert set(source.sha256) == set(files)


def test_no_other_file_is_read_where_the_named_one_has_an_answer(tmp_path):
    source = read(tmp_path, {NB: SOLVED, COPIES[0]: BROKEN})
    assert (source.file_name, set(source.sha256)) == (NB, {NB})
    assert source.notes == (f"Not graded, though handed in beside it: '{COPIES[0]}'.",)


@pytest.mark.parametrize(
    "touched",
    [STUB.py + '\nprint("hello")\n', STUB.py.replace('"""', "'''"), STUB.py.replace("YOUR", "MY") + "\nEPS = 1e-9\n",
     "", "import torch\n", STUB.py + "\ndef helper(x):\n    return x\n"],
    ids=["print", "quotes", "constant", "empty", "import", "helper"],
)  # fmt: skip
def test_a_file_without_an_answer_loses_against_one_with_an_answer(tmp_path, touched):
    source = read(tmp_path, {PY: touched, NB: SOLVED})
    assert source.file_name == "simple_attention.ipynb"
    assert source.notes == ("'simple_attention.ipynb' was graded: no exercise is written in the .py beside it.",)
    notebook = json.loads(STUB.ipynb)
    notebook["cells"][1]["source"] += touched
    other = read(tmp_path, {PY: SOLVED_PY, NB: json.dumps(notebook)})
    assert other.file_name == "simple_attention.py"


def test_in_a_folder_of_several_assignments_a_copy_belongs_to_the_name_that_it_begins_with(tmp_path):
    names = ("simple_attention.ipynb", "simple_attention-Copy1.ipynb", "multi_head_attention.py", "notes.py")
    put(tmp_path, *(f"ann/{name}" for name in (*names, "multi_head_attention (1).py")))
    found = find(tmp_path / "ann", student="ann").submissions
    others = {each.assignment: [path.name for path in each.others] for each in found}
    assert others == {
        ONE: ["notes.py", "simple_attention-Copy1.ipynb"],
        FOUR: ["multi_head_attention (1).py", "notes.py"],
    }


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


def test_looking_for_answers_takes_no_longer_for_each_line_of_a_file_that_nests_deeper():
    """A quarter of a megabyte of classes in each other once held up the whole class for minutes."""
    text = "".join(f"{' ' * depth}class forward:\n" for depth in range(700))
    begin = time.thread_time()
    assert dict(definitions(text)) == {"forward": True}
    assert time.thread_time() - begin < 3
