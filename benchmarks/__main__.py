"""`make bench`: every benchmark, one after the other, and the page that they make."""

import argparse
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from benchmarks import checking, memory, page, parts, watching
from benchmarks.classes import answers_of
from benchmarks.errors import BenchmarkError
from benchmarks.machine import Others, this_machine
from benchmarks.measure import LANES, compare
from benchmarks.page import Section
from benchmarks.processes import ROOT, adopt_orphans
from grader.course.layout import find_course

FULL = {"further": 32, "rounds": 3, "memory": 2000}
QUICK = {"further": 8, "rounds": 1, "memory": 0}
FEW = ("01_simple_attention", "04_multi_head_attention")  # one of functions, one with classes
SECTIONS = (*LANES, "check", "watch", "parts", "memory")


def read_options(given: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    known = list(find_course(ROOT).assignments)
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure what grading costs.")
    parser.add_argument("--quick", action="store_true", help="two assignments in one round; the page stays as it is")
    parser.add_argument(
        "--only", nargs="+", choices=SECTIONS, default=SECTIONS, metavar="SECTION",
        help=f"measure only these again, and keep the other figures of the page: {', '.join(SECTIONS)}",
    )  # fmt: skip
    parser.add_argument("--assignments", nargs="+", choices=known, metavar="ID", help="only these; for a look")
    parser.add_argument("--rounds", type=int, help=f"rounds ({FULL['rounds']}; the slow sides take part in two)")
    parser.add_argument("--further", type=int, help=f"further submissions of the fast sides ({FULL['further']})")
    parser.add_argument("--memory", type=int, help=f"submissions of the long run ({FULL['memory']}; 0: none)")
    parser.add_argument(
        "--output", type=Path, metavar="DIR", help="write page and figures there, whatever was measured"
    )
    options = parser.parse_args(given)
    for name, value in (QUICK if options.quick else FULL).items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    if options.further < 1 or options.rounds < 1:
        parser.error("--further and --rounds must be 1 or more.")
    options.is_whole = not options.quick and options.assignments in (None, known)
    options.assignments = options.assignments or (FEW if options.quick else known)
    return options


def measure(name: str, options: argparse.Namespace, folder: Path) -> Section:
    """Run one section."""
    every = [answers_of(assignment, options.further) for assignment in options.assignments]
    section, others = Section(this_machine(), 0.0), Others()
    if name in LANES:
        sizes = {"further": options.further, "rounds": options.rounds}
        compared = compare(LANES[name], folder, every, **sizes, rare=not options.quick)
        section = replace(section, figures=compared.figures, left_out=compared.left_out, versions=compared.versions)
    elif name == "check":
        section = replace(section, figures=checking.measure(folder, every, options.rounds))
    elif name == "watch":
        section = replace(section, figures=watching.measure(folder, every, options.rounds))
    elif name == "parts":
        section = replace(section, figures=parts.measure(folder, every, options.further))
    elif options.memory:
        section = replace(section, memory=memory.measure(folder, every[0], options.memory))
    return replace(section, others=others.share())


def main() -> int:
    """Measure, print what is asked and what was found, and write the page.

    Returns:
        0, also when something asked is missed, which the page says; 2 when something could not be measured.
    """
    options = read_options()
    place = options.output or (page.HOME if options.is_whole else None)
    figures, written = page.places(place or page.HOME)
    measured = page.read(figures) if options.output is None and figures.exists() else {}
    try:
        adopt_orphans()
        for name in options.only:
            print(f"{name}:", flush=True)
            began = time.monotonic()
            with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
                measured[name] = measure(name, options, Path(folder))
            print(f"  {time.monotonic() - began:.0f} s in all", flush=True)
            if place is not None:
                page.write(measured, figures, written)
    except BenchmarkError as problem:
        print(f"bench: {problem}", file=sys.stderr)
        return 2
    for each in page.asked_of({name: measured[name] for name in options.only}):
        if each.verdict != page.NOT_MEASURED:
            print(f"{each.what}: {each.found}; asked: {each.asked}; {each.verdict}")
    if place is not None:
        print(f"Written: {written}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
