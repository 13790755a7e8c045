"""The documentation, held against the repository: links, named files and options, and the worked example."""

import contextlib
import json
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from grader.cli import main
from grader.course.layout import find_course
from grader.course.variants.read_variants import build_submission, load_variants

from ..support.command_line import run_here

ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLE = ROOT / "docs" / "writing-exercises.md"
COMMAND = re.compile(r"^(?:\$ )?(?:\.venv/bin/)?grader ([a-z].*)$", re.MULTILINE)
PACKAGE_FOLDERS = "|".join(sorted(path.parent.name for path in (ROOT / "grader").glob("*/__init__.py")))
STUB = '# YOUR CODE HERE\n    raise NotImplementedError("mean_token is not written yet")'

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


def anchors(page: Path) -> set[str]:
    """Return the anchors that a page's headings make."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@every_page
def test_links_lead_somewhere(page):
    """Every link between pages leads to a file, and to a heading where it names one."""
    for target, anchor in re.findall(r"\]\((?!\w+://)([^)#]*)#?([^)]*)\)", page.read_text(encoding="utf-8")):
        linked = page.parent / target if target else page
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), anchor


@every_page
def test_named_modules_exist(page):
    """Every module and table of the package that a page names by its path is there."""
    text = page.read_text(encoding="utf-8")
    for name in re.findall(rf"`((?:grader/)?(?:{PACKAGE_FOLDERS})/[\w/]+\.py|grader/[\w/]+\.py)`", text):
        assert (ROOT / name).is_file() or (ROOT / "grader" / name).is_file(), name


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_files_named_for_maintainers_exist(page):
    """Every file that a page for maintainers names, by its path or by its bare name, is there."""
    tracked = [Path(line) for line in subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines()]
    names = {path.name for path in tracked}
    for name in re.findall(
        r"`([\w/-]+\.(?:py|md|toml|txt|lock|html|json|css))`", (ROOT / page).read_text(encoding="utf-8")
    ):
        assert (ROOT / name).is_file() or (ROOT / "grader" / name).is_file() or name in names, name


@every_page
def test_named_tests_exist(page):
    """Every test file or folder of the kit that a page names as what shows a claim is there."""
    for name in re.findall(r"`(tests/kit/[\w/.]+)`", page.read_text(encoding="utf-8")):
        assert (ROOT / name).exists(), name


def command_of(line: str) -> tuple[click.Command, str]:
    """Return the command that a line calls, whatever group it stands in, and what follows its name."""
    command: click.Command = main
    while isinstance(command, click.Group):
        verb, _, line = line.strip().partition(" ")
        command = command.commands[verb]
    return command, line


@every_page
def test_named_options_exist(page):
    """Every option that follows a command of the grader, or stands in a table of options, is one of its options."""
    text = page.read_text(encoding="utf-8")
    for line in COMMAND.findall(text):
        command, rest = command_of(line.partition("#")[0])
        known = {option for each in command.params if isinstance(each, click.Option) for option in each.opts}
        assert set(re.findall(r"(?<!\S)--[\w-]+", rest)) <= known, rest
    if page.stem == "grading":
        grade = {option for each in main.commands["grade"].params for option in each.opts}
        assert set(re.findall(r"^\| `(--[\w-]+)`", text, re.MULTILINE)) <= grade


def test_readme_is_short():
    """The README stays below 200 lines."""
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 200


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
    grader(root, "new", "course", "averages", "--no-verify")
    text = EXAMPLE.read_text(encoding="utf-8")
    said = grader(root / "averages", "new", "exercise", "mean_token", "--no-verify")
    assert said[: said.index("Next: ")] in text
    blocks = re.findall(r"^\*\*`([^`]+)`\*\*[^\n]*\n\n```\w+\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 6
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
    assert grader(worked_example, "build").count("written: ") == 6
    proof = grader(worked_example, "verify", "--exercise", "mean_token", "--all", "--record").splitlines()[-1]
    assert proof in page
    assert grader(worked_example, "build", "--check").startswith("assignments/ is in step")
    stub = (worked_example / "assignments/01_first_steps/first_steps.py").read_text(encoding="utf-8")
    assert stub.count(STUB) == 1
    course = find_course(worked_example)
    assignment = course.assignment("first_steps")
    variants = load_variants(assignment)
    own = [each for each in variants.all if each.exercise == "mean_token"]
    texts = {each.name: build_submission(assignment, each) for each in own}
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
        (exercise,) = [each for each in report["exercises"] if each["id"] == "mean_token"]
        scores[student] = exercise["score"]
        hints[student] = [check["diagnosis"]["hint"] for check in exercise["checks"] if check["diagnosis"]]
    assert scores == {"ada": 4, "ben": 1.6, "looped": 4, "summed": 1.6, "always_zero": 0, "divided_in_place": 3.4}
    assert set(hints["ben"]) == {"This is the sum; divide by the number of tokens."}
