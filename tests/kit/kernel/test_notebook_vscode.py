"""VS Code in a real browser opens a student's notebook, and what it saves is graded.

This is VS Code's own notebook editor with its own reading, writing and showing of `.ipynb` (see `code_servers.py`).
The extension that hands cells to a Jupyter kernel comes from a marketplace and is not here; the one in `vscode_kernel/`
does that by the same interface. Pictures go into the folder that the variable GRADER_PICTURES names, for a person to
look at.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from grader.course.layout import find_course

from ..pages.legible import contrasts
from ..support.browsers import browser
from ..support.grading_runs import Graded, frozen_course, grade
from .code_servers import CONTROL, CodeServer, Window, code_server
from .code_servers import found as found_code_server
from .kernels import kernel
from .student_notebooks import SCORES, SOFTMAX, WRONG, Notebook, cell_of, id_of

COURSE = find_course(frozen_course())
NAME = "01_simple_attention"
FILE = "simple_attention.ipynb"
ANSWER = f'def {SCORES}(inputs, query):\n    """내적"""\n    return inputs @ query'
SAVED_S = 30.0
RUN_S = 240.0
TOOLBAR = "document.querySelector('.notebook-toolbar-container')"
RUN_ALL = f"[...{TOOLBAR}.querySelectorAll('*')].find(node => !node.children.length && node.innerText === 'Run All')"
COUNT = "[...document.querySelectorAll('.statusbar-item')].map(item => item.innerText.trim())"
FOCUSED = "document.querySelector('.notebookOverlay .monaco-list-row.focused.code-cell-row .view-lines')"
BODIES = """[...document.querySelectorAll('iframe.webview')]
    .map(frame => frame.contentDocument?.querySelector('iframe')?.contentDocument?.body)"""
TEXTS = f"""{BODIES}.flatMap(body => [...(body?.querySelectorAll('*') ?? [])])
    .flatMap(node => [...(node.shadowRoot?.querySelectorAll(':not(style)') ?? [])]).map(node => node.innerText)"""
OUTCOME = f"""{BODIES}.flatMap(body => [...(body?.querySelectorAll('[lang]') ?? [])])
    .find(box => box.innerText.includes('{SOFTMAX}'))"""


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[CodeServer]:
    found_code_server()
    with code_server(tmp_path_factory.mktemp("home")) as started:
        yield started


@pytest.fixture
def folder(tmp_path) -> Path:
    """The released folder of the first assignment, as a student has it."""
    return Path(shutil.copytree(COURSE.assignments[NAME].released, tmp_path / "work" / NAME))


@pytest.fixture
def window(server, folder, tmp_path) -> Iterator[Window]:
    """VS Code on that folder."""
    with browser(tmp_path / "profile", height=1300) as page:
        yield Window(page, server, folder)


def read(folder: Path) -> Notebook:
    notebook: Notebook = json.loads((folder / FILE).read_text(encoding="utf-8"))
    return notebook


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def opened(window: Window, cells: int) -> None:
    """Open the notebook and wait until its first cell is chosen."""
    window.open(FILE)
    window.page.until(f"{COUNT}.includes('Cell 1 of {cells}')")


def go(window: Window, number: int, cells: int) -> None:
    """Go from the cell above to a cell, counted from 1."""
    window.key("ArrowDown")
    window.page.until(f"{COUNT}.includes('Cell {number} of {cells}')")


def go_to(window: Window, notebook: Notebook, grade_id: str) -> None:
    """Go from the first cell to the cell of an exercise."""
    cells = notebook["cells"]
    for number in range(2, cells.index(cell_of(notebook, grade_id)) + 2):
        go(window, number, len(cells))


def write(window: Window, text: str) -> None:
    """Replace the text of the cell that is chosen."""
    window.key("Enter")
    window.page.until("document.activeElement.classList.contains('native-edit-context')")
    window.key("a", CONTROL)
    window.type(text)
    window.page.until(f"{FOCUSED}.innerText.includes({json.dumps(text.splitlines()[0].split()[0])})")
    window.key("Escape")


def save(window: Window, folder: Path) -> Notebook:
    """Save, and return what is in the file then."""
    before = (folder / FILE).stat().st_mtime_ns
    window.key("s", CONTROL)
    finish = time.monotonic() + SAVED_S
    while (folder / FILE).stat().st_mtime_ns == before or window.page.value("!!document.querySelector('.tab.dirty')"):
        assert time.monotonic() < finish, "the notebook was not saved"
        time.sleep(0.2)
    return read(folder)


def save_when(window: Window, folder: Path, wanted: Callable[[Notebook], bool]) -> Notebook:
    """Save again and again until what is in the file is as wanted."""
    finish = time.monotonic() + RUN_S
    while True:
        window.key("s", CONTROL)
        time.sleep(1.0)
        if wanted(saved := read(folder)):
            return saved
        assert time.monotonic() < finish, "the cells were not all run"


def code_cells(notebook: Notebook) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code" and source(cell).strip()]


def was_run(cell: dict[str, Any]) -> bool:
    return cell["execution_count"] is not None and (not checks_one(cell) or cell["outputs"] != [])


def checks_one(cell: dict[str, Any]) -> bool:
    return source(cell).startswith("check(")


def outcome(cell: dict[str, Any]) -> str:
    """Return the plain text of what a cell displayed."""
    return "".join("".join(output["data"]["text/plain"]) for output in cell["outputs"] if "data" in output)


def graded(folder: Path, tmp_path: Path) -> tuple[Graded, list[str]]:
    """Grade the notebook of the folder; returns what the run left and the notes on the file."""
    run = grade(tmp_path / "reports", folder / FILE, "--student", "ann", "--assignment", NAME)
    assert run.code == 0, run.stderr
    return run, run.report("ann")["notes"]


def pictured(window: Window, name: str, tmp_path: Path) -> None:
    """Keep a picture of the window."""
    time.sleep(1.0)  # it paints as it likes; nothing is asserted on the picture but that there is one
    file = Path(os.environ.get("GRADER_PICTURES", tmp_path)) / f"{name}.png"
    window.page.picture(file)
    assert file.stat().st_size > 10_000


def test_every_cell_is_shown_and_text_is_rendered(window, folder, tmp_path):
    cells = read(folder)["cells"]
    opened(window, len(cells))
    pictured(window, "vscode-opened", tmp_path)
    for number, cell in enumerate(cells, 1):
        if number > 1:
            go(window, number, len(cells))
        first = source(cell).splitlines()[0]
        if cell["cell_type"] == "code":
            window.page.until(f"{FOCUSED}?.innerText.replaceAll('\\u00a0', ' ').startsWith({json.dumps(first)})")
        else:
            heading = first.lstrip("# ").replace("`", "")
            window.page.until(f"{TEXTS}.some(text => text.includes({json.dumps(heading)}))")
            assert not window.page.value(f"{TEXTS}.some(text => text.includes('# '))")


def test_saving_an_answer_changes_the_source_of_its_cell_and_nothing_else(window, folder, tmp_path):
    before = read(folder)
    opened(window, len(before["cells"]))
    go_to(window, before, SCORES)
    write(window, ANSWER)
    after = save(window, folder)
    assert source(cell_of(after, SCORES)) == ANSWER
    cell_of(before, SCORES)["source"] = cell_of(after, SCORES)["source"]
    wanted = json.dumps(before, ensure_ascii=False, indent=1) + "\n"
    assert (folder / FILE).read_text(encoding="utf-8") == wanted
    command = [sys.executable, "-m", "grader", "check", FILE, "--exercise", SCORES]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert f"{SCORES}  ok  (1 of 1)" in done.stdout, done.stdout + done.stderr
    run, notes = graded(folder, tmp_path)
    assert run.points("ann") == {SCORES: Decimal(3)}
    assert notes == []


def test_locks_do_not_hold_in_vs_code_and_that_costs_no_points(window, folder, tmp_path):
    """VS Code keeps `deletable` and `editable` in the file and heeds neither, which `docs/notebooks.md` says."""
    before = read(folder)
    count = len(before["cells"])
    opened(window, count)
    go_to(window, before, SCORES)
    write(window, ANSWER)
    go(window, before["cells"].index(cell_of(before, SCORES)) + 2, count)
    write(window, f'check("{SCORES}", "ko")')
    assert source(cell_of(save(window, folder), f"{SCORES}-check")) == f'check("{SCORES}", "ko")'
    _, notes = graded(folder, tmp_path)
    assert notes == [f"Changed, though locked: the cell '{SCORES}-check'. That changes no check and no points."]
    window.key("Delete")
    window.page.until(f"{COUNT}.some(text => text.endsWith(' of {count - 1}'))")
    assert f"{SCORES}-check" not in map(id_of, save(window, folder)["cells"])
    run, notes = graded(folder, tmp_path)
    assert notes == [f"Not in the notebook any more: the cell '{SCORES}-check'."]
    assert run.points("ann") == {SCORES: Decimal(3)}


def test_a_cell_that_was_cut_and_pasted_in_vs_code_keeps_its_points(window, folder, tmp_path):
    """VS Code drops the metadata and the id of what is cut, so the answer is found by its name."""
    before = read(folder)
    count = len(before["cells"])
    opened(window, count)
    go_to(window, before, SCORES)
    write(window, ANSWER)
    window.key("x", CONTROL)
    window.page.until(f"{COUNT}.some(text => text.endsWith(' of {count - 1}'))")
    window.key("v", CONTROL)
    window.page.until(f"{COUNT}.some(text => text.endsWith(' of {count}'))")
    after = save(window, folder)
    pasted = next(cell for cell in after["cells"] if source(cell) == ANSWER)
    assert pasted["metadata"] == {}
    run, notes = graded(folder, tmp_path)
    assert notes == [f"Not in the notebook any more: the cell '{SCORES}'."]
    assert run.points("ann") == {SCORES: Decimal(3)}


def test_run_all_runs_every_cell_and_shows_what_the_checks_say(window, folder, tmp_path):
    """The kernel is a real one, and `vscode_kernel/` hands it the cells in the place of the marketplace's extension."""
    notebook = read(folder)
    cell_of(notebook, SCORES)["source"] = ANSWER
    (folder / FILE).write_text(json.dumps(notebook), encoding="utf-8")
    opened(window, len(notebook["cells"]))
    window.page.until(f"{TOOLBAR}?.innerText.includes('Python 3')")
    window.click(RUN_ALL)
    after = save_when(window, folder, lambda saved: all(map(was_run, code_cells(saved))))
    shown = {cell["metadata"]["nbgrader"]["grade_id"]: outcome(cell) for cell in code_cells(after) if checks_one(cell)}
    assert f"{SCORES}  ok  (1 of 1)" in shown.pop(f"{SCORES}-check")
    assert len(shown) == 3
    assert all("not written yet" in told for told in shown.values()), shown
    assert [
        output for cell in code_cells(after) for output in cell["outputs"] if output["output_type"] == "error"
    ] == []
    opened(window, len(notebook["cells"]))  # once more, for the keys to go to its cells
    go_to(window, notebook, f"{SCORES}-check")
    window.key("ArrowDown")
    window.page.until(f"{BODIES}.some(body => body?.querySelector('[lang]')?.innerText.includes('1 of 1'))")
    pictured(window, "vscode-run", tmp_path)


