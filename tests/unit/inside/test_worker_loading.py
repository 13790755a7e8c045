"""A student's source is run so that one broken part does not cost the others, and what is lost is told."""

import json

import pytest
import torch

from grader.workers.calls.student import Student
from grader.workers.process.clock import Allowance

from ...support.workers.open_workers import failure_of, open_session, open_student

X = torch.ones(3)


def loaded(source, **options):
    session = open_session(source, **options)
    session.ready()
    return session.record


def names(record):
    return {defined.name: defined.kind for defined in record.names}


def test_a_statement_that_raises_costs_itself_and_what_needs_its_names():
    record = loaded("a = 1\ndef f(): pass\nn = 1 / 0\nb = abs(2)\nclass C: pass\nc = n + 1\nb + 1\n")
    assert names(record) == {"a": "value", "b": "value", "C": "class", "f": "function"}
    first, second = record.problems
    assert (first.line, first.source, first.type_name) == (3, "n = 1 / 0", "ZeroDivisionError")
    assert (first.lost, second.type_name, second.lost) == (["n"], "NameError", ["c"])


def test_syntax_error_in_a_file_without_markers_costs_only_its_own_definition():
    student = open_student(
        "import torch\n\n@torch.no_grad()\ndef f(x):\n    return x + 1\n\ndef g(:\n    pass\n\n"
        'def h(x):\n    """\nimport this\nclass of its own\n    """\n    return 1 / 0\nlate = 2\n'
    )
    assert torch.equal(student.f(X), X + 1)
    assert failure_of(student.h, X).line == 15
    (problem,) = student._session.record.problems
    assert (problem.line, problem.type_name, problem.lost) == (7, "SyntaxError", ["g"])


def test_unfinished_body_is_told_with_the_lines_of_the_file():
    record = loaded("a = 1\ndef g(x):\n    return x\n\ndef f(x):\n# nothing yet\nclass H:\n    pass\n")
    (problem,) = record.problems
    assert names(record) == {"g": "function", "H": "class"} | {"a": "value"}
    assert "line 5" in problem.text and problem.lost == ["f"]


def test_text_that_python_cannot_read_is_a_problem_with_its_kind(subtests):
    for source, kind in [
        ("def f():\n\treturn 1\n        x = 2\n", "TabError"),
        ("x = 1\0\n", "SyntaxError"),
        ("x = " + "(" * 5000 + ")" * 5000 + "\n", "SyntaxError"),
        ("x = " + "-" * 100_000 + "1\n", "MemoryError|RecursionError"),
        ("return 1\n", "SyntaxError"),
    ]:
        with subtests.test(source=source, kind=kind):
            record = loaded(source)
            assert record.problems[0].type_name in kind.split("|")
            assert record.problems[0].text and names(record) == {}


@pytest.mark.parametrize("encoding", ["utf-8", "cp949", "utf-7", "rot13", "nonsense"])
def test_a_text_is_read_as_it_stands_whatever_encoding_it_names(encoding):
    record = loaded(f"# -*- coding: {encoding} -*-\nx = '안+AGE-'\n")
    assert (record.problems, names(record)) == ([], {"x": "value"})


def test_future_import_holds_for_the_statements_after_it():
    student = open_student("from __future__ import annotations\ndef f(x: nowhere) -> nothing:\n    return x\n")
    assert torch.equal(student.f(X), X)


def test_plots_and_the_courses_own_check_do_nothing():
    session = open_session(
        "import matplotlib.pyplot as plt\nfrom tqdm import tqdm\nfrom tqdm.notebook import trange\n"
        "from IPython.display import display, HTML\nimport seaborn as sns\nfrom google.colab import drive\n"
        "from grader import check\nimport ipywidgets as widgets\n"
        "class Box(widgets.VBox):\n    pass\n"
        "fig, (a, b) = plt.subplots(1, 2)\nfig, ax = plt.subplots()\nax.plot([1])[0].set_color('r')\n"
        "fig, [[a, b], [c, d]] = plt.subplots(2, 2)\nline, = plt.plot([1])\nn, bins, patches = plt.hist([1])\n"
        "first, *others = ax.plot([1])\n*others, last = ax.plot([1])\nassert others == []\n"
        "(a, b), c = fig.subplots(1, 2), [one for one in fig.axes]\nassert c == [] and f'{line:.3f}'\n"
        "def unpack():\n    fig, axes = plt.subplots(2)\n    for ax in axes:\n        ax.grid()\n"
        "    (x, y), z = fig.pair(), axes[0]\nunpack()\n"
        "with plt.style.context('dark'):\n    plt.imshow(1)\nplt.colorbar()\nplt.show()\n"
        "total = 0\nfor i in tqdm(range(3)):\n    total += i\nfor i in trange(2):\n    total += 10 * i\n"
        "display(HTML('x'))\ndrive.mount('/content')\ncheck('f')\ncheck.hint('f')\nsns.heatmap(total)\n"
        "def f():\n    return total\n"
    )
    assert Student(session).f() == 13
    assert session.record.problems == []
    assert any("matplotlib" in note for note in session.notes())


