"""Writes docs/performance.md from measured figures, so that no number on it was ever typed.

The figures lie in benchmarks/figures.json; a test renders them and asks that the page is just that. After a change of
the template `python -m benchmarks.page` writes the page anew from them.
"""

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import jinja2

from benchmarks.checking import CHECK, IMPORT
from benchmarks.figures import Spread, ratios, spread
from benchmarks.machine import BUSY, Machine
from benchmarks.measure import FIRST_REPORT, ONE_JOB, Figure, described
from benchmarks.memory import Memory
from benchmarks.parts import PARTS
from benchmarks.processes import ROOT
from benchmarks.watching import WATCH

HOME = ROOT
TEMPLATE = Path(__file__).resolve().parent / "performance.md.jinja"
GROWTH_AT_MOST = 0.05
NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Section:
    """What one section of the benchmarks came to.

    Attributes:
        machine: Where it was measured.
        others: The share of the processors that other work took meanwhile.
        figures: What was measured.
        left_out: A sentence for each side that could not be run.
        versions: By side, the versions of what it needs beside the kit's packages.
        memory: What a long run came to, in the section that watches one.
    """

    machine: Machine
    others: float
    figures: list[Figure] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    versions: dict[str, dict[str, str]] = field(default_factory=dict)
    memory: Memory | None = None

    @property
    def assignments(self) -> list[str]:
        """The assignments that were measured."""
        return sorted({each.assignment for each in self.figures})


Measured = Mapping[str, Section]


@dataclass(frozen=True)
class Source:
    """Which figures a number is made of."""

    side: str
    what: str = "right"
    kind: str = "wall"

    def means(self, section: Section, assignments: Sequence[str]) -> list[float]:
        """Return the mean over some assignments, a number for each round that has all of them."""
        found: dict[int, list[float]] = {}
        for each in section.figures:
            if (each.side, each.what) == (self.side, self.what) and each.assignment in assignments:
                found.setdefault(each.round, []).append(getattr(each, self.kind))
        return [statistics.fmean(found[number]) for number in sorted(found) if len(found[number]) == len(assignments)]


@dataclass(frozen=True)
class Column:
    """A number that each assignment has, and all of them together.

    Attributes:
        title: Its head in a table.
        section: Where it is measured.
        source: The figures that it is made of.
        per: The figures that they are divided by, round by round; None for a time.
        unit: `ms`, `s`, or nothing for a ratio.
    """

    title: str
    section: str
    source: Source
    per: Source | None = None
    unit: str = "ms"

    def of(self, measured: Measured, assignments: Sequence[str]) -> Spread | None:
        """Return it for some assignments together, their times added up first; None where it was not measured."""
        section = measured.get(self.section)
        numbers = self.source.means(section, assignments) if section else []
        if section and self.per:
            others = self.per.means(section, assignments)
            most = min(len(numbers), len(others))
            numbers = ratios(numbers[:most], others[:most])
        return spread([number * {"ms": 1000, "s": 1, "": 1}[self.unit] for number in numbers]) if numbers else None


def ratio(title: str, section: str, source: Source, per: Source) -> Column:
    """Return a column of ratios."""
    return Column(title, section, source, per, "")


