"""A platform's download is graded by the two words that say what it is, and by no fewer."""

import json
import zipfile

import pytest

from ...support.classes.class_runs import RIGHT, WRONG
from ...support.command_line import run_here

pytestmark = pytest.mark.usefixtures("kept_jails")


def test_a_download_is_graded_by_its_platform_and_its_assignment(course, tmp_path):
    zipped = tmp_path / "submissions.zip"
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("leeann_123_456_tiny.py", RIGHT)
        archive.writestr("kimbo_LATE_124_457_tiny-1.py", WRONG)
    arguments = ("--course", course, "grade", zipped, "--output", tmp_path / "out")
    assert run_here(*arguments, "--from", "moodle", "--assignment", "01_tiny").returncode == 2
    refused = run_here(*arguments, "--assignment", "01_tiny")
    assert (refused.returncode, "--from canvas" in refused.stderr) == (2, True)
    assert run_here(*arguments, "--from", "canvas", "--assignment", "01_tiny").returncode == 0
    report = json.loads((tmp_path / "out/kimbo_124/01_tiny.json").read_bytes())
    assert (report["submission"]["uploaded"], report["submission"]["late"]) == ("kimbo_LATE_124_457_tiny-1.py", True)