def test_cell_pasted_with_its_surroundings_is_read(subtests):
    for cell in [
        "    def f(x):\n        return x + 1\n    y = 2",
        "\n  # a comment\n    %matplotlib inline\n    def f(x):\n        return x + 1",
        ">>> def f(x):\n...     return x + 1\n...\n>>> 1 + 1\n2\n>>> f(3)\n4",
        "In [3]: def f(x):\n   ...:     return x + 1\n   ...:\n\nIn [4]: y = f(1)",
        ">>> y = [1,\n  2]\n>>> def f(x): return x + 1",
        ">>> y = 1\ndef f(x):\n    return x + y",
    ]:  # fmt: skip
        with subtests.test(cell=cell):
            student = open_student(["import torch", cell])
            assert torch.equal(student.f(X), X + 1)
            assert student._session.record.problems == []


BROKEN = {
    "a mark somewhere": "def f(x): return x + 1\ndef g(x): return (x\n# %% my tests\n",
    "a line between imports": "import torch\nprint 'x'\nimport math\ndef f(x): return torch.add(x, 1)\n",
    "a conflict": "<<<<<<< HEAD\ndef f(x): return x\n=======\ndef f(x): return x + 1\n>>>>>>> other\n",
    "a parked version": "def f(x): return x + 1\ndef g(x): return (x\n'''\nimport math\ndef f(x): return x\n'''\n",
    "a parked version without an end": "def f(x): return x + 1\n'''\nimport math\ndef f(x): return x\n",
    "a statement that is too deep": f"def f(x): return x + 1\ny = {'-' * 20_000}1\n",
    "an open string": "def g(x):\n    '''Wrong.\n    return x\ndef f(x):\n    '''Add.'''\n    return x + 1\n",
    "a decorator": "def g(:\n    pass\nimport torch\n@torch.no_grad()\ndef f(x): return x + 1\n",
    "a deeper line": "class f:\n    def __new__(cls, x): return x + 1\ndef g(x):\n    y = x\n        return y\n",
    "an indented line": "import torch\n\n# %%\n    x = 1\ndef f(x): return torch.add(x, 1)\n",
    "a decorator of nothing": "@nothing\n# %%\ndef f(x): return x + 1\n# %%\n)\n",
    "branches": "def g(:\n    pass\nif True:\n    def f(x): return x + 1\nelse:\n    f = None\n",
}


@pytest.mark.parametrize("kind", [str, lambda text: [text]], ids=["a file", "a notebook"])
@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_what_is_not_python_costs_nothing_but_itself(text, kind):
    assert torch.equal(open_student(kind(text)).f(X), X + 1)


def test_a_line_without_its_indentation_costs_the_function_that_it_is_in():
    student = open_student("def f(x):\n    y = x\nz = y\n    return z\ndef g(x):\n    return x\n")
    broken = failure_of(student.f, X)
    assert (broken.status, broken.exception_type, broken.line) == ("error", "IndentationError", 4)
    assert torch.equal(student.g(X), X)


def test_a_problem_in_another_cell_quotes_the_line_of_that_cell():
    (problem,) = loaded(["def h():\n    a = 1\n    return a / 0\n", "x = 1\ny = 2\nz = 3\nh()\n"]).problems
    assert (problem.cell, problem.line, problem.source) == (1, 3, "return a / 0")


def test_fault_beside_a_magic_is_told_where_it_is():
    record = loaded(["!pip install torch\ndef f(x):\n    return x +\n"])
    (problem,) = record.problems
    assert (problem.line, problem.source) == (3, "return x +")


def test_await_at_the_top_level_costs_only_itself():
    student = open_student(
        [
            "import asyncio\nasync def work():\n    await asyncio.sleep(0)\n    return 3\n"
            "three = await work()\nlost = await asyncio.sleep(9)\ndef f(x):\n    return x + three"
        ]
    )
    assert torch.equal(student.f(X), X + 3)
    (problem,) = student._session.record.problems
    assert (problem.line, problem.lost) == (6, ["lost"])


def test_notebook_problem_names_its_cell_and_the_line_in_it():
    student = open_student(["x = 1", "def f(v):\n    y = v\n    return 1 / 0", "\ndef broken(:\n    pass", "undefined"])
    failure = failure_of(student.f, X)
    assert (failure.cell, failure.line, failure.line_text) == (2, 3, "return 1 / 0")
    broken = failure_of(student.broken, X)
    assert (broken.cell, broken.line, broken.status) == (3, 2, "error")
    assert student._session.notes()[1].startswith("Line 1 of cell 4 stopped with NameError")


def test_the_place_of_a_syntax_error_is_said_once():
    (note,) = loaded("def f(x):\n    y = x\nreturn y\n").notes()
    assert note == "Line 3 stopped with SyntaxError: 'return' outside function."