KIT, KIT_CPU = Source("kit"), Source("kit", kind="cpu")
WRONG, WRONG_CPU = Source("kit", "wrong"), Source("kit", "wrong", "cpu")
FLOOR_CPU = Source("floor", kind="cpu")
RIGHT_CPU = Column("right: processor time", "kit", KIT_CPU)
RIGHT_WALL = Column("right: by the clock", "kit", KIT)
WRONG_WALL = Column("wrong: by the clock", "kit", WRONG)
WRONG_TO_RIGHT = ratio("wrong against right", "kit", WRONG_CPU, KIT_CPU)
TWO_JOBS = ratio("all jobs against one", "kit", Source(ONE_JOB), KIT)
TO_FLOOR = ratio("times the floor", "kit", KIT_CPU, FLOOR_CPU)
FIRST = Column("first report", "kit", Source("kit", FIRST_REPORT), unit="s")
CHECKED = Column("`grader check` of one exercise", "check", Source(CHECK), unit="s")
WATCHED = Column("`grader watch` after a save", "watch", Source(WATCH), unit="s")
TIMES = {key: ratio("times", "others", Source(key), KIT) for key in ("pytest", "nbgrader")}
TABLES: dict[str, list[Column]] = {
    "cost": [
        RIGHT_CPU,
        RIGHT_WALL,
        Column("wrong: processor time", "kit", WRONG_CPU),
        WRONG_WALL,
        WRONG_TO_RIGHT,
        TWO_JOBS,
        Column("the floor: processor time", "kit", FLOOR_CPU),
        TO_FLOOR,
    ],
    "others": [
        Column("this kit", "others", KIT),
        Column("one pytest process", "others", Source("pytest")),
        TIMES["pytest"],
        ratio("in processor time", "others", Source("pytest", kind="cpu"), KIT_CPU),
        Column("`nbgrader autograde`", "others", Source("nbgrader")),
        TIMES["nbgrader"],
        ratio("in processor time", "others", Source("nbgrader", kind="cpu"), KIT_CPU),
    ],
    "waiting": [FIRST, CHECKED, Column("`import torch` alone", "check", Source(IMPORT), unit="s"), WATCHED],
    "parts": [Column(part, "parts", Source(part, kind="cpu")) for part in PARTS],
}


@dataclass(frozen=True)
class Target:
    """Something that the kit should reach.

    Attributes:
        what: In words.
        column: The number.
        limit: How much.
        at_most: Whether the number should be the limit at most; at least if not.
        in_each: Whether every assignment should reach it, or all of them together.
    """

    what: str
    column: Column
    limit: float
    at_most: bool = True
    in_each: bool = False


TARGETS = (
    Target("processor time of a right submission, mean", RIGHT_CPU, 170),
    Target("the same in every assignment", RIGHT_CPU, 250, in_each=True),
    Target("processor time of a wrong submission against a right one", WRONG_TO_RIGHT, 1.5, in_each=True),
    Target("a right submission by the clock, mean", RIGHT_WALL, 170 / 2 * 1.1),
    Target("a wrong submission by the clock, mean", WRONG_WALL, 170 / 2 * 1.1 * 1.5),
    Target("as many jobs as cores against one", TWO_JOBS, 1.8, at_most=False),
    Target("processor time against the floor", TO_FLOOR, 2, in_each=True),
    Target("throughput against one pytest process a submission", TIMES["pytest"], 12, at_most=False, in_each=True),
    Target("the same over all assignments", TIMES["pytest"], 20, at_most=False),
    Target("throughput against `nbgrader autograde`", TIMES["nbgrader"], 15, at_most=False, in_each=True),
    Target("the same over all assignments", TIMES["nbgrader"], 25, at_most=False),
    Target("start to first report", FIRST, 2.5, in_each=True),
    Target("`grader check` of one exercise", CHECKED, 1.6, in_each=True),
    Target("`grader watch`: from a save to its verdict", WATCHED, 0.3, in_each=True),
)


@dataclass(frozen=True)
class Asked:
    """A target beside what was measured, and whether that is enough."""

    what: str
    asked: str
    found: str
    verdict: str


def shown(number: float, unit: str = "") -> str:
    """Return a number with three digits or so, as a page shows it."""
    digits = 0 if abs(number) >= 100 else 1 if abs(number) >= 10 else 2
    return f"{number:.{digits}f}{unit and ' ' + unit}"


def ranged(found: Spread | None, unit: str = "") -> str:
    """Return a median with its range: `3.10 (2.95 to 3.20)`; one round has no range."""
    if found is None:
        return "-"
    if found.rounds == 1:
        return f"{shown(found.median, unit)} (one round)"
    return f"{shown(found.median, unit)} ({shown(found.low)} to {shown(found.high)})"


def median(found: Spread | None) -> str:
    """Return a median alone."""
    return "-" if found is None else shown(found.median)


