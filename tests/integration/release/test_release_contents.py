"""What students get is the assignments, how to begin and the wheel; what lies about in a course stays there."""

import re

import pytest

from grader.course.layout import find_course
from grader.release.build import build
from grader.release.bundle import GUIDES, make_release

from ...support.classes.grading_runs import ROOT
from ...support.courses import small_course
from ...support.release_parts import files_of


@pytest.fixture(scope="module")
def files(release):
    return files_of(release)


def test_the_zip_holds_the_assignments_byte_by_byte_how_to_begin_and_the_wheel_alone(course, files):
    made = build(course, check=True).files
    built = {path.relative_to(course.root).as_posix(): path.read_bytes() for path in made}
    wanted = {"README.md", "README.ko.md", "LICENSE", *GUIDES, *built}
    (wheel,) = {name for name in files if not name.startswith("wheel/")} - wanted
    assert built and wanted <= files.keys() and {name: files[name] for name in built} == built
    assert re.fullmatch(r"attention_grader-[\d.]+-py3-none-any\.whl", wheel)


def test_the_wheel_is_the_package_and_nothing_beside_it(files):
    inside = {name.removeprefix("wheel/") for name in files if name.startswith("wheel/")}
    package = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "grader").rglob("*")
        if path.suffix in (".py", ".mo")
        or path.name in ("py.typed", "suite.ini")
        or ({"templates", "formats"} & {*path.parts} and path.is_file())
    }
    assert {name for name in inside if ".dist-info/" not in name} == package
    for name in package:
        assert files[f"wheel/{name}"] == (ROOT / name).read_bytes()


SETTINGS = {"course.toml": '# a remark of ours\nlanguage = "ko"\nextra_packages = ["scipy"]\n'}


def test_what_lies_about_in_a_course_stays_there(tmp_path, quick_wheel):
    course = small_course(tmp_path, SETTINGS)
    build(course)
    for name in (
        ".grader/secret",
        "reports/ada/01_tiny.json",
        "assignments/01_tiny/.ipynb_checkpoints/tiny.ipynb",
        "assignments/01_tiny/__pycache__/tiny.pyc",
        "assignments/.notes",
        "assignments/reports/grades.csv",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("nobody may read this")
    files = files_of(make_release(find_course(tmp_path)))
    names = [name for name in files if not name.startswith("wheel/")]
    assert sorted(name.rpartition("/")[2] for name in names if "/01_tiny/" in name) == [
        *("README.ko.md", "README.md", "examples.json", "test_tiny.py", "tiny.ipynb", "tiny.py")
    ]
    data = b"".join(files.values())
    assert b"nobody may read this" not in data
    assert b"a remark of ours" not in data
    assert not [name for name in names if ".grader" in name]