def test_name_bound_to_something_else_says_what_it_is():
    failure = failure_of(open_student("f = 3\n").f, X)
    assert failure.status == "missing" and "f is a value of type int, which cannot be called" in failure.sentence


def test_exit_and_interrupts_at_the_top_level_are_problems_like_any_other():
    for raised in ("import sys; sys.exit(0)", "raise KeyboardInterrupt", "raise GeneratorExit", "exit()"):
        record = loaded(f"# %%\n{raised}\n# %%\ndef f(x): return x\n")
        assert "f" in names(record) and len(record.problems) == 1


def test_load_does_not_count_against_the_clock_of_the_check():
    session = open_session("def f(x): return x\n")
    session.ready()
    assert session.attempt.allowance == Allowance.of(session.limits.check_cpu_s)


FUNCTION = "import torch\nfrom torch import nn\ndef f(x):\n    return x * 2\n"
CLASS = "from torch import nn\nclass F(nn.Module):\n    def forward(self, x):\n        return x * 2\n"
PLAIN_CLASS = "class F:\n    def __call__(self, x):\n        return x * 2\n"


@pytest.mark.parametrize(
    "source",
    [
        FUNCTION + "f = f(torch.ones(2))\n",
        FUNCTION + "for f in (1, 2, 3):\n    pass\n",
        FUNCTION + "with torch.no_grad() as f:\n    pass\n",
        FUNCTION + "f = nn.Linear(2, 2)\n",
        "if True:\n    def f(x):\n        return x * 2\nf = 3\n",
        "f = lambda x: x\ndef f(x):\n    return x * 2\nf, g = 1, 2\n",
    ],
)
@pytest.mark.parametrize("notebook", [False, True])
def test_a_value_never_takes_the_place_of_a_function(source, notebook):
    session = open_session([source] if notebook else source, exercises=["f"])
    assert torch.equal(Student(session).f(X), X * 2)
    assert any("f is the name of a value" in note for note in session.record.notes("en"))


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        (CLASS + "F = F()\n", {"F": "class"}),
        (PLAIN_CLASS + "F = F()\n", {"F": "class"}),
        (CLASS + "F = F()(3)\n", {"F": "class"}),
        (FUNCTION + "import functools\nf = functools.partial(f)\n", {"f": "function"}),
        (FUNCTION + "f = lambda x: x * 3\n", {"f": "function"}),
        ("f = 3\n" + FUNCTION, {"f": "function"}),
        (FUNCTION + "del f\nf = 3\n", {"f": "function"}),
    ],
)
def test_a_value_never_takes_the_place_of_a_class_and_another_function_that_of_a_function(source, kept):
    session = open_session(source, exercises=[*kept])
    session.ready()
    assert kept.items() <= names(session.record).items()


def test_a_value_takes_the_place_of_a_helper_as_in_python():
    source = "def mask():\n    return 2\nmask = mask()\ndef f(x):\n    return x * mask\n"
    assert torch.equal(Student(open_session(source, exercises=["f"])).f(X), X * 2)


@pytest.mark.parametrize(
    "loop",
    [
        "from rich.progress import track\nfor i in track(range(1, 4), description='rows'):",
        "from rich.progress import Progress\nwith Progress() as bars:\n  for i in bars.track(range(1, 4)):",
        "from tqdm.contrib import tenumerate\nfor _, i in tenumerate(range(1, 4)):",
        "from tqdm.contrib import tmap\nfor i in tmap(abs, (-1, -2, -3)):",
        "from tqdm.contrib.concurrent import thread_map\nfor i in thread_map(abs, (-1, -2, -3), max_workers=2):",
        "from tqdm.contrib.itertools import product\nfor i, _ in product(range(1, 4), 'a'):",
        "from tqdm.autonotebook import tqdm\nfor i in tqdm(range(1, 4), desc='rows'):",
    ],
)
def test_a_loop_under_a_progress_bar_runs_over_what_it_is_given(loop):
    body = "\n".join(f"    {line}" for line in f"{loop}\n    total = total + i * x".split("\n"))
    assert torch.equal(open_student(f"def f(x):\n    total = 0\n{body}\n    return total\n").f(X), X * 6)


def test_a_second_definition_in_a_file_counts_as_in_any_python_program():
    marked = json.dumps({"grade_id": "f"})
    text = f"# %% nbgrader={marked}\ndef f(x):\n    return 1\n\n# %%\ndef f(x):\n    return 2\n"
    student = Student(open_session(text))
    assert student.f(0) == 2
    assert student._session.notes() == []


def test_a_stub_further_down_in_a_file_takes_the_place_of_no_answer():
    stub = "def f(x):\n    raise NotImplementedError('f is not written yet')\n"
    student = Student(open_session(f"def f(x):\n    return 1\n\n# %%\n{stub}"))
    assert student.f(0) == 1
