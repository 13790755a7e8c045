"""What only IPython understands is left out of a cell, and Python that merely looks like it stays as it is."""

import re

import pytest

from grader.inside.source.statement_groups import parse_file

from ...unit.inside.test_notebook_magics import ONE, dumped, read


@pytest.mark.parametrize("form", ["py:percent", "py:light"])
def test_jupytexts_file_of_a_block_that_holds_a_magic_alone_is_read_as_the_notebook(form):
    """To write one starts pandoc, to ask which version it has."""
    jupytext = pytest.importorskip("jupytext", reason="jupytext is not installed")
    v4 = pytest.importorskip("nbformat", reason="nbformat is not installed").v4
    cell = "if True:\n    %matplotlib inline\nfor i in range(2):\n    !echo {i}\n" + ONE
    text = jupytext.writes(v4.new_notebook(cells=[v4.new_code_cell("import torch"), v4.new_code_cell(cell)]), form)
    assert re.search(r"^ +# %matplotlib inline$", text, re.MULTILINE)
    statements = [statement for group in parse_file(text, "a.py", 1) for statement in group.statements]
    assert dumped(statements[-3:]) == dumped(read(cell).statements)
