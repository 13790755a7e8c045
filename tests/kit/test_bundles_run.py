"""Each bundle, unpacked as its platform does and run by its own script, grades as `grader grade` does, or not at all."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree

import pytest

from grader.bundles.make import PLATFORMS, make_bundle
from grader.bundles.words import NOT_GRADED
from grader.course.layout import find_course
from grader.inside import landlock

from .bundles import (
    CLASSROOM,
    NOBODY,
    PROFILE,
    Container,
    environment,
    exercise_scores,
    expected,
    unpack,
    unprotected,
)
from .grading_runs import ASSIGNMENT, FILE, ROOT

SECRET = "a secret of the tests that is long enough"
STUDENT = "emma_softmax_over_columns"

if not sys.platform.startswith("linux"):
    pytest.skip("grading needs Linux", allow_module_level=True)


@pytest.fixture(scope="module")
def place():
    """A folder that other users may look into, as in a container."""
    with tempfile.TemporaryDirectory(prefix="bundles-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture(scope="module")
def bundles(place):
    """The bundle of each platform as a file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADER_SECRET", SECRET)
        course = find_course(ROOT)
        for platform in PLATFORMS:
            (place / f"{platform}.zip").write_bytes(make_bundle(course, platform, ASSIGNMENT).data)
    return {platform: place / f"{platform}.zip" for platform in PLATFORMS}


@pytest.fixture(scope="module")
def python(place, bundles):
    """The Python of an environment with the wheel of the bundles."""
    unpack(bundles["gradescope"], place / "for-the-wheel")
    (wheel,) = (place / "for-the-wheel" / "kit").glob("*.whl")
    return environment(wheel, place / "env")


@pytest.fixture(scope="module")
def containers(place, bundles, python):
    """A container's folder for each platform, with its bundle in it."""
    return {name: Container(name, place / name, python).lay_out(bundle) for name, bundle in bundles.items()}


@pytest.fixture
def container(containers):
    """The container of Gradescope, empty afterwards."""
    yield containers["gradescope"]
    containers["gradescope"].empty()


def points(student):
    return {name: Decimal(score) for name, score in expected()[student][ASSIGNMENT].items()}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_bundle_gives_the_scores_of_grader_grade(containers, platform):
    """Under the rules of a container: no namespaces, no tracing, few capabilities."""
    there = containers[platform]
    there.hand_in(STUDENT)
    run = there.run()
    there.empty()
    assert run.code == 0, run.stdout + run.stderr
    assert exercise_scores(platform, run) == points(STUDENT)
    assert "isolation tier 'namespaces'" not in run.stdout
    assert f"isolation tier '{'landlock' if landlock.version() else 'no-open'}'" in run.stdout


@pytest.mark.parametrize("platform", PLATFORMS)
def test_without_any_isolation_there_is_no_score_and_the_student_reads_one_sentence(containers, platform, python):
    there = containers[platform]
    there.hand_in(STUDENT)
    run = there.run(through=unprotected(python))
    there.empty()
    told = run.stdout + run.stderr
    assert "student code can't be shut in here" in told and "Tier 'no-open'" in told
    if platform == "prairielearn":
        assert run.code == 0
        assert run.document == {"gradable": False, "message": NOT_GRADED["en"]}
        return
    assert run.code == (2 if platform == "autolab" else 3)  # make has its own code for a recipe that failed
    assert run.result is None
    assert NOT_GRADED["en"] in run.stdout
    assert '"scores"' not in told


@pytest.mark.parametrize("student", ["mallory_reads_files", "nadia_forges_results", "rosa_notebook", "kofi_crash"])
def test_a_submission_gains_nothing_by_a_trick(container, student):
    container.hand_in(student)
    run = container.run()
    assert exercise_scores("gradescope", run) == points(student)
    assert run.document["score"] == sum(points(student).values())


def test_a_submission_that_cannot_be_graded_says_why_and_is_a_result(container):
    container.hand_in("petra_other_encoding")
    run = container.run()
    assert run.code == 0
    assert run.document["score"] == 0
    assert "is not UTF-8" in run.document["output"]


