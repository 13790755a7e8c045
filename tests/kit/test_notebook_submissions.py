"""What becomes of a notebook on its way to a report: which code counts, what is left out, and what is said of it.

Every case is a notebook made from the one that students get. It is graded by the real command, in a jail; two exercises
are solved in it, and both must keep their points unless the case says otherwise.
"""

import base64
import json
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from grader.limits import DEFAULT_LIMITS
from grader.submissions.read import read_file

from .grading_runs import ASSIGNMENT, FILE, REFUSED, ROOT, Graded, grade

SCORES, SOFTMAX = "attention_scores_for_query", "softmax_naive"
ANSWERS = {
    SCORES: f"def {SCORES}(inputs, query):\n    return inputs @ query\n",
    SOFTMAX: f"def {SOFTMAX}(x):\n    powers = torch.exp(x)\n    return powers / powers.sum()\n",
}
WRONG = f"def {SOFTMAX}(x):\n    return x / x.sum()\n"
FULL = {SCORES: Decimal(3), SOFTMAX: Decimal(3)}
Notebook = dict[str, Any]


def id_of(cell: dict[str, Any]) -> str:
    """Return a cell's grade id, or an empty text."""
    return str(cell["metadata"].get("nbgrader", {}).get("grade_id", ""))


def honest() -> Notebook:
    """Return the released notebook with the two answers in it, as a student hands it in."""
    path = ROOT / "assignments" / ASSIGNMENT / f"{FILE}.ipynb"
    notebook: Notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        cell["source"] = ANSWERS.get(id_of(cell), cell["source"])
    return notebook


def cell_of(notebook: Notebook, grade_id: str) -> dict[str, Any]:
    """Return the cell of a grade id."""
    return next(cell for cell in notebook["cells"] if id_of(cell) == grade_id)


def scratch(source: str) -> dict[str, Any]:
    """Return a code cell without a grade id."""
    return {"cell_type": "code", "id": "scratch", "metadata": {}, "source": source, "outputs": [], "execution_count": 1}


def appended(*sources: str) -> Callable[[Notebook], None]:
    """Return a change that adds scratch cells at the end."""

    def change(notebook: Notebook) -> None:
        notebook["cells"] += [scratch(source) for source in sources]

    return change


def copied_the_right_one_last(notebook: Notebook) -> None:
    at = notebook["cells"].index(cell_of(notebook, SOFTMAX))
    notebook["cells"].insert(at, {**cell_of(notebook, SOFTMAX), "id": "copy", "source": WRONG})


def copied_and_left_as_handed_out(notebook: Notebook) -> None:
    stub = f'def {SOFTMAX}(x):\n    """Text."""\n    raise NotImplementedError("{SOFTMAX} is not written yet")\n'
    notebook["cells"].append({**cell_of(notebook, SOFTMAX), "id": "copy", "source": stub})


def deleted_cells(notebook: Notebook) -> None:
    gone = ("normalize_scores", "softmax_naive-check")
    notebook["cells"] = [cell for cell in notebook["cells"] if id_of(cell) not in gone]


def edited_a_locked_cell(notebook: Notebook) -> None:
    cell_of(notebook, f"{SOFTMAX}-check")["source"] = f"check('{SOFTMAX}')\n{WRONG}assert True\n"


def changed_points(notebook: Notebook) -> None:
    cell_of(notebook, f"{SOFTMAX}-check")["metadata"]["nbgrader"]["points"] = 99
    cell_of(notebook, f"{SCORES}-check")["metadata"]["nbgrader"]["points"] = {"a": ["lie"]}


def made_a_solution_cell_a_check(notebook: Notebook) -> None:
    meta = cell_of(notebook, SOFTMAX)["metadata"]["nbgrader"]
    meta.update(grade=True, solution=False, locked=True, points=-5, task="yes")


def stripped(notebook: Notebook) -> None:
    for cell in notebook["cells"]:
        cell["metadata"] = {}


