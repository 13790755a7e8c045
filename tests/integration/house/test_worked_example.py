"""The worked example of the page for authors does what the page says."""

import contextlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from grader.course.layout import find_course
from grader.course.variants.read_variants import build_submission, load_variants

from ...support.command_line import run_here

EXAMPLE = Path(__file__).resolve().parents[3] / "docs" / "writing-exercises.md"
STUB = '# YOUR CODE HERE\n    raise NotImplementedError("mean_token is not written yet")'


def grader(root: Path, *arguments: str, code: int = 0) -> str:
    """Run the command line in a folder and return what it printed."""
    with contextlib.chdir(root):
        done = run_here(*arguments)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def worked_example(tmp_path_factory):
    """Begin the page's course and put its blocks in the place of the example, as its reader does."""
    root = tmp_path_factory.mktemp("worked")
    grader(root, "new", "course", "averages")
    text = EXAMPLE.read_text(encoding="utf-8")
    printed = grader(root / "averages", "new", "exercise", "mean_token")
    assert printed[: printed.index("Next: ")] in text
    blocks = re.findall(r"^\*\*`([^`]+)`\*\*[^\n]*\n\n```\w+\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 5
    for name, block in blocks:
        path = root / "averages" / name
        before = path.read_text(encoding="utf-8")
        first, second, *_ = block.split("\n")
        if path.parent.name in ("mistakes", "rights"):
            at = 0
        elif first == "# %% [markdown]":
            at = before.rindex(first)
        else:
            at = before.index(f"{first}\n{second}")
        path.write_text(before[:at] + block, encoding="utf-8")
    return root / "averages"


@pytest.mark.usefixtures("kept_jails")
def test_worked_example_does_what_its_page_says(worked_example):
    """The page's exercise is proven; a right answer has all points, a wrong one its share and the printed hint."""
    page = EXAMPLE.read_text(encoding="utf-8")
    assert grader(worked_example, "build").count("written: ") == 5
    proof = grader(worked_example, "verify", "--exercise", "mean_token", "--all").splitlines()[-1]
    assert proof in page
    assert grader(worked_example, "build", "--check").startswith("assignments/ is in step")
    stub = (worked_example / "assignments/01_first_steps/first_steps.py").read_text(encoding="utf-8")
    assert stub.count(STUB) == 1
    course = find_course(worked_example)
    assignment = course.assignment("first_steps")
    variants = load_variants(assignment)
    answers = [variant for variant in variants.all if variant.exercise == "mean_token"]
    texts = {variant.name: build_submission(assignment, variant) for variant in answers}
    texts |= {"ada": stub.replace(STUB, "return tokens.mean(0)"), "ben": stub.replace(STUB, "return tokens.sum(0)")}
    for student, text in texts.items():
        file = worked_example / "submitted" / student / "01_first_steps" / "first_steps.py"
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
    checked = worked_example / "submitted" / "ben" / "01_first_steps" / "first_steps.py"
    shown = grader(worked_example, "check", str(checked), "--exercise", "mean_token", code=1)
    assert shown in page
    # In a process of its own: where a backward pass has run, torch lets no forked process do another.
    subprocess.run([sys.executable, "-m", "grader", "grade", "submitted"], cwd=worked_example, check=True)
    scores, hints = {}, {}
    for student in texts:
        report = json.loads((worked_example / f"reports/for-students/{student}/01_first_steps.json").read_bytes())
        (exercise,) = [exercise for exercise in report["exercises"] if exercise["id"] == "mean_token"]
        scores[student] = exercise["score"]
        hints[student] = [check["diagnosis"]["hint"] for check in exercise["checks"] if check["diagnosis"]]
    assert scores == {"ada": 4, "ben": 1.6, "looped": 4, "summed": 1.6, "always_zero": 0, "divided_in_place": 2.2}
    assert set(hints["ben"]) == {"This is the sum; divide by the number of tokens."}
