"""What only IPython understands is left out of a cell, and Python that merely looks like it stays as it is."""

import ast

import pytest
import torch

from grader.inside.protocol.messages import Cell
from grader.inside.source.ipython_syntax import without_magics
from grader.inside.source.statement_groups import parse_cell, parse_file
from grader.workers.calls.student import Student

from ...support.workers.open_workers import open_session

ONE = "def f(x):\n    return x + 1\n"
PYTHON = {
    "added": "def f(x):\n    run = 0\n    for v in x:\n        run += v\n    return run\n",
    "taken_away": "def f(x):\n    less = x.clone()\n    less -= 1\n    return less\n",
    "in_brackets": "def f(x):\n    load = x\n    return (\n        load @ load\n    )\n",
    "rest": "def f(x):\n    n = (7\n         % 4)\n    return n * x\n",
    "rest_after_backslash": "def f(x):\n    n = 7 \\\n    % 4\n    return n * x\n",
    "not_equal": "def f(x):\n    return [\n        x\n        != 3,\n    ]\n",
    "compared": "def f(x):\n    who = x > 1\n    return (\n        who is None or\n        who in [x]\n    )\n",
    "in_a_string": 'TEXT = """\n!3\n%d\nls -la x\n"""\n\ndef f(x):\n    return TEXT\n',
    "in_a_string_with_quotes": 'TEXT = """a \\""" \'\'\'\n!3\n"""\nMORE = \'\'\'"""\n%d\'\'\'\n' + ONE,
    "after_a_string": 'k = \'("""\'\nless = 4\nless -= 1\n' + ONE,
    "after_a_comment": 'k = 3  # "(\nless = 4\nless -= k\n' + ONE,
}


def read(text, grade_id=""):
    """Return a cell's group as it is run."""
    (group,) = parse_cell(Cell(1, text, grade_id), "a.ipynb[1]")
    return group


def dumped(statements):
    return [ast.dump(statement) for statement in statements]


def test_a_magic_at_the_head_changes_nothing_of_the_python_below_it(subtests):
    for python in PYTHON:
        for head in ["%%time\n", "%matplotlib inline\n", "!pip install einops\n", "torch.exp?\n"]:
            with subtests.test(python=python, head=head):
                group = read(head + PYTHON[python])
                assert group.fault is None
                statements = [statement for statement in group.statements if not isinstance(statement, ast.Pass)]
                assert dumped(statements) == dumped(ast.parse(PYTHON[python]).body)
                assert group.left_out == [1]


@pytest.mark.parametrize(
    "cell",
    [f"%%bash\n{ONE}", f"%%writefile f.py\n{ONE}", "%%unknown\nSELECT a FROM b", "%%unknown\nclass of\nthings",
     "%%ai\nhello"],
)  # fmt: skip
def test_what_stands_below_a_magic_for_something_else_is_no_code(cell):
    group = read(cell)
    assert (group.fault, group.statements, group.left_out) == (None, [], [1])


def test_a_word_without_a_sign_is_a_command_only_where_the_cell_is_no_python_otherwise():
    assert without_magics("%time 1\nrun x") == "1\nrun x"
    assert without_magics("%time 1\nrun x", automagic=True) == "1\npass"
    for line in ("pip install x", "ls *.py", "rm -rf a", "cd /tmp", "cat a > b", "git status"):
        assert without_magics(line, automagic=True) == "pass"
    for line in ("run += v", "run +=v", "less -= 1", "load @ x", "time - 3", "who in x", "who is None", "time == 3"):
        assert without_magics(line, automagic=True) == line


@pytest.mark.parametrize(
    ("block", "told"),
    [
        ("if True:\n    # %matplotlib inline\n", True),
        ("for i in range(2):  # twice: \n\n    # !echo {i}\n", True),
        ("try:\n    # files = !ls\nexcept OSError:\n    # ?torch.exp\nelse:\n    x = 3\n", True),
        ("if True:\n    # a remark\n", False),
        ("if True:\n    # %%time\n", False),
    ],
)
def test_a_magic_in_a_comment_holds_the_place_of_a_block_in_what_jupytext_writes(block, told):
    groups = parse_file(f"# %%\nimport torch\n\n# %%\n{block}{ONE}", "a.py", 1)
    assert ([group.fault for group in groups] == [None, None]) is told
    if told:
        assert groups[1].statements[-1].name == "f"
        assert [group.left_out for group in groups] == [[], []]


def test_names_that_are_words_of_ipython_stay_names():
    session = open_session(["ls = 3\nls\nwho = ls\ntime = 4\ntime\n" + ONE])
    session.ready()
    assert session.notes() == []


def test_what_ipython_understands_costs_nothing_of_its_cell(subtests):
    for line in ["pip install einops", "conda install x -y", "cd /tmp", "ls -la", "!ls", "files = !ls", "f?", "??f",
     "%matplotlib inline", "time f(3)", "ls", "pwd", "who",
     "torch.*exp*?", "?torch.*exp*", "y = torch.exp?", "torch.exp?  # what is it", "/print 1 2", ",print a b",
     ";print a b", 'd = {}; \nd["a"] = !ls', "g = lambda: 0\ng.x = !ls", "a, b = !echo 1", "a, *b = !ls -la",
     "first = !ls\nsecond = first[0].upper() + first.s", "kind: list = !ls", "table = %sql select\ntable.head()",
     "ls .", "cd ..", "if True:\n    !ls", "%time y = max(1, \\\n  2)", "%time 1 + 1",
     "%time y = 2\nassert y == 2", "y = %time 1 + 2\nassert y == 3",
     "y = 1\n%timeit -n 2 -r 1 y = y + 1\nassert y == 2",
     "!pip install torch \\\n  numpy", "n = %env\nassert len(n) == 0", "files = !ls\nassert list(files) == []",
     "y = 7 % 4\nget_ipython().run_line_magic('x', '')\nassert y == 3"]:  # fmt: skip
        with subtests.test(line=line):
            session = open_session([f"import torch\n{line}\n{ONE}"])
            assert torch.equal(Student(session).f(torch.zeros(1)), torch.ones(1))
            notes = "".join(session.notes())
            assert "stopped" not in notes
            assert "\n" in line or (f"{' '.join(line.split())} (cell 1)" in notes) is not line.startswith("%time ")


@pytest.mark.parametrize("magic", ["debug", "wandb", "wandb -q", "heat", "my_timer 3"])
def test_a_cell_magic_that_nobody_knows_keeps_the_functions_below_it(magic):
    session = open_session([(f"%%{magic}\n{ONE}", "f")])
    assert torch.equal(Student(session).f(torch.zeros(1)), torch.ones(1))
    assert f"%%{magic} (cell 1)" in "".join(session.notes())
