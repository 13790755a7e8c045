"""Every check of the library has a row in the page for authors."""

from pathlib import Path

from grader.suite import checks

PAGE = Path(__file__).resolve().parents[3] / "docs" / "exercise-reference.md"


def test_every_check_is_explained():
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    explained = "".join(row.split("|")[1] for row in rows)
    assert [name for name in checks.__all__ if name[0].islower() and f"`{name}(" not in explained] == []
