"""formgrader in a real browser shows what the kit graded, and its button for autograding enters the kit's report."""

import html
import json
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

import pytest

from ...support.grading_runs import grade
from ...support.nbgrader_courses import ASSIGNMENT, NOTEBOOK, PROGRAMS, Lesson, autograded, gradebook, scores_in

pytestmark = pytest.mark.filterwarnings("ignore")
STUDENT = "farid_no_exponential"
SHOWN = {
    "ada_solution": "11 / 16",
    "chloe_half_done": "5 / 16",
    "kofi_crash": "9 / 16",
    "hugo_answer_in_place": "10.4 / 16",
    "copied_cells": "11 / 16",
    "stripped_marks": "11 / 16",
}
TOKEN = "a-token-of-the-test"


@pytest.fixture(scope="module")
def browser():
    """The program of a browser that runs without a screen."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    pytest.skip("no Chromium is installed here")


@pytest.fixture
def profile(browser, server, tmp_path):
    """A folder of the browser in which it is logged in; the cookie of another page would be for that page only."""
    folder = tmp_path / "profile"
    run(browser, folder, "--dump-dom", f"{server}/login?token={TOKEN}")
    return folder


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


def run(browser, folder, *arguments):
    """Run the browser and return what it printed."""
    command = [
        browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        f"--user-data-dir={folder}", "--virtual-time-budget=20000", "--window-size=1300,1800", *arguments,
    ]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True, timeout=180, check=True).stdout


def seen(browser, folder, address, word):
    """Return the text of a page in the browser once a word is there, which its scripts may bring only later."""
    text = ""
    for _ in range(6):
        page = run(browser, folder, "--dump-dom", address)
        text = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", page)))
        if word in text:
            break
    return text


def test_formgrader_lists_every_students_score(lesson, server, browser, profile, tmp_path):
    page = f"{server}/formgrader/manage_submissions/{ASSIGNMENT}"
    text = seen(browser, profile, page, "rosa_notebook")
    assert "Manage Submissions" in text
    for student, score in SHOWN.items():
        assert re.search(rf"{student} .{{0,60}}needs manual grading {re.escape(score)} ", text), student
    picture = tmp_path / "submissions.png"
    run(browser, profile, f"--screenshot={picture}", page)
    assert picture.stat().st_size > 10_000


def test_formgrader_shows_the_report_and_the_comment_of_a_submission(lesson, server, browser, profile):
    with gradebook(lesson) as book:
        number = book.find_submission_notebook(NOTEBOOK, ASSIGNMENT, STUDENT).id
    text = seen(browser, profile, f"{server}/formgrader/submissions/{number}/", "Softmax")
    assert "Softmax, written out : 0 of 3 points" in text
    assert "Scores of all tokens for one query : 3 of 3 points" in text
    assert "The exponential is missing." in text
    assert "(hidden check)" in text


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
