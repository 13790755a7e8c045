"""`make bench`: every benchmark, one after the other, and the page that they make."""

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks import breakdown, memory, page, starting
from benchmarks.classes import SMALLEST, answers_of
from benchmarks.errors import BenchmarkError
from benchmarks.machine import this_machine
from benchmarks.page import Measured, asked_of
from benchmarks.processes import adopt_orphans
from benchmarks.side_by_side import compare
from benchmarks.sides import every

FULL = {"size": 8, "large": 160, "rounds": 5, "memory": 2000}
QUICK = {"size": 4, "large": 20, "rounds": 1, "memory": 0}


def read_options() -> argparse.Namespace:
    """Read the command line."""
    keys = [side.key for side in every()]
    parser = argparse.ArgumentParser(prog="make bench ARGS=...", description="Measure what grading costs.")
    parser.add_argument("--assignment", default="01_simple_attention", help="whose suite (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="small classes and one round; no page is written")
    parser.add_argument("--write", action="store_true", help="write the page also with --quick")
    parser.add_argument("--size", type=int, help=f"members of the class of all sides ({FULL['size']})")
    parser.add_argument("--large", type=int, help=f"members of the fast sides' large class ({FULL['large']})")
    parser.add_argument("--rounds", type=int, help=f"rounds ({FULL['rounds']})")
    parser.add_argument(
        "--memory", type=int, help=f"members of the class watched for memory ({FULL['memory']}; 0: none)"
    )
    parser.add_argument("--sides", nargs="+", choices=keys, default=keys, help="only these; the kit is always one")
    options = parser.parse_args()
    for name, value in (QUICK if options.quick else FULL).items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    if options.size < SMALLEST or options.large <= options.size or options.rounds < 1:
        parser.error(f"--size must be {SMALLEST} or more, --large more than that, --rounds 1 or more.")
    return options


def measure(options: argparse.Namespace, folder: Path) -> Measured:
    """Run all benchmarks."""
    machine, answers = this_machine(), answers_of(options.assignment)
    sides = [side for side in every() if side.key == "kit" or side.key in options.sides]
    sizes = {"size": options.size, "large": options.large}
    print(f"Side by side: classes of {options.size} and {options.large}, {options.rounds} round(s)", flush=True)
    compared = compare(sides, folder / "sides", assignment=options.assignment, **sizes, rounds=options.rounds)
    print("First report, and two at once against one", flush=True)
    started = starting.measure(folder / "starting", answers, **sizes, rounds=options.rounds)
    print("Where the time goes", flush=True)
    rows = breakdown.measure(folder / "breakdown", answers, **sizes)
    for row in rows:
        print(f"  {row.cpu_ms:8.1f} ms of processor time  {row.part}", flush=True)
    watched = None
    if options.memory:
        print(f"Memory over {options.memory} submissions", flush=True)
        watched = memory.measure(folder / "memory", answers, options.memory)
    return Measured(machine, answers.assignment.id, compared, started, rows, watched)


def main() -> int:
    """Measure, print what is asked and what was found, and write the page.

    Returns:
        0, also when something asked is missed, which the page says; 2 when something could not be measured.
    """
    options = read_options()
    adopt_orphans()
    try:
        with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
            measured = measure(options, Path(folder))
    except BenchmarkError as problem:
        print(f"bench: {problem}", file=sys.stderr)
        return 2
    for each in asked_of(measured):
        print(f"{each.what}: {each.found}; asked: {each.asked}; {'met' if each.met else 'missed'}")
    if options.write or not options.quick:
        page.write(measured)
        print(f"Written: {page.PAGE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
