"""JupyterLab in a real browser opens a student's notebook, runs its cells and shows what a check says.

VS Code has a file of its own (`test_notebook_vscode.py`). Pictures go into the folder that the variable GRADER_PICTURES
names, for a person to look at.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.course.layout import find_course

from ..pages.legible import contrasts
from ..support.browsers import Page, browser, found
from ..support.grading_runs import frozen_course

COURSE = find_course(frozen_course())
NAME = "01_simple_attention"
FILE = "simple_attention.ipynb"
START_S = 120.0
WRONG = "return x / x.sum()"
STUB = 'raise NotImplementedError("softmax_naive is not written yet")'
SETTINGS = {"notification": {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True}}


@dataclass
class Lab:
    """A running JupyterLab."""

    address: str
    folder: Path
    settings: Path

    def asked(self, method: str, path: str) -> bytes:
        """Return what the server's interface answers."""
        headers = {"Authorization": "token letmein"}
        request = urllib.request.Request(f"{self.address}/api/{path}", headers=headers, method=method)
        with urllib.request.urlopen(request) as answer:
            return bytes(answer.read())

    def setting(self, name: str, value: object) -> None:
        """Write a student's setting of the application."""
        place = self.settings / "@jupyterlab" / "apputils-extension" / f"{name}.jupyterlab-settings"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(value))

    def notebook(self, changes: dict[str, str]) -> None:
        """Put a fresh copy of the released notebook into the folder, with texts replaced, for a kernel of its own."""
        for session in json.loads(self.asked("GET", "sessions")):
            self.asked("DELETE", f"sessions/{session['id']}")
        text = (COURSE.assignments[NAME].released / FILE).read_text(encoding="utf-8")
        for old, new in changes.items():
            assert json.dumps(old)[1:-1] in text
            text = text.replace(json.dumps(old)[1:-1], json.dumps(new)[1:-1])
        (self.folder / FILE).write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def lab(tmp_path_factory) -> Iterator[Lab]:
    """JupyterLab on a student's folder, with a home of its own."""
    pytest.importorskip("jupyterlab", reason="jupyterlab is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    found()
    home = tmp_path_factory.mktemp("home")
    folder = tmp_path_factory.mktemp("work") / NAME
    shutil.copytree(COURSE.assignments[NAME].released, folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    env = {**os.environ, "HOME": str(home), "JUPYTERLAB_SETTINGS_DIR": str(home / "settings")}
    env |= {f"JUPYTER_{part}_DIR": str(home / part.lower()) for part in ("CONFIG", "DATA", "RUNTIME")}
    command = [sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root", "--ip=127.0.0.1",
               f"--port={port}", "--IdentityProvider.token=letmein", "--LabApp.expose_app_in_browser=True",
               f"--ServerApp.root_dir={folder}"]  # fmt: skip
    log = (home / "log").open("w+b")
    process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    lab = Lab(f"http://127.0.0.1:{port}", folder, home / "settings")
    for name, value in SETTINGS.items():
        lab.setting(name, value)
    try:
        finish = time.monotonic() + START_S
        while True:
            try:
                urllib.request.urlopen(f"{lab.address}/api?token=letmein").close()
                break
            except OSError:
                log.seek(0)
                assert process.poll() is None and time.monotonic() < finish, log.read().decode()
                time.sleep(0.5)
        yield lab
    finally:
        process.terminate()
        process.wait(30)
        log.close()


@pytest.fixture
def page(tmp_path) -> Iterator[Page]:
    """A browser's page."""
    with browser(tmp_path / "profile") as opened:
        yield opened


NOTEBOOK = "[...window.jupyterapp.shell.widgets('main')][0]"
CELLS = f"{NOTEBOOK}.content.widgets"
AT = f"""{CELLS}.findIndex(one => one.model.sharedModel.getSource() === 'check("softmax_naive")')"""
OUTPUT = f"{CELLS}[{AT}].outputArea.node.querySelector('.jp-RenderedHTMLCommon')?.innerText"


def opened(page: Page, lab: Lab) -> None:
    """Open the notebook and wait until it and its kernel are there."""
    page.open(f"{lab.address}/lab/tree/{FILE}?token=letmein&reset")
    page.until(f"window.jupyterapp && {NOTEBOOK}?.context?.isReady && {CELLS}.length > 3")
    page.until(f"{NOTEBOOK}.sessionContext.session?.kernel?.status === 'idle'")


def run_all(page: Page) -> str:
    """Choose `Run All Cells` and return what the check of softmax_naive shows."""
    page.value("window.jupyterapp.commands.execute('notebook:run-all-cells').then(() => true)")
    page.until(f"{CELLS}[{AT}].model.executionState === 'idle' && {CELLS}[{AT}].model.executionCount")
    page.value(f"{NOTEBOOK}.content.scrollToItem({AT}, 'center').then(() => true)")  # what is out of sight has no text
    return str(page.until(OUTPUT))


def pictured(page: Page, name: str, tmp_path: Path) -> None:
    """Keep a picture of the page."""
    page.value(f"{CELLS}[{AT}].outputArea.node.scrollIntoView({{block: 'center'}})")
    time.sleep(1.0)  # the page paints as it likes; nothing is asserted on the picture but that there is one
    folder = Path(os.environ.get("GRADER_PICTURES", tmp_path))
    page.picture(folder / f"{name}.png")
    assert (folder / f"{name}.png").stat().st_size > 10_000


def test_a_wrong_answer_is_shown_in_light_colours(lab, page, tmp_path):
    lab.notebook({STUB: WRONG})
    opened(page, lab)
    shown = run_all(page)
    assert "softmax_naive" in shown and "not yet" in shown and "0 of 1" in shown
    assert "6 of 6 entries differ: at [0] the result is 0.14545, expected 0.1385." in shown
    pictured(page, "wrong-light", tmp_path)


def test_a_right_answer_is_shown_in_dark_colours_and_in_korean(lab, page, tmp_path):
    lab.setting("themes", {"theme": "JupyterLab Dark"})
    right = "return torch.exp(x) / torch.exp(x).sum()"
    lab.notebook({STUB: right, "from grader import check": 'from grader import check\ncheck.language = "ko"'})
    opened(page, lab)
    shown = run_all(page)
    assert "직접 쓰는 소프트맥스" in shown
    assert "통과" in shown and "1개 중 1개" in shown
    assert page.value("document.body.dataset.jpThemeLight") == "false"
    pictured(page, "right-dark", tmp_path)


def test_the_text_of_an_outcome_is_readable_on_light_and_dark(lab, page):
    """Text takes the page's colour, and white stands only on the badges' own ground."""
    lab.setting("themes", {"theme": "JupyterLab Dark"})
    lab.notebook({STUB: WRONG})
    opened(page, lab)
    run_all(page)
    dark, light = (colours(page, theme) for theme in ("JupyterLab Dark", "JupyterLab Light"))
    for seen in (dark, light):
        assert len(seen) >= 5
        assert min(seen) >= 4.5, seen


def colours(page: Page, theme: str) -> list[float]:
    """Switch to a theme and return the contrast of every piece of text of the outcome to what lies behind it."""
    page.value(f"window.jupyterapp.commands.execute('apputils:change-theme', {{theme: '{theme}'}}).then(() => true)")
    page.until(f"document.body.dataset.jpThemeName === '{theme}'")
    return contrasts(page, "document.querySelector('.jp-RenderedHTMLCommon [lang]')")
