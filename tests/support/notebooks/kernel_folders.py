"""A student's folder of the kit's own course, and a kernel in it."""

import shutil

import pytest

from ..courses import ASSIGNMENT, student_folder
from .kernels import kernel


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The released folder of an assignment, alone, as a student has it."""
    place = tmp_path_factory.mktemp("a student's folder") / ASSIGNMENT
    shutil.copytree(student_folder(tmp_path_factory.mktemp("course")), place)
    return place


@pytest.fixture(scope="session")
def running(folder):
    """A kernel in that folder, as JupyterLab and VS Code start one, with the notebook's first cell run."""
    with kernel(folder) as started:
        assert started.run("import torch\n\nfrom grader import check").status == "ok"
        yield started


@pytest.fixture
def in_a_second(running):
    """Lets a check of that kernel take half a second of processor time instead of five, and wait for three."""
    code = """\
import msgspec
from grader.student_check import kernel_runs as checking
from grader.workers.process import clock
usual = checking.DEFAULT_LIMITS, clock.WALL_MORE_S
checking.DEFAULT_LIMITS, clock.WALL_MORE_S = msgspec.structs.replace(usual[0], check_cpu_s=0.5), 0.0
"""
    assert running.run(code).status == "ok"
    yield
    assert running.run("checking.DEFAULT_LIMITS, clock.WALL_MORE_S = usual").status == "ok"
