"""Measures what grading one more submission costs in processor time, beyond the start that a whole class shares.

`grader grade` is run on a class of one and on a class of many copies of the solution, which differ in a comment. The
time of every process that took part is added up, and (cost of many - cost of one) / (many - 1) is the cost of a
submission. Runs of the two sizes alternate, so that a machine that is busy for a while disturbs both; the median says
what is typical and the range how far to trust it. `python -m benchmarks.grading_cost --profile` shows where it goes.
"""

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks.classes import Member, answers_of, write_class
from benchmarks.errors import BenchmarkError
from benchmarks.figures import slope, spread
from benchmarks.machine import BUSY, Others, this_machine
from benchmarks.processes import adopt_orphans, run, spent_on
from benchmarks.profile_sessions import arguments, profile
from grader.course.layout import Assignment

TARGET_MS = 150.0


def main() -> int:
    """Measure, print a table, and say whether the target is met.

    Returns:
        0 when the median is within the target, 1 when not, 2 when nothing could be measured.
    """
    options = read_options()
    try:
        adopt_orphans()
        with tempfile.TemporaryDirectory(prefix="grading-cost-") as folder:
            return measure(options, Path(folder))
    except BenchmarkError as problem:
        print(f"grading_cost: {problem}", file=sys.stderr)
        return 2


def read_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Measure the processor time that grading a submission costs.")
    parser.add_argument("--assignment", default="01_simple_attention", help="the assignment to grade")
    parser.add_argument("--submission", type=Path, help="a .py file to copy instead of the solution, at any score")
    parser.add_argument("--size", type=int, default=21, help="submissions in the large class (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=5, help="pairs of runs (default: %(default)s)")
    parser.add_argument("--jobs", type=int, help="submissions at once (default: what `grader grade` takes)")
    parser.add_argument("--isolation", default="auto", help="the tier of the jail (default: %(default)s)")
    parser.add_argument("--profile", action="store_true", help="show where the time goes, too")
    options = parser.parse_args()
    if options.size < 2 or options.repeats < 1:
        parser.error("--size must be 2 or more and --repeats 1 or more.")
    return options


def measure(options: argparse.Namespace, folder: Path) -> int:
    """Run the pairs and print what they come to."""
    answers = answers_of(options.assignment)
    text = answers.texts["right"] if options.submission is None else named_text(options.submission)
    small = copies(folder / "one", answers.assignment, text, 1)
    large = copies(folder / "many", answers.assignment, text, options.size)
    print_conditions(options)
    full = options.submission is None
    grade(small, folder / "reports", options, full)  # unmeasured: fills the caches of bytecode and files
    costs, shares = [], []
    print(f"{'run':>4}  {'class of 1':>11}  {f'class of {options.size}':>12}  {'a submission':>14}  {'others':>7}")
    for number in range(1, options.repeats + 1):
        others = Others()
        one = grade(small, folder / "reports", options, full)
        many = grade(large, folder / "reports", options, full)
        costs.append(slope(one, many, 1, options.size) * 1000)
        shares.append(others.share(one + many))
        print(f"{number:>4}  {one:>9.2f} s  {many:>10.2f} s  {costs[-1]:>11.1f} ms  {shares[-1]:>7.0%}", flush=True)
    cost, busy = spread(costs), spread(shares).median
    print(f"\nProcessor time of a submission: median {cost.median:.1f} ms, from {cost.low:.1f} to {cost.high:.1f} ms.")
    met = cost.median <= TARGET_MS
    print(f"The target of at most {TARGET_MS:g} ms is {'met' if met else 'missed'}.")
    if busy > BUSY:
        print(f"Other work took {busy:.0%} of this machine's processors, which makes every figure larger. Try it idle.")
    if options.profile:
        profile(small, large, options.size, folder, options.isolation, options.jobs)
    return 0 if met else 1


def named_text(file: Path) -> str:
    """Return the text of a submission that was named."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise BenchmarkError(f"The submission {file} cannot be read: {problem}.") from None


def copies(folder: Path, assignment: Assignment, text: str, size: int) -> Path:
    """Write a class of copies of one text that differ in their first line, so that none has the hash of another."""
    numbers = range(1, size + 1)
    group = [Member(f"student_{number:03}", "right", f"# copy {number}\n{text}") for number in numbers]
    return write_class(folder, assignment, group)


def grade(paths: Path, output: Path, options: argparse.Namespace, full: bool) -> float:
    """Grade a class and see that the reports say what they must.

    Args:
        paths: The class.
        output: Where the reports go; removed before and after.
        options: The command line.
        full: Whether every submission must get full marks.

    Returns:
        Seconds of processor time of all processes together.
    """
    shutil.rmtree(output, ignore_errors=True)
    command = [sys.executable, "-m", "grader", *arguments(paths, output, options.isolation, options.jobs)]
    spent = spent_on(lambda: run(command))
    for student in sorted(path.name for path in paths.iterdir()):
        files = list((output / student).glob("*.json"))
        if not files:
            raise BenchmarkError(f"The run is not worth measuring: there is no report of {student}.")
        report = json.loads(files[0].read_bytes())
        if full and report["score"] != report["max_score"]:
            said = f"{report['score']} of {report['max_score']} points"
            raise BenchmarkError(f"The run is not worth measuring: the solution got {said} as {student}.")
    shutil.rmtree(output)
    return spent.cpu


def print_conditions(options: argparse.Namespace) -> None:
    """Print what a figure means nothing without: the machine, the versions, what was run."""
    machine = this_machine()
    print(f"Machine: {machine.model}, {machine.cores} cores, {machine.system}, load {machine.load} at the start")
    print(f"Python {machine.python}, " + ", ".join(f"{name} {found}" for name, found in machine.versions.items()))
    jobs = "as many at once as `grader grade` takes" if options.jobs is None else f"{options.jobs} at once"
    what = options.submission.name if options.submission else "the solution"
    print(f"{options.assignment}: copies of {what}, isolation {options.isolation}, {jobs}\n", flush=True)


if __name__ == "__main__":
    sys.exit(main())
