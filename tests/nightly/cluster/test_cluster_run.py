"""A class that is graded by the nodes of a real Dask cluster of processes on this machine: the same reports."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from types import SimpleNamespace

import pytest

from grader.cluster import judge
from grader.cluster.batches import Batch, answer_to, conditions
from grader.course.layout import find_course
from grader.grading import GradeOptions
from grader.grading import run as grade_here
from grader.limits import DEFAULT_LIMITS

from ...support.classes.grading_runs import Graded, grade, timeless
from ...support.courses import hand_in, write_course
from ...support.workers.pretended_engine import RIGHT, WRONG

pytest.importorskip("distributed", reason="Dask is not installed: pip install 'attention-grader[cluster]'")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cluster")
    write_course(folder / "course", {"tests/golden/N0.json": "[]"})
    for number, text in enumerate([RIGHT, WRONG, "def shares(x:\n", RIGHT, WRONG]):
        hand_in(folder / "class", f"student{number}", f"{text}# {number}\n")
    (folder / "class" / "student5" / "01_tiny").mkdir(parents=True)
    (folder / "class" / "student5" / "01_tiny" / "tiny.py").write_bytes(b"\xe9")
    return folder


@pytest.fixture(scope="module")
def cluster(place):
    """A cluster of two processes."""
    distributed = pytest.importorskip("distributed")
    options = {"threads_per_worker": 1, "dashboard_address": ":0", "local_directory": str(place)}
    with distributed.LocalCluster(n_workers=2, **options) as cluster:
        yield cluster


def run(place, name, *options, classroom="class", verb=("cluster", "grade")):
    return grade(place / name, place / classroom, *options, verb=verb, before=("--course", place / "course"))


def reports(graded):
    """Return both copies of every report without times."""
    return {name: timeless(json.loads(text)) for name, text in graded.written.items() if name.endswith("/01_tiny.json")}


@pytest.fixture(scope="module")
def here(place):
    """The class as this machine alone grades it."""
    return run(place, "here", verb=("grade",))


def test_nodes_give_the_reports_that_this_machine_gives(place, here):
    there = run(place, "there", "--on", "local", "--nodes", "2")
    assert there.code == here.code == 1, there.stderr
    assert "Traceback" not in there.stderr
    assert len(reports(here)) == 12
    assert reports(there) == reports(here)


def test_the_batch_of_a_node_that_dies_is_done_again(place, cluster, here):
    command = [sys.executable, "-m", "grader", "--course", str(place / "course"), "cluster", "grade", "--fresh"]
    paths = [str(place / "class"), "--on", cluster.scheduler_address, "--output", str(place / "again")]
    with subprocess.Popen([*command, *paths], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as going:
        workers = cluster.scheduler.workers
        while not any(worker.processing for worker in list(workers.values())):
            assert going.poll() is None
            time.sleep(0.05)
        busy = next(worker for worker in list(workers.values()) if worker.processing)
        (pid,) = [nanny.pid for nanny in cluster.workers.values() if nanny.worker_address == busy.address]
        os.kill(pid, signal.SIGKILL)
        told, errors = going.communicate()
    again = Graded(going.returncode, told, errors, place / "again")
    assert again.code == 1, errors
    assert reports(again) == reports(here)


def test_a_submission_that_node_after_node_dies_of_is_found_and_costs_nobody_else(place, monkeypatch):
    distributed = pytest.importorskip("distributed")
    real = judge.grade_batch
    lost = distributed.scheduler.KilledWorker("task", SimpleNamespace(address="tcp://node:1"), 3)

    def dying(request):
        if b"student3" in request or b"# 3" in request:
            raise lost
        return real(request)

    monkeypatch.setattr(judge, "grade_batch", dying)
    options = GradeOptions([place / "class"], place / "lost", place / "course", fresh=True)
    with (
        distributed.LocalCluster(processes=False, dashboard_address=":0") as nodes,
        distributed.Client(nodes) as client,
    ):
        graded = grade_here(options, judge=partial(judge.grade_on, client))
    problems = {row.student: row.problem for row in graded.rows}
    assert "machine" in problems["student3"]
    assert [name for name, problem in problems.items() if problem] == ["student3", "student5"]


@pytest.mark.parametrize("name", ["suite", "kit", "secret"])
def test_a_node_with_another_suite_kit_or_secret_is_refused(place, name):
    course = find_course(place / "course")
    asked = conditions(course, course.assignments["01_tiny"], "cpu", DEFAULT_LIMITS) | {name: "another"}
    batch = Batch(course=str(course.root), assignment="01_tiny", conditions=asked, device="cpu", limits=DEFAULT_LIMITS,
                  tier="auto", jobs=None, language="en", raw=False, sources=[])  # fmt: skip
    answer = answer_to(batch)
    assert answer.refused.startswith(f"it has another {name};")


@pytest.mark.parametrize("where", ["tcp://127.0.0.1:1", "NoCluster"])
def test_a_cluster_that_is_not_there_is_one_sentence(place, where):
    done = run(place, "gone", "--on", where)
    assert done.code == 2
    assert where in done.stderr
    assert "Traceback" not in done.stderr
