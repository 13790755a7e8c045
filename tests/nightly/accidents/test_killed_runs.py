"""A run that is killed at any moment, or whose parts are, ends in the same reports as one that was left alone."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ...support.classes.class_runs import RIGHT, reports
from ...support.courses import hand_in, write_course

STUDENTS = 24
PATIENCE_S = 120
MOST_RUNS = 12
# An exercise whose worker or session is killed is run once more, and that counts. So that no two kills meet
# one submission, reports lie between them and after them; and no answer is wrong, which would be run twice anyway.
REPORTS_BETWEEN = 3
MOST_KILLS = {"worker": 7, "zygote": 2, "session": 5}


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """A course, a class, and the reports of a run that nobody disturbed."""
    folder = tmp_path_factory.mktemp("killed")
    course = write_course(folder / "course", {"tests/golden/N0.json": "[]"})
    for number in range(STUDENTS):
        text = (RIGHT, "def shares(x):\n    import time; time.sleep(0.2)\n    return x / x.sum()\n")[number % 2]
        hand_in(folder / "class", f"student{number}", f"{text}# {number}\n")
    assert start(folder, "whole").wait(PATIENCE_S) == 0
    return folder, course


def start(folder: Path, output: str, *options: str, jobs: int = 2, **variables: str) -> "subprocess.Popen[bytes]":
    """Start grading the class as a job of its own, as a shell does."""
    secret = {"GRADER_SECRET": "a secret of sixteen bytes"}
    command = [sys.executable, "-m", "grader", "--course", str(folder / "course"), "grade", str(folder / "class")]
    return subprocess.Popen(
        [*command, "--output", str(folder / output), "--jobs", str(jobs), *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **secret, **variables},
        cwd=folder,
        start_new_session=True,
    )


def forget(folder: Path) -> None:
    """Remove what the course keeps of results, so that only the killed run's own are found."""
    subprocess.run(["rm", "-rf", str(folder / "course/.grader/kept")], check=True)


def descendants(pid: int) -> dict[int, str]:
    """Return the processes below one, with what they run."""
    processes: dict[int, str] = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            processes[int(place.name)] = f"{parent} {(place / 'cmdline').read_text()}"
        except (OSError, ValueError):
            continue
    below = {pid}
    while True:
        more = {child for child, text in processes.items() if int(text.split(" ", 1)[0]) in below} - below
        if not more:
            return {child: processes[child] for child in below - {pid}}
        below |= more


def written(folder: Path, output: str) -> int:
    return len(list((folder / output).glob("student*/*.json")))


def test_the_same_command_goes_on_where_a_killed_run_stopped(scene):
    folder, _ = scene
    forget(folder)
    output = "killed"
    moments = random.Random(0)
    kills = 0
    for _ in range(MOST_RUNS):
        process = start(folder, output)
        limit = moments.randrange(1, 4) + written(folder, output)
        until = time.monotonic() + PATIENCE_S
        while process.poll() is None and time.monotonic() < until:
            if kills < 6 and written(folder, output) >= limit:
                time.sleep(moments.random() * 0.2)
                process.kill()
                kills += 1
            time.sleep(0.01)
        if process.wait(PATIENCE_S) == 0:
            break
    assert process.returncode == 0
    assert kills > 0
    assert reports(folder / output) == reports(folder / "whole")


def test_what_a_killed_run_left_in_the_temporary_folder_is_gone_after_the_next(scene, tmp_path):
    folder, _ = scene
    forget(folder)
    process = start(folder, "left", TMPDIR=str(tmp_path))
    until = time.monotonic() + PATIENCE_S
    while not written(folder, "left") and time.monotonic() < until:
        time.sleep(0.01)
    below = descendants(process.pid)
    process.kill()
    process.wait(PATIENCE_S)
    assert list(tmp_path.glob("grading-*"))
    while any(Path("/proc", str(pid)).exists() for pid in below) and time.monotonic() < until:
        time.sleep(0.01)  # what it had started ends by itself, and holds the folders until then
    assert start(folder, "left", TMPDIR=str(tmp_path)).wait(PATIENCE_S) == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("whom", list(MOST_KILLS))
def test_a_part_of_a_run_that_is_killed_costs_nobody_a_point(scene, whom):
    folder, _ = scene
    forget(folder)
    output = f"without_{whom}"
    process = start(folder, output, jobs=1)  # or one submission could be met twice while others are reported
    moments = random.Random(whom)
    kills, limit = 0, 1
    until = time.monotonic() + PATIENCE_S
    while process.poll() is None and time.monotonic() < until:
        due = limit <= written(folder, output) <= STUDENTS - REPORTS_BETWEEN - kills
        if due and kills < MOST_KILLS[whom]:
            time.sleep(moments.random() * 0.1)
            if killed(chosen(process.pid, whom, moments)):
                kills += 1
                limit = written(folder, output) + REPORTS_BETWEEN
        time.sleep(0.01)
    assert process.wait(PATIENCE_S) == 0
    assert kills > 0
    assert reports(folder / output) == reports(folder / "whole")


def killed(victim: int | None) -> bool:
    """Kill a process; one that has ended since it was chosen is none."""
    if victim is None:
        return False
    try:
        os.kill(victim, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def chosen(run: int, whom: str, moments: random.Random) -> int | None:
    """Return the process to kill: a forked session of the run, the process that forks workers, or a worker."""
    below = descendants(run)
    ours = [pid for pid, text in below.items() if text.split(" ", 1)[0] == str(run)]
    sessions = [pid for pid in ours if "grader\0" in below[pid] and "\0grade\0" in below[pid]]
    launched = [pid for pid in below if pid not in sessions]
    leaves = [pid for pid in launched if not any(text.startswith(f"{pid} ") for text in below.values())]
    forks = [pid for pid in launched if any(below[leaf].startswith(f"{pid} ") for leaf in leaves)]
    group = {"session": sessions, "worker": leaves, "zygote": [pid for pid in forks if pid not in ours] or forks}[whom]
    return moments.choice(sorted(group)) if group else None