def test_an_empty_submission_is_a_result_that_says_what_was_looked_for(container):
    run = container.run()
    assert run.code == 0
    assert run.document["score"] == 0
    assert f"{FILE}.py" in run.document["output"]


def test_what_lies_in_a_submission_cannot_stop_or_mislead_the_run(container):
    """Pipes, links out of the folder, a giant, and files that Python would take for its own modules."""
    there = container.handed_in
    container.hand_in(STUDENT)
    os.mkfifo(there / "pipe.py")
    (there / "link.py").symlink_to("/etc/passwd")
    for name in ("torch.py", "grader.py", "sitecustomize.py", "conftest.py", "json.py"):
        (there / name).write_text("raise SystemExit('taken')\n")
    (there / "torch").mkdir()
    with (there / "giant.ipynb").open("wb") as file:
        file.truncate(1 << 32)
    run = container.run()
    for entry in list(there.iterdir()):
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    assert run.code == 0, run.stdout + run.stderr
    assert exercise_scores("gradescope", run) == points(STUDENT)


def test_a_submission_that_is_a_link_is_not_followed(container):
    (container.handed_in / f"{FILE}.py").symlink_to(ROOT / "solutions" / ASSIGNMENT / f"{FILE}.py")
    run = container.run()
    assert run.document["score"] == 0
    assert "symbolic link" in run.document["output"]


def test_nothing_of_a_hidden_check_but_the_students_copy_is_in_a_result(container):
    """The instructor's copy has inputs and seeds of hidden checks; a result has none of its numbers."""
    container.hand_in("kofi_crash")
    run = container.run()
    text = run.result.decode() + run.stdout
    for word in ("input_seed", "entries differ", "mistakes", "seed", SECRET):
        hidden = [test for test in run.document["tests"] if test["visibility"] != "visible"]
        assert hidden and not any(word in json.dumps(test, default=str) for test in hidden)
    assert SECRET not in text and "solutions" not in text


def test_the_metadata_of_gradescope_tells_staff_of_other_points(container):
    container.hand_in(STUDENT)
    metadata = {"id": 5, "assignment": {"id": 7, "total_points": "100.0"}, "users": [{"name": "=Emma"}]}
    (container.root / "submission_metadata.json").write_text(json.dumps(metadata))
    run = container.run()
    (container.root / "submission_metadata.json").unlink()
    assert "WARNING: the score is out of 30, and the assignment is worth 100 points on Gradescope." in run.stdout
    assert run.document["score"] == 27


def test_prairielearn_uses_no_attempt_for_a_file_that_cannot_be_read(containers):
    there = containers["prairielearn"]
    there.hand_in("petra_other_encoding")
    run = there.run()
    there.empty()
    assert run.code == 0
    assert run.document["gradable"] is False
    assert "is not UTF-8" in run.document["format_errors"][0]


def test_classroom_50_gets_whole_points_the_owner_and_the_time_of_the_commit(containers):
    there = containers["github"]
    there.hand_in(STUDENT)
    run = there.run()
    there.empty()
    result = run.document
    assert (result["score"], result["max-score"]) == (2700, 3000)
    assert all(type(test[name]) is int for test in result["tests"] for name in ("score", "max-score"))
    assert result["schema"] == "classroom50/result/v1"
    assert {result[name] for name in ("classroom", "assignment", "owner")} == {"dl-2026", "simple-attention", "emma"}
    assert result["datetime"] == "2026-11-20T10:00:00Z"
    assert result["release"].endswith("/releases/tag/submit%2F2026-11-20T10-00-00Z-0123456")


def test_a_variable_that_is_missing_is_a_sentence_and_no_result(containers):
    there = containers["github"]
    there.hand_in(STUDENT)
    run = there.run(more={name: "" for name in CLASSROOM if name == "OWNER"})
    there.empty()
    assert run.code == 2 and run.result is None
    assert "OWNER" in run.stderr