def asked_of(measured: Measured) -> list[Asked]:
    """Hold the figures against what the kit should reach; what was not measured is not judged."""
    found = []
    for target in TARGETS:
        section = measured.get(target.column.section)
        names = section.assignments if section else []
        unit = target.column.unit
        asked = f"at {'most' if target.at_most else 'least'} {target.limit:.3g} {unit or 'times'}"
        asked += " in each" if target.in_each else ""
        spreads = [(each, name) for name in names if (each := target.column.of(measured, [name]))]
        if not spreads:
            found.append(Asked(target.what, asked, "-", NOT_MEASURED))
            continue
        worst, name = (max if target.at_most else min)(spreads, key=lambda pair: pair[0].median)
        together = target.column.of(measured, names)
        judged = worst if target.in_each or together is None else together
        met = judged.median <= target.limit if target.at_most else judged.median >= target.limit
        told = ranged(judged, unit) + (f" in {name}" if target.in_each else "")
        found.append(Asked(target.what, asked, told, "met" if met else "missed"))
    watched = measured["memory"].memory if "memory" in measured else None
    asked = f"growth of at most {GROWTH_AT_MOST:.0%}"
    if watched is None:
        return [*found, Asked("memory over a long run", asked, "-", NOT_MEASURED)]
    grown = growth(watched)
    what = f"memory over {watched.size} submissions in one run"
    return [*found, Asked(what, asked, f"{grown:+.1%}", "met" if grown <= GROWTH_AT_MOST else "missed")]


def growth(memory: Memory) -> float:
    """Return by what share parent and jail together grew from the first tenth of a run to the last."""
    early = memory.parent_early + memory.jail_early
    return (memory.parent_late + memory.jail_late - early) / early


def render(measured: Measured) -> str:
    """Return the page."""
    loader = jinja2.Environment(undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
                                keep_trailing_newline=True, autoescape=False)  # fmt: skip
    template = loader.from_string(TEMPLATE.read_text(encoding="utf-8"))
    machines: dict[Machine, list[str]] = {}
    for name, section in measured.items():
        machines.setdefault(section.machine, []).append(name)
    only = {"otter": "`otter run`", "kit in nbgrader": "this kit in `nbgrader autograde`"}
    return template.render(
        measured=measured,
        machines=machines,
        tables=TABLES,
        asked=asked_of(measured),
        sides=described(),
        first_only={name: [Column("", "others", Source(side)), ratio("", "others", Source(side), KIT),
                           ratio("", "others", Source(side, kind="cpu"), KIT_CPU)] for side, name in only.items()},
        median=median, ranged=ranged, growth=growth, busy={n: s.others for n, s in measured.items() if s.others > BUSY},
    )  # fmt: skip


def places(home: Path) -> tuple[Path, Path]:
    """Return the file of the figures and that of the page; outside of the repository both lie in one folder."""
    if home == HOME:
        return home / "benchmarks" / "figures.json", home / "docs" / "performance.md"
    return home / "figures.json", home / "performance.md"


def write(measured: Measured, figures: Path, page: Path) -> None:
    """Write the figures, one to a line, and the page that is made of them."""
    parts = []
    for name, section in measured.items():
        whole = asdict(section)
        rows = ",\n".join(f"   {json.dumps(list(row.values()))}" for row in whole.pop("figures"))
        parts.append(f' {json.dumps(name)}: {{\n  "figures": [\n{rows}\n  ],\n  {json.dumps(whole)[1:-1]}\n }}')
    figures.parent.mkdir(parents=True, exist_ok=True)
    figures.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")
    page.write_text(render(read(figures)), encoding="utf-8")


def read(figures: Path) -> dict[str, Section]:
    """Return the figures of a file."""
    found: dict[str, Any] = json.loads(figures.read_bytes())
    return {
        name: Section(
            machine=Machine(**each["machine"]),
            others=each["others"],
            figures=[Figure(*row) for row in each["figures"]],
            left_out=each["left_out"],
            versions=each["versions"],
            memory=None if each["memory"] is None else Memory(**each["memory"]),
        )
        for name, each in found.items()
    }


if __name__ == "__main__":  # after a change of the template: the same figures on a new page
    write(read(places(HOME)[0]), *places(HOME))
