"""A student's folder of the kit's own course, with hints in three levels."""

import shutil

import pytest

from ..courses import ASSIGNMENT, HINT_LEVELS, student_folder


@pytest.fixture(scope="session")
def handed_out(tmp_path_factory):
    """What students get."""
    return student_folder(tmp_path_factory.mktemp("course"), {"solutions/01_tiny/hints.toml": HINT_LEVELS})


@pytest.fixture
def folder(handed_out, tmp_path):
    """The folder as a student has it, in the current one."""
    return shutil.copytree(handed_out, tmp_path / ASSIGNMENT)


@pytest.fixture
def at_home(folder, monkeypatch):
    """The same, as the current folder."""
    monkeypatch.chdir(folder)
    return folder
