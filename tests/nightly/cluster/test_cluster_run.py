"""A class that is graded over a real `LocalCluster`: the same reports, also when a node dies or may not grade."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.system.devices import NVIDIA

from ...support.courses import hand_in, write_course
from ...support.grading_runs import Graded, grade, set_limits, timeless

pytest.importorskip("distributed", reason="Dask is not installed: pip install 'attention-grader[cluster]'")

from .clusters import LocalNodes

RIGHT = "from torch import nn\ndef shares(x):\n    return x / x.sum()\n"
WRONG = "def shares(x):\n    return x / x.max()\n"
HANGS = "import time\ndef shares(x):\n    time.sleep(60)\n"
PROFILE = [sys.executable, str(Path(__file__).parents[2] / "support" / "container_profile.py")]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cluster")
    write_course(folder / "course", {"tests/golden/N0.json": "[]"})
    for number, text in enumerate([RIGHT, WRONG, "def shares(x:\n", RIGHT, WRONG, "\xe9"]):
        hand_in(folder / "class", f"student{number}", text)
    (folder / "class" / "student5" / "01_tiny" / "tiny.py").write_bytes(b"\xe9")
    return folder


@pytest.fixture(scope="module")
def nodes(place):
    with LocalNodes(place / "nodes", 1) as nodes:
        yield nodes


def run(place, name, *options, classroom="class", env=None):
    """Run the command on a class and return what it left."""
    return grade(place / name, place / classroom, "--course", place / "course", "--fresh", *options, env=env)


def reports(graded):
    return {
        name: timeless(json.loads(text))
        for name, text in graded.written.items()
        if name.endswith(".json") and not name.startswith("summary")
    }


@pytest.fixture(scope="module")
def here(place):
    """The class as this machine alone grades it."""
    return run(place, "here")


@pytest.fixture(scope="module")
def there(place, nodes, here):
    """The same class as a node grades it."""
    return run(place, "there", "--scheduler", nodes.address)


def test_nodes_give_the_reports_that_this_machine_gives(here, there):
    assert there.code == here.code == 1
    assert "Traceback" not in there.stderr
    assert reports(there) == reports(here)
    assert there.written["grades.csv"] == here.written["grades.csv"]
    assert there.written["journal.jsonl"].count("\n") == 6


def test_what_nodes_graded_is_kept_for_the_next_run_here(place, there):
    again = grade(place / "kept", place / "class", "--course", place / "course", fresh=False)
    assert reports(again) == reports(there)
    assert json.loads(again.written["run.json"])["kept"] == 5


def begun(place, classroom, nodes, *options):
    """Start a run on the nodes and return its process."""
    command = [sys.executable, "-m", "grader", "grade", str(place / classroom), "--course", str(place / "course")]
    options = ["--output", str(place / f"{classroom}-reports"), "--scheduler", nodes.address, *options]
    return subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_node_that_dies_has_its_batch_done_elsewhere(place, nodes):
    for number in range(4):
        hand_in(place / "slow", f"student{number}", RIGHT if number else HANGS)
    nodes.add()
    nodes.settle()
    hasty = shutil.copytree(place / "course", place / "hasty")
    set_limits(hasty, check_wall_s=1.0)
    going = begun(place, "slow", nodes, "--course", str(hasty))
    wait_for(nodes.grading)
    nodes.kill_added()
    wait_for(lambda: not nodes.grading())
    told, errors = going.communicate(timeout=120)
    done = Graded(going.returncode, told, errors, place / "slow-reports")
    assert done.code == 0, done.stderr
    assert [done.report(f"student{number}", "01_tiny")["score"] for number in range(4)] == [0, 2, 2, 2]
    assert done.written["journal.jsonl"].count("\n") == 4


def wait_for(condition):
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_nodes_without_isolation_or_with_another_secret_or_suite_take_no_work(place, nodes, here):
    write_course(place / "other", {"tests/golden/N0.json": "[1]"})
    shutil.copytree(place / "course" / ".grader", place / "other" / ".grader")
    nodes.add(through=PROFILE)
    nodes.add(env={"GRADER_SECRET": "a secret that only the teacher of this test knows"})
    nodes.add(env={"GRADER_COURSE": str(place / "other")})
    nodes.settle()
    done = run(place, "left-out", "--scheduler", nodes.address, "--isolation", "namespaces")
    nodes.kill_added()
    assert reports(done) == reports(here)
    notes = " ".join(json.loads(done.written["run.json"])["notes"])
    for words in ("No isolation could be proven", "its secret is another one", "its suite is another one"):
        assert f"took no work: {words}" in notes


@pytest.fixture(scope="module")
def lone(place):
    """A scheduler without nodes."""
    with LocalNodes(place / "lone", 0) as lone:
        yield lone


def test_a_submission_that_every_node_dies_of_is_said_in_its_report(place, there, lone):
    hand_in(place / "fatal", "student", f"{RIGHT}# another\n")
    lone.add()
    lone.settle()
    going = begun(place, "fatal", lone)
    while going.poll() is None:
        if (grading := lone.grading()) is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(grading, signal.SIGKILL)
        time.sleep(0.05)
    told, errors = going.communicate()
    lone.kill_added()
    done = Graded(going.returncode, told, errors, place / "fatal-reports")
    assert done.code == 1, errors
    assert "Every machine that was grading this submission ended" in done.report("student", "01_tiny")["problem"]


def test_without_any_proven_node_nothing_is_graded(place, lone):
    lone.add(through=PROFILE)
    lone.settle()
    done = run(place, "nobody", "--scheduler", lone.address, "--isolation", "namespaces")
    lone.kill_added()
    assert done.code == 3
    assert "No node could prove that student code is shut in" in done.stderr
    assert not list((place / "nobody").glob("student*"))


def test_a_gpu_that_no_node_has_is_said_at_the_start(place, nodes):
    done = run(place, "gpu", "--scheduler", nodes.address, "--device", "cuda")
    assert done.code == 2
    assert "no node has a GPU to give" in done.stderr


@pytest.mark.skipif(NVIDIA.exists(), reason="there is a GPU here, so the node claims nothing false")
def test_a_gpu_that_a_node_only_claims_to_have_grades_nothing(place, nodes):
    nodes.add("--resources", "GPU=1")
    nodes.settle()
    done = run(place, "claimed", "--scheduler", nodes.address, "--device", "cuda")
    nodes.kill_added()
    assert done.code == 2
    assert "No node may grade" in done.stderr
    assert "cannot be used here" in done.stderr


def test_a_scheduler_that_is_not_there_is_one_sentence(place):
    done = run(place, "gone", "--scheduler", "tcp://127.0.0.1:1")
    assert done.code == 2
    assert "none answered" in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "options", [("--scheduler", "tcp://127.0.0.1:1", "--cluster", "slurm"), ("--nodes", "2")], ids=["both", "nodes"]
)
def test_options_that_contradict_each_other_are_refused(place, options):
    assert run(place, "both", *options).code == 2