@pytest.mark.parametrize("theme", ["Light 2026", "Dark 2026"])
def test_what_a_check_said_is_readable_in_vs_code(server, folder, tmp_path, theme):
    """Text takes the theme's colour, and white stands only on the badges' own ground."""
    notebook = read(folder)
    with kernel(folder) as running:
        assert running.run(f"import torch\n\nfrom grader import check\n\n{WRONG}").status == "ok"
        outputs = running.run(f'check("{SOFTMAX}")').outputs
    for output in outputs:
        output.pop("transient", None)
    cell_of(notebook, f"{SOFTMAX}-check")["outputs"] = outputs
    (folder / FILE).write_text(json.dumps(notebook), encoding="utf-8")
    server.settings(workbench_colorTheme=theme)
    with browser(tmp_path / "profile", height=1300) as page:
        window = Window(page, server, folder)
        opened(window, len(notebook["cells"]))
        go_to(window, notebook, f"{SOFTMAX}-check")
        window.key("ArrowDown")  # to the text below it, so that the outcome above that is in sight
        page.until(f"!!({OUTCOME})")
        shown = page.value(f"{OUTCOME}.innerText")
        assert "not yet" in shown and "0 of 1" in shown
        assert "6 of 6 entries differ: at [0] the result is 0.14545, expected 0.1385." in shown
        pictured(window, f"vscode-{theme.split()[0].lower()}", tmp_path)
        ground = "getComputedStyle(document.querySelector('.notebookOverlay .monaco-list-rows')).backgroundColor"
        seen = contrasts(page, OUTCOME, ground)
        assert page.value(ground) != "rgba(0, 0, 0, 0)"
    assert len(seen) >= 5
    assert min(seen) >= 4.5, seen
