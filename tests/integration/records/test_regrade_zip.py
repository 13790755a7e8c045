"""A class in a zip file is the class: the same submissions are kept, and nothing of the zip file is written."""

import zipfile

import pytest

from ...support.class_runs import RIGHT, WRONG
from ...support.command_line import run_here

pytestmark = pytest.mark.usefixtures("kept_jails")


def test_a_run_over_a_download_says_first_as_what_it_was_read(course, tmp_path):
    zipped = tmp_path / "submissions.zip"
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("leeann_123_456_tiny.py", RIGHT)
        archive.writestr("kimbo_LATE_124_457_tiny-1.py", WRONG)
    arguments = ("grade", zipped, "--course", course, "--output", tmp_path / "out")
    done = run_here(*arguments)
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[0] == f"Read '{zipped}' as a download from Canvas: 2 students, 2 files."
    assert run_here(*arguments, "--layout", "moodle").returncode == 2
