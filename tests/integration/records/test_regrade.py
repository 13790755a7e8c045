"""Grading a class again: only what changed is graded, nothing is lost or changed in silence, and parts make a whole."""

import subprocess
import sys

from ...support.classes.class_runs import grade_for_real as grade


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
