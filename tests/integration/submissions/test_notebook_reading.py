"""Reading a notebook runs nothing of it and imports no library of notebooks."""

import json
import subprocess
import sys

from ...support.classes.grading_runs import ASSIGNMENT, FILE, ROOT, frozen_course
from ...support.classes.student_notebooks import honest, messy, scratch

WATCHED = """\
import sys
seen = []
def hook(event, arguments):
    if event in ("compile", "exec", "import") or event.startswith(("os.", "subprocess.", "socket.", "shutil.", "pty.")):
        seen.append((event, str(arguments)[:200]))
    if event == "open" and not (isinstance(arguments[1], str) and arguments[1].startswith("r")) and arguments[2] & 3:
        seen.append((event, str(arguments)[:200]))
from pathlib import Path
from grader.language import translation
from grader.limits import DEFAULT_LIMITS
from grader.submissions.files import File
from grader.submissions.read import read_submission
from grader.submissions.submission import Submission
translation("en")  # gettext imports a module at its first use
sys.addaudithook(hook)
file = File(Path(sys.argv[1]), "a.ipynb")
found = read_submission(Submission("ann", "01", (file,)), ("softmax_naive",), DEFAULT_LIMITS)
libraries = {"nbformat", "nbgrader", "jupytext", "nbclient", "IPython", "jsonschema", "torch"}
print(len(found.cells), found.problem, seen, libraries & {name.partition(".")[0] for name in sys.modules})
"""


def test_nothing_of_a_notebook_is_run_or_parsed_as_python_where_it_is_read(tmp_path):
    """Python's own audit hook sees no code compiled, run or imported, no program started and nothing written.

    What was imported before it began to look holds no library of notebooks.
    """
    notebook = honest()
    messy(notebook)
    notebook["metadata"]["kernelspec"] = {"name": "evil", "argv": ["touch", str(tmp_path / "evil")]}
    output = {"output_type": "execute_result", "data": {"application/javascript": "alert(1)"}, "metadata": {}}
    notebook["cells"].append({**scratch("__import__('os').system('true')"), "outputs": [output]})
    file = tmp_path / f"{FILE}.ipynb"
    file.write_text(json.dumps(notebook))
    released = frozen_course() / "assignments" / ASSIGNMENT / f"{FILE}.ipynb"
    command = [sys.executable, "-c", WATCHED, str(file), str(released)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == f"{sum(c['cell_type'] == 'code' for c in notebook['cells'])} None [] set()"