def from_colab(notebook: Notebook) -> None:
    """As Colab saves it: its own metadata, ids in it, format 4.0, forms, and its own ways to install and to mount."""
    for number, cell in enumerate(notebook["cells"]):
        del cell["id"]
        cell["metadata"] = {"id": f"aB{number}", "colab": {"base_uri": "https://localhost:8080/"}, "outputId": "x"}
    notebook["nbformat_minor"] = 0
    notebook["metadata"] = {"colab": {"provenance": []}, "kernelspec": {"name": "python3", "display_name": "Python 3"}}
    setup = '#@title Setup { display-mode: "form" }\n!pip install -q einops\nfrom google.colab import drive, files\n'
    setup += "drive.mount('/content/drive')\n%cd /content\nn = 3 #@param {type: 'integer'}\n"
    notebook["cells"].insert(1, {"cell_type": "code", "metadata": {}, "source": setup, "outputs": []})


def odd_metadata(notebook: Notebook) -> None:
    for number, cell in enumerate(notebook["cells"]):
        odd: list[Any] = [[], 5, None, "text", {"nbgrader": []}, {"nbgrader": {"grade_id": 7}}]
        cell["metadata"] = odd[number % len(odd)]


def messy(notebook: Notebook) -> None:
    """All that a student's notebook gathers in a week."""
    first = notebook["cells"].index(cell_of(notebook, SCORES))
    notebook["cells"][first:first] = [
        scratch("pip install einops\nimport torch\n%matplotlib inline\nimport matplotlib.pyplot as plt"),
        scratch("%%bash\nls -la\necho done"),
        scratch("files = !ls\ntorch.softmax?\n%time y = torch.ones(2)\nls\nprint(y)"),
        scratch("class Later(Earlier):\n    pass\n\nlater = Later()"),
        scratch("1 / 0\nnever = 1"),
        scratch("def broken(:\n    pass"),
        scratch("fig, ax = plt.subplots()\nax.plot([1, 2]); plt.show()\nget_ipython().run_line_magic('time', '1')"),
        scratch("import sys, warnings\nprint('noise', file=sys.stderr)\nwarnings.warn('more noise')"),
    ]
    notebook["cells"].append(scratch("class Earlier:\n    pass"))


def as_text(notebook: Notebook) -> None:
    cell = cell_of(notebook, SOFTMAX)
    cell["cell_type"] = "markdown"


def heavy(notebook: Notebook) -> None:
    """Raw cells, attachments and 5 MB of pictures."""
    picture = base64.b64encode(bytes(range(256)) * 15_000).decode()
    notebook["cells"].insert(0, {"cell_type": "raw", "id": "raw", "metadata": {}, "source": f"def {SOFTMAX}(x): pass"})
    text = {"cell_type": "markdown", "id": "text", "metadata": {}, "source": "![a](attachment:a.png)"}
    notebook["cells"].insert(1, {**text, "attachments": {"a.png": {"image/png": picture[:1000]}}})
    output = {"output_type": "display_data", "metadata": {}, "data": {"image/png": picture}}
    cell_of(notebook, SOFTMAX)["outputs"] = [output]


def format_4_0(notebook: Notebook) -> None:
    notebook["nbformat_minor"] = 0
    for cell in notebook["cells"]:
        del cell["id"]


def format_3(notebook: Notebook) -> None:
    cells = [
        {
            "cell_type": "code",
            "language": "python",
            "input": cell["source"],
            "metadata": cell["metadata"],
            "outputs": [],
        }
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]
    notebook.update(nbformat=3, nbformat_minor=0, worksheets=[{"cells": cells, "metadata": {}}])
    del notebook["cells"]


def moved_to_a_cell_of_its_own(notebook: Notebook) -> None:
    """The answer stands in a new cell, and the cell of the exercise is as it was handed out."""
    stub = f"def {SOFTMAX}(x):\n    raise NotImplementedError('{SOFTMAX} is not written yet')\n"
    notebook["cells"].insert(3, scratch(ANSWERS[SOFTMAX]))
    cell_of(notebook, SOFTMAX)["source"] = stub


