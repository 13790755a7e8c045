"""The house: which way imports go, how many files a folder has, and that its page names every room."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MOST_FILES = 15
DATA = ("attacks", "faults")  # submissions, not code of ours
FOLDERS = sorted(
    {
        path.parent
        for top in ("grader", "tests/kit", "benchmarks")
        for path in (ROOT / top).rglob("*.py")
        if not set(DATA) & set(path.relative_to(ROOT).parts)
    }
)


def test_imports_go_down_the_floors_and_never_in_a_circle():
    """The contracts in pyproject.toml are kept."""
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([program, "--no-logo"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_no_folder_has_more_files_than_one_sees_at_once():
    """At most fifteen files of Python lie in a folder; what marks it as a package is not counted."""
    files = {folder: [each for each in folder.glob("*.py") if each.name != "__init__.py"] for folder in FOLDERS}
    assert {str(folder): len(each) for folder, each in files.items() if len(each) > MOST_FILES} == {}


def test_the_page_on_architecture_names_every_package():
    """Each package has its line in the table of rooms."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    packages = [path.parent.name for path in (ROOT / "grader").glob("*/__init__.py")]
    assert packages and [name for name in packages if f"`grader/{name}`" not in page] == []


def test_the_page_on_architecture_fits_on_two_screens():
    """The tree says the rest."""
    assert len((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").splitlines()) <= 130
