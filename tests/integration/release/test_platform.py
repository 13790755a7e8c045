"""`grader release --for`: the scripts grade as the command line does, and leave no result where nothing was graded."""

import json
import os
import shutil
import subprocess
import sys
import zipfile

import pytest

from grader.cli import status
from grader.release.archive import pack
from grader.release.platform import LAYOUTS

from ...support.classes.grading_runs import ROOT
from ...support.release_parts import platform_file


@pytest.fixture(params=LAYOUTS)
def place(request, course, tmp_path, monkeypatch):
    """A platform's folders with the unpacked file, and the script that runs for a submission."""
    monkeypatch.setattr("grader.release.platform.build_wheel", lambda: ("kit-0-py3-none-any.whl", pack([])))
    packed = platform_file(course, request.param, tmp_path / "dist")
    _, submitted, folder, run, _ = LAYOUTS[request.param]
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(tmp_path / "source" if folder == "source" else tmp_path)
    (tmp_path / submitted).mkdir()
    return tmp_path / submitted, (tmp_path / "source" if folder == "source" else tmp_path) / run


def graded(place):
    submitted, script = place
    root = submitted.parent
    surroundings = {**os.environ, "GRADER_ROOT": str(root), "GRADER_PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["sh", script], env=surroundings, capture_output=True, text=True, check=False)
    if done.returncode == 3:
        pytest.skip(done.stderr.strip())
    return done, root / "results" / "results.json"


def test_a_submission_has_the_score_of_grader_grade(course, place):
    solution = next(iter(course.assignments.values())).source
    shutil.copy(solution, place[0])
    done, result = graded(place)
    assert done.returncode == 0, done.stderr
    assert "out of step" not in done.stdout + done.stderr
    document = json.loads(result.read_bytes())
    points = sum(exercise.points for exercise in next(iter(course.assignments.values())).exercises)
    assert document["score"] in (1, float(points))


def test_a_file_of_another_assignment_has_no_points(course, place):
    _, other, *_ = course.assignments.values()
    shutil.copy(next(iter(course.assignments.values())).source, place[0] / f"{other.name}.py")
    done, result = graded(place)
    assert "another assignment's" in done.stdout + done.stderr
    assert not result.exists() or json.loads(result.read_bytes())["gradable"] is False


def test_without_a_submission_there_is_no_result_and_a_code(place):
    done, result = graded(place)
    assert done.returncode == 2
    assert "holds no submission" in done.stderr
    assert not result.exists()


def test_the_file_holds_one_assignment_and_a_secret_of_its_own(course, place):
    first, *others = course.assignments
    folder = place[1].parent / "course"
    assert [path.name for path in (folder / "solutions").iterdir()] == [first] and others
    assert (folder.parent / "secret").read_text().encode() not in (course.secret(), course.secret().hex().encode())


def test_of_several_assignments_one_has_to_be_named(course, capsys):
    assert status(["--course", str(course.root), "release", "--for", "gradescope"]) == 2
    assert "--assignment" in capsys.readouterr().err
