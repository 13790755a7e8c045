"""This course's answers on an NVIDIA GPU and on the pretended device; skipped where there is none, never passed."""

import json
import os
import subprocess
import sys

import pytest

from grader.grading.options import ONE_THREAD

from ...support.classes.grading_runs import ROOT
from ...support.needed import NEEDS_GPU

pytestmark = NEEDS_GPU
ASSIGNMENTS = ("01_simple_attention", "04_multi_head_attention")
"""One of functions and one of modules."""
COMPARE = """\
import json, sys
from pathlib import Path
from grader.course.content.settings import drawn_from
from grader.course.layout import find_course
from grader.course.variants.read_variants import load_variants
from benchmarks.compare_devices import compare_devices
course = find_course(Path.cwd())
assignment = course.assignments[sys.argv[1]]
with drawn_from("the same inputs on both"):
    compared = compare_devices(course, assignment, load_variants(assignment).all, sys.argv[2:], jobs=2)
print(json.dumps({f"{each.exercise} {each.name}": each.differences for each in compared.answers}))
"""


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_pretended_device_gives_the_verdict_of_a_gpu_on_every_check(assignment: str) -> None:
    """For all right variants and mistakes of an assignment."""
    command = [sys.executable, "-c", COMPARE, assignment, "pretended", "cuda"]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **ONE_THREAD}, capture_output=True, check=True)
    differences = json.loads(done.stdout)
    assert differences and not any(differences.values()), differences
