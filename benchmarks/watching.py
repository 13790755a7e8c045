"""How long after a save `grader watch` shows the verdict, in the folder that students get.

The next worker process is started once a verdict is shown, and imports torch. So there is a pause between two saves, as
there is when a person writes.
"""

import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

from benchmarks.classes import Answers
from benchmarks.errors import BenchmarkError
from benchmarks.measure import Figure
from benchmarks.processes import environment
from grader.course.layout import Assignment

WATCH = "watch"
SAVES = 3  # in each round of the other sections
PAUSE_S = 4.0
LONGEST_S = 120.0


def measure(folder: Path, every: Sequence[Answers], rounds: int) -> list[Figure]:
    """Save a right answer again and again, each time with another docstring in the last exercise."""
    figures = []
    for answers in every:
        assignment = answers.assignment
        place = shutil.copytree(assignment.released, folder / assignment.id)
        file = place / f"{assignment.name}.py"
        file.write_text(answers.right.text, encoding="utf-8")
        watching = subprocess.Popen(
            [sys.executable, "-m", "grader", "watch", str(file)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment(),
        )  # fmt: skip
        try:
            shown: Queue[float | str] = Queue()
            Thread(target=_read, args=(watching, f"{assignment.id}: ", shown), daemon=True).start()
            _wait(shown)
            for number in range(SAVES * rounds):
                time.sleep(PAUSE_S)
                text = changed(answers.right.text, assignment, number)
                began = time.perf_counter()
                file.write_text(text, encoding="utf-8")
                figures.append(Figure(assignment.id, WATCH, "right", number, _wait(shown) - began, 0.0))
        finally:
            watching.terminate()
            watching.wait()
    return figures


def changed(text: str, assignment: Assignment, number: int) -> str:
    """Return a right answer whose last exercise has another docstring."""
    last = assignment.exercises[-1]
    opening = text.index('"""', text.index(f"{'class' if last.kind == 'class' else 'def'} {last.id}")) + 3
    return f"{text[:opening]}Save {number}. {text[opening:]}"


def _read(watching: "subprocess.Popen[str]", last_line: str, shown: "Queue[float | str]") -> None:
    """Note when each verdict was complete, and at the end what was said."""
    said = ""
    assert watching.stdout is not None
    for line in watching.stdout:
        said += line
        if line.startswith(last_line):
            shown.put(time.perf_counter())
    shown.put(said)


def _wait(shown: "Queue[float | str]") -> float:
    try:
        found = shown.get(timeout=LONGEST_S)
    except Empty:
        raise BenchmarkError(f"`grader watch` showed nothing within {LONGEST_S:g} s.") from None
    if isinstance(found, str):
        raise BenchmarkError(f"`grader watch` ended and said:\n{found[-2000:]}")
    return found
