"""Every check of the library has a row in the page for authors."""

from pathlib import Path

import pytest

from grader.suite import checks

PAGE = Path(__file__).resolve().parents[3] / "docs" / "exercise-reference.md"


@pytest.mark.parametrize("name", [name for name in checks.__all__ if name[0].islower()])
def test_every_check_is_explained(name):
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert any(f"`{name}(" in row.split("|")[1] for row in rows)