CASES: dict[str, tuple[Callable[[Notebook], None], list[str], dict[str, Decimal]]] = {
    "honest": (lambda notebook: None, [], FULL),
    "copied": (copied_the_right_one_last, [f"More than one cell carries the grade id {SOFTMAX}: cell 8 counts"], FULL),
    "copied_stub": (copied_and_left_as_handed_out, [f"the grade id {SOFTMAX}: cell 7 counts"], FULL),
    "deleted": (
        deleted_cells,
        ["Not in the notebook any more: the cells 'normalize_scores', 'softmax_naive-check'."],
        FULL,
    ),
    "edited_lock": (
        edited_a_locked_cell,
        ["Changed, though locked: the cell 'softmax_naive-check'. That changes no check and no points.",
         f"{SOFTMAX} is defined more than once: its own cell counts (cell 7), and not cell 8."],
        FULL,
    ),
    "points": (
        changed_points,
        [f"Points in the metadata differ from the course's in the cells '{SCORES}-check', '{SOFTMAX}-check'."],
        FULL,
    ),
    "roles": (made_a_solution_cell_a_check, [], FULL),
    "stripped": (stripped, ["No cell of the notebook carries nbgrader's metadata any more"], FULL),
    "colab": (from_colab, ["(Colab and some editors drop it)", "!pip install -q einops (cell 1)"], FULL),
    "odd_metadata": (odd_metadata, ["No cell of the notebook carries nbgrader's metadata any more"], FULL),
    "messy": (
        messy,
        ["pip install einops (cell 3); %matplotlib inline (cell 3); %%bash (cell 4); files = !ls (cell 5)",
         "ls (cell 5)", "Cell 6 needs Earlier, which is defined further down",
         "Line 1 of cell 7 stopped with ZeroDivisionError",
         "Line 1 of cell 8 stopped with SyntaxError", "does nothing: matplotlib"],
        FULL,
    ),
    "redefined": (appended(WRONG), ["its own cell counts (cell 7), and not cell 21."], FULL),
    "elsewhere": (
        moved_to_a_cell_of_its_own,
        [f"{SOFTMAX} is taken from cell 2, since what stands in cell 8 is not written yet."],
        FULL,
    ),
    "as_text": (
        as_text,
        [f"The cell '{SOFTMAX}' is no code cell any more, so what stands there was not read as code."],
        {SCORES: Decimal(3)},
    ),
    "heavy": (heavy, [], FULL),
    "format_4_0": (format_4_0, [], FULL),
    "format_3": (format_3, [], FULL),
    "bom": (lambda notebook: None, [], FULL),
    "loop": (appended("while True:\n    pass"), ["Line 1 of cell 21 was not run any further"], FULL),
    "crash": (appended("import os\nos._exit(0)"), ["Line 2 of cell 21 was not run any further"], FULL),
}  # fmt: skip


def renamed_python(notebook: Notebook) -> bytes:
    return b"# %%\nimport torch\n\ndef f(x):\n    return x\n"


def in_two_pieces(notebook: Notebook) -> bytes:
    return json.dumps(notebook).encode()[:-200]


