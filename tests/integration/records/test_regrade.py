"""Grading a class again: only what changed is graded, nothing is lost or changed in silence, and parts make a whole."""

import json
import subprocess
import sys
import zipfile

from ...support.classes.class_runs import RIGHT, WRONG
from ...support.classes.class_runs import grade_for_real as grade
from ...support.command_line import run_here


def test_an_unchanged_class_needs_neither_torch_nor_pytest(klass, course, tmp_path):
    grade(klass, course)
    program = (
        "import sys; from grader.cli import status; code = status(sys.argv[1:]); "
        "print(code, sorted({'torch', 'pytest', 'numpy'} & set(sys.modules)))"
    )
    arguments = ["--course", str(course), "grade", str(klass), "--output", str(tmp_path / "out"), "--no-pages"]
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0 []"
    assert "Of all 4, 4 were graded in an earlier run." in done.stdout


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
