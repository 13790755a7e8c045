"""A notebook as the real jupytext and nbconvert write it as a `.py`: magics and broken cells cost nothing."""

import nbformat
import pytest

from ...support.workers.open_workers import close_sessions, open_session

jupytext = pytest.importorskip("jupytext", reason="jupytext is not installed")


WRITTEN = ("percent", "light", "hydrogen", "script")


def written_as(form: str, notebook: nbformat.NotebookNode) -> str:
    if form == "script":
        exporter = pytest.importorskip("nbconvert", reason="nbconvert is not installed").PythonExporter()
        return str(exporter.from_notebook_node(notebook)[0])
    return str(jupytext.writes(notebook, fmt=f"py:{form}"))


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
