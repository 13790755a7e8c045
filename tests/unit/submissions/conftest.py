"""Gives each test of finding a folder without others beside it, since what is beside a folder says what it may be."""

from pathlib import Path

import pytest


@pytest.fixture
def tmp_path(tmp_path: Path) -> Path:
    """Return a folder that is alone in its own."""
    alone = tmp_path / "alone"
    alone.mkdir()
    return alone
