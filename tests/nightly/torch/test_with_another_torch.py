"""This course's visible checks pass with a torch that does not grade, as students may have one."""

import json
import os
import shutil
import subprocess
import zipfile
from io import BytesIO

import pytest

from grader.course.handed_out.stub import without_markers
from grader.course.layout import find_course
from grader.release.wheel import build_wheel, torch_that_grades

from ...support.classes.grading_runs import ROOT

OTHER = "GRADER_OTHER_TORCH"
CHECK_ALL = """\
import json, sys
from pathlib import Path
import torch
from grader.student_check.visible_checks import check_path
failed = {}
for place in sys.argv[1:]:
    checked = check_path(Path(place))
    not_passed = {name: each for name, each in checked.verdicts.items() if each.status != "passed"}
    failed |= {name: each.reason or each.found or each.status for name, each in not_passed.items()}
    assert checked.checks and not checked.problem, place
print(json.dumps([torch.__version__, failed]))
"""


def test_every_visible_check_passes_with_another_torch_or_says_that_it_cannot_pretend_a_gpu(tmp_path):
    python = os.environ.get(OTHER)
    if python is None:
        pytest.skip(f"no Python beside another torch was named ({OTHER})")
    with zipfile.ZipFile(BytesIO(build_wheel()[1])) as archive:
        archive.extractall(tmp_path / "kit")
    places = []
    for assignment in find_course(ROOT).assignments.values():
        folder = tmp_path / assignment.id
        shutil.copytree(assignment.released, folder)
        places.append(folder / f"{assignment.name}.py")
        places[-1].write_text(without_markers(assignment.source.read_text(encoding="utf-8")), encoding="utf-8")
    surroundings = {**os.environ, "PYTHONPATH": str(tmp_path / "kit")}
    done = subprocess.run(
        [python, "-c", CHECK_ALL, *map(str, places)], env=surroundings, capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    version, failed = json.loads(done.stdout.splitlines()[-1])
    assert version.partition("+")[0] != torch_that_grades()
    pretending = {name for name, why in failed.items() if "cannot pretend to have a GPU" in why}
    assert pretending == failed.keys() and all(name.endswith("another_device") for name in pretending)
