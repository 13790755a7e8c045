"""Each bundle, unpacked as its platform does and run by its own script, grades as `grader grade` does, or not at
all."""

import functools
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

from grader.bundles.make import LAYOUTS
from grader.inside.sandbox import landlock
from grader.words import say

from ...support.bundles import CLASSROOM, STUDENT, Container, environment, exercise_scores, first_tier, unpack
from ...support.frozen_students import POINTS, SCORES, points_of
from ...support.grading_runs import ASSIGNMENT
from ...support.in_a_bundle import SECRET, bundles_of_the_first_assignment
from ...support.submission_faults import FAULTS

KIT = Path(__file__).parents[2]

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
    for platform, data in bundles_of_the_first_assignment().items():
        (place / f"{platform}.zip").write_bytes(data)
    return {platform: place / f"{platform}.zip" for platform in LAYOUTS}


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


@pytest.fixture(scope="module")
def graded(containers):
    """What each platform got of one student's submission, graded once."""
    metadata = {"id": 5, "assignment": {"id": 7, "total_points": "100.0"}, "users": [{"name": "=Emma"}]}
    (containers["gradescope"].root / "submission_metadata.json").write_text(json.dumps(metadata))

    @functools.cache
    def of(platform):
        there = containers[platform]
        there.hand_in()
        run = there.run_at_its_place()
        there.empty()
        return run

    return of


@pytest.fixture
def container(containers):
    """The container of Gradescope, empty afterwards."""
    yield containers["gradescope"]
    containers["gradescope"].empty()


@pytest.mark.parametrize("platform", LAYOUTS)
def test_a_bundle_gives_the_scores_of_grader_grade(graded, platform):
    """At the platform's own paths where it has some, under a container's rules: no namespaces, few capabilities."""
    run = graded(platform)
    assert run.code == 0, run.stdout + run.stderr
    assert exercise_scores(platform, run) == points_of(STUDENT)
    assert f"isolation tier '{'landlock' if landlock.version() else 'no-open'}'" in run.stdout


@pytest.mark.parametrize("platform", ["gradescope", "prairielearn", "autolab"])
def test_without_any_isolation_there_is_no_score_and_the_student_reads_one_sentence(containers, platform, python):
    """The kit knows one tier here, which a container refuses; that all can be refused is `test_jail_container`'s."""
    there = containers[platform]
    there.hand_in()
    run = there.run(more={"GRADER_PYTHON": first_tier(python)})
    there.empty()
    told = run.stdout + run.stderr
    assert "student code can't be shut in here" in told and "Tier 'namespaces'" in told
    if platform == "prairielearn":
        assert run.code == 0
        assert run.document == {"gradable": False, "message": say("bundle_not_graded", "en")}
        return
    assert run.code == (2 if platform == "autolab" else 3)  # make has its own code for a recipe that failed
    assert run.result is None
    assert say("bundle_not_graded", "en") in run.stdout
    assert '"scores"' not in told


@pytest.mark.parametrize(
    "trick", ["steal/open_known_paths", "steal/walk_frames", "forge/write_the_report", "lie/subclass"]
)
def test_a_submission_gains_nothing_by_a_trick(container, trick):
    """Each has one exercise right and is after `softmax_naive`."""
    container.hand_in(KIT / "attacks" / f"{trick}.py")
    run = container.run()
    assert exercise_scores("gradescope", run) == dict.fromkeys(POINTS, 0) | {SCORES: POINTS[SCORES]}
    assert run.document["score"] == POINTS[SCORES]
    told = (run.result or b"").decode()
    assert "TRIED" in told and "GAINED" not in told


def test_what_lies_in_a_submission_cannot_stop_or_mislead_the_run(container):
    """Pipes, links out of the folder, a giant, and files that Python would take for its own modules."""
    there = container.handed_in
    container.hand_in()
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
    assert exercise_scores("gradescope", run) == points_of(STUDENT)


def test_nothing_of_a_hidden_check_but_the_students_copy_is_in_a_result(graded):
    """The student lost points on visible and hidden checks; the numbers of the hidden ones are nowhere."""
    tests = graded("gradescope").document["tests"]
    shut = [test for test in tests if test["visibility"] != "visible"]
    lost = [test for test in shut if test.get("status") == "failed"]
    assert lost and all("entries differ" not in test["output"] for test in shut)
    assert any("entries differ" in test["output"] for test in tests if test["visibility"] == "visible")
    for platform in LAYOUTS:
        run = graded(platform)
        told = run.stdout + run.stderr + (run.result or b"").decode()
        assert not any(word in told for word in ("input_seed", "no_exponential", "solutions/", SECRET))


