"""`grader grade --no-pages` needs nothing of the pages."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_grading_without_pages_imports_nothing_of_them():
    code = "import sys, grader.cli, grader.grading; print([m for m in sys.modules if m.startswith('grader.pages')])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
