"""The page for authors names all that a suite uses, which is little; and the course's own suites use nothing else."""

import re
from pathlib import Path

from grader.suite import checks

ROOT = Path(__file__).resolve().parents[3]
SUITES = sorted(path for place in ("hidden", "visible") for path in (ROOT / "tests" / place).rglob("*.py"))


def test_the_page_for_authors_names_every_function_of_the_library():
    page = (ROOT / "docs" / "exercise-reference.md").read_text(encoding="utf-8")
    explained = "".join(line.split("|")[1] for line in page.splitlines() if line.startswith("| `"))
    assert [name for name in checks.__all__ if name[0].islower() and f"`{name}(" not in explained] == []


def test_suites_import_nothing_of_the_kit_but_what_authors_see():
    imports = re.compile(r"^\s*(?:from|import)\s+(grader\S*)", re.MULTILINE)
    assert len(SUITES) > 50
    used = {module for path in SUITES for module in imports.findall(path.read_text(encoding="utf-8"))}
    assert used == {"grader.suite"}