def test_the_metadata_of_gradescope_tells_staff_of_other_points(graded):
    run = graded("gradescope")
    assert "Submission 5 of assignment 7." in run.stdout
    assert "WARNING: the score is out of 11, and the assignment is worth 100 points on Gradescope." in run.stdout
    assert run.document["score"] == Decimal("7.1") and run.document["stdout_visibility"] == "hidden"


def test_prairielearn_gets_a_share_and_uses_no_attempt_for_a_file_that_cannot_be_read(containers, graded, tmp_path):
    assert graded("prairielearn").document["score"] == Decimal("0.645455")
    there = containers["prairielearn"]
    source = tmp_path / "latin1.py"
    source.write_bytes(FAULTS[source.name].data)
    there.hand_in(source)
    run = there.run()
    there.empty()
    assert run.code == 0
    assert run.document["gradable"] is False
    assert "is not UTF-8" in run.document["format_errors"][0]


def test_the_last_line_for_autolab_is_its_scores(graded):
    """Make's own words would be taken for the scores."""
    last = json.loads(graded("autolab").stdout.splitlines()[-1])
    assert set(last["scores"]) == set(POINTS)


def test_classroom_50_gets_whole_points_the_owner_and_the_time_of_the_commit(graded):
    result = graded("github").document
    assert (result["score"], result["max-score"]) == (710, 1100)
    assert all(type(test[name]) is int for test in result["tests"] for name in ("score", "max-score"))
    assert result["schema"] == "classroom50/result/v1"
    assert [result[name] for name in ("classroom", "assignment", "owner")] == ["dl-2026", "simple-attention", "emma"]
    assert result["datetime"] == "2026-11-20T10:00:00Z"
    assert result["release"].endswith("/releases/tag/submit%2F2026-11-20T10-00-00Z-0123456")


def test_a_result_that_cannot_be_written_is_no_success_for_prairielearn(containers):
    """Its container ends with 0 for a refusal, but not when PrairieLearn could read no word of it."""
    there = containers["prairielearn"]
    shutil.rmtree(there.root / "results", ignore_errors=True)
    (there.root / "results").write_text("in the way")
    run = there.run()
    (there.root / "results").unlink()
    assert run.code == 2 and "Traceback" not in run.stderr
    assert "could not be cleared for the result" in run.stderr


@pytest.mark.parametrize("missing", ["SUBMISSION_TAG", "REPOSITORY", "SUBMISSION_COMMIT"])
def test_a_variable_that_is_missing_is_a_sentence_and_no_result(containers, missing):
    assert missing in CLASSROOM
    run = containers["github"].run(more={missing: ""})
    assert run.code == 2 and run.result is None
    assert f"The variable {missing} was looked for." in run.stderr and "Traceback" not in run.stderr


def test_gitlab_gets_a_failed_case_for_each_check_that_failed(graded):
    suites = ElementTree.fromstring(graded("gitlab").result)
    failed = [case.get("name") for case in suites.iter("testcase") if case.find("failure") is not None]
    assert failed and all(name.startswith(("softmax_naive.", "attention_weights.")) for name in failed)


def test_a_broken_bundle_is_no_result_and_shows_no_file_of_the_course(containers, place):
    broken = Container("autolab", place / "broken", containers["autolab"].python).lay_out(place / "autolab.zip")
    broken.hand_in()
    subprocess.run(["tar", "-xf", "autograde.tar"], cwd=broken.root, check=True)
    suite = broken.root / "autograde" / "course" / "tests" / "hidden" / ASSIGNMENT / "test_softmax_naive.py"
    suite.write_text(suite.read_text() + "\nraise RuntimeError('the hidden number 4711')\n")
    subprocess.run(["tar", "-cf", "autograde.tar", "autograde"], cwd=broken.root, check=True)
    run = broken.run()
    assert run.code == 2
    assert say("bundle_not_graded", "en") in run.stdout
    assert "4711" not in run.stdout + run.stderr and "scores" not in run.stdout
