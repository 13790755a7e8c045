"""Where `grader export` may write: beside what it reads, never over it, and into pipes as into files."""

import subprocess
import sys
from pathlib import Path

import pytest

from ....support.grading_runs import ROOT
from ....support.lms_reports import report_of, write_class


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A reports folder of three."""
    return write_class(tmp_path / "reports", [report_of(name) for name in ("ann", "ben", "=cy")])


def test_standard_output_by_its_name_goes_on_behind_what_stands_there(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "stdout").symlink_to("/dev/fd/1")
    command = [sys.executable, "-m", "grader", "export", "csv", str(folder), "--output", str(tmp_path / "stdout")]
    with (tmp_path / "all.txt").open("wb", buffering=0) as file:
        file.write(b"before\n")
        assert subprocess.run(command, stdout=file, stderr=subprocess.DEVNULL, cwd=ROOT, timeout=120).returncode == 0
    assert (tmp_path / "all.txt").read_bytes().startswith(b'before\n"student"')
    piped = subprocess.run(command, capture_output=True, cwd=ROOT, timeout=120, check=True)
    assert piped.stdout.startswith(b'"student"') and (tmp_path / "stdout").is_symlink()
