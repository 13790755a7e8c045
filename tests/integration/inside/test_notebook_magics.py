"""What only IPython understands is left out of a cell, and Python that merely looks like it stays as it is."""

import re

import pytest
import torch

from grader.inside.source.statement_groups import parse_file
from grader.workers.calls.student import Student

from ...support.open_workers import open_session
from ...unit.inside.test_notebook_magics import ONE, dumped, read


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
     "ls .", "cd ..", "if True:\n    !ls", "%time y = max(1, \\\n  2)", "%time 1 + 1"]:  # fmt: skip
        with subtests.test(line=line):
            session = open_session([f"import torch\n{line}\n{ONE}"])
            assert torch.equal(Student(session).f(torch.zeros(1)), torch.ones(1))
            said = "".join(session.notes())
            assert "stopped" not in said
            assert "\n" in line or (f"{' '.join(line.split())} (cell 1)" in said) is not line.startswith("%time ")


@pytest.mark.parametrize("magic", ["debug", "wandb", "wandb -q", "heat", "my_timer 3"])
def test_a_cell_magic_that_nobody_knows_keeps_the_functions_below_it(magic):
    session = open_session([(f"%%{magic}\n{ONE}", "f")])
    assert torch.equal(Student(session).f(torch.zeros(1)), torch.ones(1))
    assert f"%%{magic} (cell 1)" in "".join(session.notes())


@pytest.mark.parametrize("form", ["py:percent", "py:light"])
def test_jupytexts_file_of_a_block_that_holds_a_magic_alone_is_read_as_the_notebook(form):
    """To write one starts pandoc, to ask which version it has."""
    jupytext = pytest.importorskip("jupytext", reason="jupytext is not installed")
    v4 = pytest.importorskip("nbformat", reason="nbformat is not installed").v4
    cell = "if True:\n    %matplotlib inline\nfor i in range(2):\n    !echo {i}\n" + ONE
    text = jupytext.writes(v4.new_notebook(cells=[v4.new_code_cell("import torch"), v4.new_code_cell(cell)]), form)
    assert re.search(r"^ +# %matplotlib inline$", text, re.MULTILINE)
    statements = [each for group in parse_file(text, "a.py", 1) for each in group.statements]
    assert dumped(statements[-3:]) == dumped(read(cell).statements)
