"""Which packages a jail shows: what each puts on the search path is found by its list of files, or by its name."""

from importlib import metadata

import pytest

from grader.errors import CourseError
from grader.jail import libraries

RECORD = """
heads/__init__.py,,
heads/split.py,,
"with,comma/a.py",,
alone.py,,
gone.py,,
__pycache__/alone.cpython-311.pyc,,
heads-1.0.dist-info/RECORD,,
../../bin/heads,,
/opt/heads.txt,,
"""


def installed(folder, record):
    for name in ("heads", "with,comma", "unlisted", "heads-1.0.dist-info"):
        (folder / name).mkdir()
    (folder / "alone.py").touch()
    (folder / "heads-1.0.dist-info/METADATA").write_text("Name: heads\nVersion: 1.0\n")
    if record is not None:
        (folder / "heads-1.0.dist-info/RECORD").write_text(record)
    return [path.name for path in libraries.top_level(metadata.PathDistribution(folder / "heads-1.0.dist-info"))]


def test_what_is_listed_and_there_is_found(tmp_path):
    assert installed(tmp_path, RECORD) == ["alone.py", "heads", "with,comma"]


def test_without_a_list_the_name_says_it(tmp_path):
    assert installed(tmp_path, None) == ["heads"]


def test_a_package_that_is_not_installed_is_the_courses_fault():
    with pytest.raises(CourseError, match="no_such_package_here"):
        libraries.find(["no_such_package_here"])


def test_the_packages_are_torch_and_its_needs_and_nothing_of_the_kit():
    names = set(libraries.find())
    assert {"torch", "numpy", "msgspec", "sympy", "typing_extensions.py"} <= names
    assert not names & {"pytest", "_pytest", "click", "rich", "grader", "pip"}


def test_extra_packages_are_shown():
    assert "click" in libraries.find(["click"])


def test_requirements_of_extras_are_left_out():
    names = {name.lower() for name in libraries.requirements(metadata.distribution("torch"))}
    assert "sympy" in names
    assert not names & {"optree", "opt-einsum", "pyyaml"}
