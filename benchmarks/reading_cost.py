"""Measures what it takes to read a student's notebook, from the file on disk to the cells that are graded.

`.venv/bin/python -m benchmarks.reading_cost` prints the median of many readings for every released notebook, as it is
and with the outputs of a week in it. The aim is under 5 ms; a library for notebooks takes longer to import.
"""

import base64
import json
import os
import statistics
import tempfile
import time
from pathlib import Path

from grader.course.layout import find_course
from grader.limits import DEFAULT_LIMITS
from grader.submissions.read import own_file, read_submission
from grader.submissions.submission import Submission

AIM_MS = 5.0
ROUNDS = 300
PICTURES = 20
PICTURE_BYTES = 40_000


def with_pictures(text: str) -> str:
    """Return a notebook with a picture among the outputs of its first code cells, as plots leave them."""
    notebook = json.loads(text)
    picture = base64.b64encode(os.urandom(PICTURE_BYTES)).decode()
    output = {"output_type": "display_data", "metadata": {}, "data": {"image/png": picture, "text/plain": "<Figure>"}}
    for cell in [cell for cell in notebook["cells"] if cell["cell_type"] == "code"][:PICTURES]:
        cell["outputs"] = [output]
    return json.dumps(notebook, indent=1)


def milliseconds(path: Path, exercises: tuple[str, ...], rounds: int = ROUNDS) -> float:
    """Return the median processor time of reading a notebook."""
    submission = Submission("ann", "01", (own_file(path),), ((0, 0),))
    times = []
    for _ in range(rounds):
        begin = time.thread_time()
        source = read_submission(submission, exercises, DEFAULT_LIMITS)
        times.append(time.thread_time() - begin)
        assert source.problem is None
    return 1000 * statistics.median(times)


def main() -> None:
    """Measure every notebook of the course that this checkout holds."""
    course = find_course(Path(__file__))
    print(f"{'notebook':<28}{'as handed out':>24}{'with pictures':>24}")
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for assignment in course.assignments.values():
            text = (assignment.released / f"{assignment.name}.ipynb").read_text(encoding="utf-8")
            cells = []
            for number, held in enumerate((text, with_pictures(text))):
                path = Path(folder, f"{number}.ipynb")
                path.write_text(held, encoding="utf-8")
                cost = milliseconds(path, assignment.names)
                worst = max(worst, cost)
                cells.append(f"{path.stat().st_size / 1024:8.0f} KiB {cost:8.2f} ms")
            print(f"{assignment.name:<28}{cells[0]:>24}{cells[1]:>24}")
    print(f"The slowest took {worst:.2f} ms; the aim is under {AIM_MS:g} ms.")


if __name__ == "__main__":
    main()