PROBLEMS: dict[str, tuple[str, Callable[[Notebook], bytes], str]] = {
    "python_as_notebook": (
        ".ipynb",
        renamed_python,
        "looks like a Python file under the name of a notebook; rename it",
    ),
    "notebook_as_python": (
        ".py",
        lambda book: json.dumps(book).encode(),
        "is a notebook under the name of a .py file.",
    ),
    "utf_16": (".ipynb", lambda book: json.dumps(book).encode("utf-16"), "is saved as UTF-16, and only UTF-8 is read."),
    "half": (".ipynb", in_two_pieces, "is no notebook, because it is no whole JSON text"),
    "many_bytes": (".ipynb", lambda book: b" " * (21 << 20), "bytes, and at most 20,971,520 are read."),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    """Grade one class of all cases."""
    folder = tmp_path_factory.mktemp("notebooks")

    def place(student: str, suffix: str, raw: bytes) -> None:
        path = folder / "class" / student / ASSIGNMENT / f"{FILE}{suffix}"
        path.parent.mkdir(parents=True)
        path.write_bytes(raw)

    for student, (change, _, _) in CASES.items():
        notebook = honest()
        change(notebook)
        mark = b"\xef\xbb\xbf" if student == "bom" else b""
        place(student, ".ipynb", mark + json.dumps(notebook, indent=1).encode())
    for student, (suffix, make, _) in PROBLEMS.items():
        place(student, suffix, make(honest()))
    run = grade(folder / "reports", folder / "class", "--jobs", "2", "--language", "en")
    if run.code == REFUSED:
        pytest.skip(run.stderr.strip())
    return run


@pytest.mark.parametrize("case", CASES)
def test_a_notebook_keeps_the_points_of_what_is_written_in_it(graded, case):
    _, _, points = CASES[case]
    report = graded.report(case)
    assert report["problem"] is None
    assert graded.points(case) == points
    assert report["max_score"] == Decimal(30)


@pytest.mark.parametrize("case", CASES)
def test_the_student_is_told_what_was_left_out_and_which_cell_counts(graded, case):
    _, words, _ = CASES[case]
    notes = graded.copy(case)["notes"]
    for said in words:
        assert any(said in note for note in notes), notes
    if not words:
        assert notes == []


@pytest.mark.parametrize("case", PROBLEMS)
def test_what_is_no_notebook_has_a_sentence(graded, case):
    report = graded.copy(case)
    assert report["score"] == 0
    assert PROBLEMS[case][2] in report["problem"]
    assert report["problem"].endswith(".")


WATCHED = """\
import sys
seen = []
def hook(event, arguments):
    if event in ("compile", "exec", "import") or event.startswith(("os.", "subprocess.", "socket.", "shutil.", "pty.")):
        seen.append((event, str(arguments)[:200]))
    if event == "open" and not (isinstance(arguments[1], str) and arguments[1].startswith("r")) and arguments[2] & 3:
        seen.append((event, str(arguments)[:200]))
from pathlib import Path
from grader.limits import DEFAULT_LIMITS
from grader.submissions.read import StubTexts, read_submission
from grader.submissions.submission import Submission
stub = StubTexts(ipynb=Path(sys.argv[2]).read_text(encoding="utf-8"))
sys.addaudithook(hook)
found = read_submission(Submission("ann", "01", (Path(sys.argv[1]),)), stub, DEFAULT_LIMITS)
print(len(found.cells), found.problem, seen)
"""


def test_nothing_of_a_notebook_is_run_or_parsed_as_python_where_it_is_read(tmp_path):
    """Python's own audit hook sees no code compiled, run or imported, no program started and nothing written."""
    notebook = honest()
    messy(notebook)
    notebook["metadata"]["kernelspec"] = {"name": "evil", "argv": ["touch", str(tmp_path / "evil")]}
    output = {"output_type": "execute_result", "data": {"application/javascript": "alert(1)"}, "metadata": {}}
    notebook["cells"].append({**scratch("__import__('os').system('true')"), "outputs": [output]})
    file = tmp_path / f"{FILE}.ipynb"
    file.write_text(json.dumps(notebook))
    released = ROOT / "assignments" / ASSIGNMENT / f"{FILE}.ipynb"
    command = [sys.executable, "-c", WATCHED, str(file), str(released)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == f"{sum(c['cell_type'] == 'code' for c in notebook['cells'])} None []"


def test_reading_a_notebook_imports_no_library_of_notebooks(tmp_path):
    file = tmp_path / "a.ipynb"
    file.write_text(json.dumps(honest()))
    code = (
        "import sys; from pathlib import Path; from grader.submissions.read import read_file; "
        "from grader.limits import DEFAULT_LIMITS; assert read_file(Path(sys.argv[1]), DEFAULT_LIMITS).cells; "
        "print([m for m in sys.modules if m.split('.')[0] in "
        "('nbformat', 'nbgrader', 'jupytext', 'nbclient', 'IPython', 'jsonschema', 'torch')])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("depth", [10, 900, 100_000])
def test_metadata_that_nests_deeply_costs_nothing_or_has_a_sentence(tmp_path: Path, depth: int) -> None:
    file = tmp_path / "a.ipynb"
    deep = '{"nbgrader": ' + "[" * depth + "]" * depth + "}"
    file.write_text(
        f'{{"nbformat": 4, "nbformat_minor": 5, "metadata": {{}}, "cells": '
        f'[{{"cell_type": "code", "source": "x = 1", "metadata": {deep}}}]}}'
    )
    source = read_file(file, DEFAULT_LIMITS)
    assert [cell.source for cell in source.cells] == ["x = 1"] or "nested deeper" in str(source.problem)
    assert source.marks == ()
