"""formgrader on a running server: its button for autograding enters the kit's report."""

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

import pytest

from ...support.classes.grading_runs import grade
from ...support.notebooks.nbgrader_courses import ASSIGNMENT, NOTEBOOK, PROGRAMS, Lesson, autograded, scores_in

pytestmark = pytest.mark.filterwarnings("ignore")
TOKEN = "a-token-of-the-test"


@pytest.fixture(scope="module")
def lesson(tmp_path_factory):
    """A copy of the course after `nbgrader autograde`, for the browser to change."""
    graded = autograded(tmp_path_factory)
    folder = tmp_path_factory.mktemp("formgrader") / "nbcourse"
    shutil.copytree(graded.root, folder)
    return Lesson(folder, graded.kit)


@pytest.fixture(scope="module")
def server(lesson, tmp_path_factory):
    """The address of formgrader on a running Jupyter server."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    home = tmp_path_factory.mktemp("home")
    command = [
        str(PROGRAMS / "jupyter-server"), "--allow-root", "--no-browser", "--ip=127.0.0.1", f"--port={port}",
        "--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}",
    ]  # fmt: skip
    surroundings = {**os.environ, "HOME": str(home), "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"}
    with (home / "log").open("w+", encoding="utf-8") as log:
        process = subprocess.Popen(command, cwd=lesson.root, env=surroundings, stdout=log, stderr=log)
        try:
            end = time.monotonic() + 120
            while process.poll() is None and time.monotonic() < end and not answers(port):
                time.sleep(0.2)  # the server says nowhere else that it is ready
            if process.poll() is not None or not answers(port):
                log.seek(0)
                pytest.fail(f"the server did not start: {log.read()[-2000:]}")
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(60)


def answers(port):
    """Return whether a server answers on a port."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api", timeout=5):
            return True
    except (OSError, urllib.error.URLError):
        return False


def test_formgraders_button_enters_the_report_of_a_new_submission(lesson, server):
    place = lesson.root / "submitted" / "ben_untouched_stub" / ASSIGNMENT
    shutil.copy(lesson.root / "submitted" / "rosa_notebook" / ASSIGNMENT / f"{NOTEBOOK}.ipynb", place)
    assert grade(lesson.root / "reports", lesson.root / "submitted", cwd=lesson.kit).code == 1  # one is no notebook
    asked = urllib.request.Request(
        f"{server}/formgrader/api/submission/{ASSIGNMENT}/ben_untouched_stub/autograde?token={TOKEN}",
        method="POST",
        data=b"",
        headers={"Authorization": f"token {TOKEN}"},
    )
    with urllib.request.urlopen(asked, timeout=300) as answer:
        result = json.load(answer)
    assert result["success"], result
    assert sum(scores_in(lesson, "ben_untouched_stub").values()) == 11.0
