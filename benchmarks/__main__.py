"""`make bench`: what a further submission costs `grader grade`.

Copies of an assignment's solution are graded, which differ in a comment and so in all inputs that are drawn. What
`grader grade` does once for a class is left out by taking the difference of two classes.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.machine import cores, this_machine
from benchmarks.processes import ROOT, Spent, adopt_orphans, run, spent_on
from grader.course.layout import Assignment, find_course
from grader.course.variants.read_variants import solution_submission
from grader.errors import GraderError, UsageError

PAGE = ROOT / "docs" / "performance.md"
COPIES, QUICK_COPIES = 32, 16
HEAD = """\
# What grading costs

For teachers who wonder how long a class takes. `make bench` measures this again on your machine and writes this page.

{machine}
The load was {load:.1f} when it began; other work makes the figures worse.

{table}

One further right submission in a class that is graded anyway, mean of {copies}: the processor time of all processes
that take part, and how many are graded in a second, as many at once as there are cores.
"""


@dataclass(frozen=True)
class Figures:
    """What was measured of an assignment, for one submission."""

    assignment: str
    kit: Spent


def write_class(folder: Path, assignment: Assignment, text: str, size: int) -> list[Path]:
    """Write copies of a file as `<student>/<assignment>/<file>`, each with another comment; returns the files."""
    files = [folder / f"student_{number:05}" / assignment.id / f"{assignment.name}.py" for number in range(size)]
    for number, file in enumerate(files):
        file.parent.mkdir(parents=True)
        file.write_text(f"# copy {number}\n{text}", encoding="utf-8")
    return files


def graded(folder: Path, assignment: Assignment, text: str, size: int) -> Spent:
    """Grade so many copies of a right answer by `grader grade`.

    Raises:
        UsageError: The run failed, or did not give everybody all points.
    """
    write_class(folder / "class", assignment, text, size)
    reports = folder / "reports"
    command = [sys.executable, "-m", "grader", "--course", str(ROOT), "grade", "--fresh", "--jobs", str(cores())]
    spent = spent_on(lambda: run([*command, str(folder / "class"), "--output", str(reports)]))
    grades = json.loads((reports / "grades.json").read_bytes())["grades"]
    if len(grades) != size or any(grade["score"] != grade["max"] for grade in grades):
        raise UsageError(f"{assignment.id} does not count: the solution's copies did not get all points.")
    return spent


def measure(folder: Path, assignment: Assignment, copies: int) -> Figures:
    """Measure one assignment.

    Raises:
        UsageError: A run failed, or so few copies were lost in the noise.
    """
    text = solution_submission(assignment)
    first, again = (graded(folder / name, assignment, text, cores()) for name in ("first", "again"))
    base = Spent(min(first.wall, again.wall), min(first.cpu, again.cpu))
    whole = graded(folder / "whole", assignment, text, cores() + copies)
    kit = Spent((whole.wall - base.wall) / copies, (whole.cpu - base.cpu) / copies)
    if min(kit.wall, kit.cpu) <= 0:
        raise UsageError(f"{assignment.id}: {copies} copies took no time beside the start; take more, by --copies.")
    return Figures(assignment.id, kit)


def table(figures: Sequence[Figures]) -> str:
    """Return what was measured as a table in Markdown, with the mean of all assignments."""
    lines = ["| | processor ms | submissions a second |", "|---|---|---|"]
    rows = [(f"`{measured.assignment}`", [measured.kit]) for measured in figures]
    for name, spent in [*rows, ("mean", [measured.kit for measured in figures])]:
        cpu, wall = (sum(seconds) / len(spent) for seconds in zip(*((s.cpu, s.wall) for s in spent), strict=True))
        lines.append(f"| {name} | {cpu * 1000:.0f} | {1 / wall:.1f} |")
    return "\n".join(lines)


def main(given: list[str] | None = None) -> int:
    """Measure, print the table, and write the page.

    Returns:
        0; 2 where something could not be measured, and then the page stays as it was.
    """
    course = find_course(ROOT)
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure what grading costs.")
    parser.add_argument("--quick", action="store_true", help="few copies; the page stays as it is")
    parser.add_argument("--copies", type=int, help=f"copies of each solution ({COPIES}, with --quick {QUICK_COPIES})")
    options = parser.parse_args(given)
    copies = options.copies or (QUICK_COPIES if options.quick else COPIES)
    figures, load = [], os.getloadavg()[0]
    try:
        adopt_orphans()
        with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
            for assignment in course.assignments.values():
                print(f"{assignment.id} ...", flush=True)
                figures.append(measure(Path(folder) / assignment.id, assignment, copies))
    except GraderError as problem:
        print(f"bench: {problem}", file=sys.stderr)
        return problem.exit_code
    print(table(figures))
    if not options.quick:
        page = HEAD.format(machine=this_machine(), load=load, table=table(figures), copies=copies)
        PAGE.write_text(page, encoding="utf-8")
        print(f"Written: {PAGE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