def test_gitlab_gets_one_case_for_each_check_of_the_students_copy(containers):
    there = containers["gitlab"]
    there.hand_in(STUDENT)
    run = there.run()
    there.empty()
    suites = ElementTree.fromstring(run.result)
    failed = [case.get("name") for case in suites.iter("testcase") if case.find("failure") is not None]
    assert failed and all(name.startswith("attention_weights.") for name in failed)
    assert "entries differ" not in "".join(
        case.find("failure").text or "" for case in suites.iter("testcase") if case.get("name") in failed[1:]
    )


def test_a_clone_with_the_folders_of_a_release_is_found(containers):
    there = containers["gitlab"]
    folder = there.handed_in / "assignments" / ASSIGNMENT
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "examples" / "submissions" / STUDENT / ASSIGNMENT / f"{FILE}.py", folder)
    (there.handed_in / ".git").mkdir()
    run = there.run()
    shutil.rmtree(there.handed_in / "assignments")
    there.empty()
    assert exercise_scores("gitlab", run) == points(STUDENT)


def test_a_broken_bundle_is_no_result_and_shows_no_file_of_the_course(containers, place):
    broken = Container("autolab", place / "broken", containers["autolab"].python)
    broken.lay_out(place / "autolab.zip")
    broken.hand_in(STUDENT)
    subprocess.run(["tar", "-xf", "autograde.tar"], cwd=broken.root, check=True)
    suite = broken.root / "autograde" / "course" / "tests" / "hidden" / ASSIGNMENT / "test_softmax_naive.py"
    suite.write_text(suite.read_text() + "\nraise RuntimeError('the hidden number 4711')\n")
    subprocess.run(["tar", "-cf", "autograde.tar", "autograde"], cwd=broken.root, check=True)
    run = broken.run()
    assert run.code == 2
    assert NOT_GRADED["en"] in run.stdout
    assert "4711" not in run.stdout + run.stderr and "scores" not in run.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become the ordinary user whom Autolab runs make as")
def test_autolab_runs_it_as_an_ordinary_user_within_its_limits(place, bundles, python):
    """100 processes, files of 100 MB, and a folder that belongs to the user."""
    there = Container("autolab", place / "as-a-user", python, ()).lay_out(bundles["autolab"])
    there.hand_in(STUDENT)
    for path in (there.root, *there.root.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    reached = subprocess.run([str(python), "-I", "-c", "import torch"], user=NOBODY, group=NOBODY, check=False)
    if reached.returncode:
        pytest.skip("another user cannot read the packages that are installed here")
    limits = ["/usr/bin/prlimit", "--nproc=100", "--fsize=100000000"]
    run = there.run(through=[*limits, sys.executable, str(PROFILE)], user=NOBODY)
    assert run.code == 0, run.stdout + run.stderr
    assert exercise_scores("autolab", run) == points(STUDENT)


def test_gradescope_finds_it_at_its_own_places(place, bundles, python):
    """The real paths, in a root of its own made by bubblewrap, under the rules of a container."""
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    there = Container("gradescope", place / "own-root", python).lay_out(bundles["gradescope"])
    there.hand_in(STUDENT)
    packages = (ROOT / "tests", Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve(), python.parents[1])
    seen = [part for path in ("/usr", "/etc", *map(str, packages)) for part in ("--ro-bind", path, path)]
    links = [part for name in ("bin", "lib", "lib64", "sbin") for part in ("--symlink", f"usr/{name}", f"/{name}")]
    box = ["bwrap", *seen, *links, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    box = [*box, "--ro-bind", str(python.parents[1]), str(python.parents[1]), "--bind", str(there.root), "/autograder"]
    box += ["--chdir", "/autograder", "--cap-add", "ALL", "--setenv", "GRADER_PYTHON", str(python)]
    box += ["--unsetenv", "AUTOGRADER_ROOT"]
    if subprocess.run([*box, "/bin/true"], capture_output=True, check=False).returncode:
        pytest.skip("bubblewrap cannot make a root here")
    there.command = lambda: ["/autograder/run_autograder"]
    run = there.run(through=[*box, str(python), str(PROFILE)])
    assert run.code == 0, run.stdout + run.stderr
    assert exercise_scores("gradescope", run) == points(STUDENT)
