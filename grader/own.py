"""`check("softmax_naive")` inside a student's own notebook or script.

The code is checked as it stands where the call is made: the cells of a notebook that were run so far, or the file of a
script. It runs once more in a process of its own, as every check does, so an endless loop stops no notebook.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

from grader.errors import GraderError, UsageError


def check_here(exercise: str, language: str) -> None:
    """Check one exercise of the calling notebook or script, and print the outcome."""
    from grader.checking import check_path
    from grader.cli.check import show

    try:
        shell = notebook_shell()
        if shell is None:
            show(check_path(script_path(), exercise), language)
            return
        with tempfile.TemporaryDirectory() as folder:
            show(check_path(written_cells(shell, Path(folder), exercise), exercise), language)
    except GraderError as error:
        print(f"grader: {error}")


def notebook_shell() -> Any:
    """Return IPython's shell when this runs inside one, else None."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None else None


def script_path() -> Path:
    """Return the file that was started as a script.

    Raises:
        UsageError: There is none, as in the interpreter's own prompt.
    """
    file = getattr(sys.modules.get("__main__"), "__file__", None)
    if file is None:
        raise UsageError(
            "The code of this session is in no file, so it cannot be checked.", hint="Use `grader check` with a file."
        )
    return Path(file)


def written_cells(shell: Any, folder: Path, exercise: str) -> Path:
    """Write the cells that were run so far into a file named like the assignment around the current folder."""
    import json

    from grader.course.students import assignment_of_exercise

    name = assignment_of_exercise(Path.cwd(), exercise)
    cells = [
        {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": text}
        for text in shell.user_ns.get("In", [])
        if text.strip()
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    file = folder / f"{name}.ipynb"
    file.write_text(json.dumps(notebook), encoding="utf-8")
    return file
