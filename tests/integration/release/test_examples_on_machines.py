"""Examples are the same on every machine, since a course that is built on one is checked on others."""

import os
import subprocess
import sys

import pytest

from ...support.classes.grading_runs import ROOT

OTHER_PROCESSORS = {
    "one without vectors": {"ATEN_CPU_CAPABILITY": "default", "MKL_CBWR": "COMPATIBLE"},
    "one with short vectors": {"ATEN_CPU_CAPABILITY": "avx2", "MKL_CBWR": "AVX2"},
}


@pytest.mark.parametrize("surroundings", OTHER_PROCESSORS.values(), ids=OTHER_PROCESSORS)
def test_a_processor_that_rounds_otherwise_builds_the_same_course(surroundings: dict[str, str]) -> None:
    command = [sys.executable, "-m", "grader", "build", "--check"]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **surroundings}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
