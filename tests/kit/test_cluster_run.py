"""A class that is graded over a real `LocalCluster`: the same reports, also when a node dies or may not grade."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.devices import NVIDIA

from .courses import hand_in, write_course
from .grading_runs import Graded, grade, timeless

pytest.importorskip("distributed", reason="Dask is not installed: pip install 'attention-grader[cluster]'")

from .clusters import LocalNodes

RIGHT = "from torch import nn\ndef shares(x):\n    return x / x.sum()\n"
WRONG = "def shares(x):\n    return x / x.max()\n"
HANGS = "import time\ndef shares(x):\n    time.sleep(60)\n"
PROFILE = [sys.executable, str(Path(__file__).with_name("container_profile.py"))]
SECRET = "a secret that only the teacher of this test knows"


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


def test_nodes_give_the_reports_that_this_machine_gives(place, nodes, here):
    there = run(place, "there", "--scheduler", nodes.address)
    assert there.code == here.code == 1
    assert "Traceback" not in there.stderr
    assert reports(there) == reports(here)
    assert there.written["scores.csv"] == here.written["scores.csv"]
    assert there.written["journal.jsonl"].count("\n") == 6


def test_what_nodes_graded_is_kept_for_the_next_run_here(place, nodes, here):
    run(place, "kept", "--scheduler", nodes.address)
    again = grade(place / "kept", place / "class", "--course", place / "course")
    assert json.loads(again.written["summary.json"])["kept"] == 6


def test_a_node_that_dies_has_its_batch_done_elsewhere(place, nodes):
    for number in range(4):
        hand_in(place / "slow", f"student{number}", HANGS if number % 2 else RIGHT)
    nodes.add()
    command = [sys.executable, "-m", "grader", "grade", str(place / "slow"), "--course", str(place / "course")]
    options = ["--output", str(place / "dying"), "--scheduler", nodes.address, "--check-seconds", "2", "--fresh"]
    going = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: nodes.added_grades())
    nodes.kill_added()
    wait_for(lambda: not nodes.added_grades())
    told, errors = going.communicate(timeout=120)
    done = Graded(going.returncode, told, errors, place / "dying")
    assert done.code == 0, done.stderr
    assert [done.report(f"student{number}", "01_tiny")["score"] for number in range(4)] == [2, 0, 2, 0]
    assert done.written["journal.jsonl"].count("\n") == 4


def wait_for(condition):
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_node_that_proves_no_isolation_takes_no_work(place, nodes, here):
    nodes.add(through=PROFILE)
    done = run(place, "unproven", "--scheduler", nodes.address, "--isolation", "namespaces")
    nodes.kill_added()
    assert reports(done) == reports(here)
    assert "took no work: No isolation could be proven" in done.written["summary.json"]


@pytest.mark.parametrize(
    ("env", "words"),
    [({"GRADER_SECRET": SECRET}, "its secret is another one"), ({"GRADER_COURSE": "{other}"}, "its suite is another")],
)
def test_a_node_with_another_secret_or_suite_is_refused(place, nodes, here, env, words):
    if not (place / "other").exists():
        write_course(place / "other", {"tests/golden/N0.json": "[1]"})
        (place / "other" / ".grader").mkdir()
        secret = place / "other" / ".grader" / "secret"
        secret.write_bytes((place / "course" / ".grader" / "secret").read_bytes())
        secret.chmod(0o600)
    nodes.add(env={name: value.format(other=place / "other") for name, value in env.items()})
    done = run(place, "refused", "--scheduler", nodes.address)
    nodes.kill_added()
    assert reports(done) == reports(here)
    assert words in done.written["summary.json"]


def test_without_any_proven_node_nothing_is_graded(place):
    with LocalNodes(place / "only", 0) as only:
        only.add(through=PROFILE)
        done = run(place, "nobody", "--scheduler", only.address, "--isolation", "namespaces")
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
