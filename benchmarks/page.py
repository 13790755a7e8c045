"""Writes docs/performance.md from measured figures, so that no number on it was ever typed.

The figures lie in benchmarks/figures.json; a test renders them and asks that the page is just that. After a change of
the template `python -m benchmarks.page` writes the page anew from them.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import jinja2

from benchmarks.breakdown import Row
from benchmarks.figures import Spread, ratios, spread
from benchmarks.machine import BUSY, Machine
from benchmarks.memory import Memory
from benchmarks.processes import ROOT
from benchmarks.side_by_side import Compared, Rounds
from benchmarks.starting import Starting

FIGURES = ROOT / "benchmarks" / "figures.json"
PAGE = ROOT / "docs" / "performance.md"
TEMPLATE = Path(__file__).resolve().parent / "performance.md.jinja"
FASTER = {"nbgrader": (60, 100), "otter": (35, 50), "pytest": (30, 40)}
FLOOR_AT_MOST = 2.0
TWO_JOBS_AT_LEAST = 1.8
FIRST_AT_MOST_S = 4.0
GROWTH_AT_MOST = 0.05


@dataclass(frozen=True)
class Measured:
    """All that one run of the benchmarks came to."""

    machine: Machine
    assignment: str
    compared: Compared
    starting: Starting
    rows: list[Row]
    memory: Memory | None


@dataclass(frozen=True)
class Asked:
    """Something that the kit should reach: what, how much, what was measured, and whether that is enough."""

    what: str
    asked: str
    found: str
    met: bool


def shown(number: float, unit: str = "") -> str:
    """Return a number with three digits or so, as a page shows it."""
    digits = 0 if abs(number) >= 100 else 1 if abs(number) >= 10 else 2
    return f"{number:.{digits}f}{unit and ' ' + unit}"


def ranged(found: Spread, unit: str = "") -> str:
    """Return a median with its range: `3.10 (2.95 to 3.20)`; one round has no range."""
    if found.rounds == 1:
        return f"{shown(found.median, unit)} (one round)"
    return f"{shown(found.median, unit)} ({shown(found.low)} to {shown(found.high)})"


def faster_than(side: Rounds, kit: Rounds) -> Spread:
    """Return how many times longer a side takes for a further submission by the clock, round by round."""
    return spread(ratios(side.further_wall, kit.further_wall))


def dearer_than(side: Rounds, kit: Rounds) -> Spread:
    """Return how many times more processor time a side takes for a further submission."""
    return spread(ratios(side.further_cpu, kit.further_cpu))


def asked_of(measured: Measured) -> list[Asked]:
    """Hold the figures against what the kit should reach; what was not measured is left out."""
    sides, starting = measured.compared.sides, measured.starting
    found = []
    for key, (least, aim) in FASTER.items():
        if key in sides:
            times = faster_than(sides[key], sides["kit"])
            what = f"throughput against {sides[key].name}"
            asked = f"at least {least} times (aim: {aim})"
            told = f"{ranged(times)}; {shown(dearer_than(sides[key], sides['kit']).median)} in processor time"
            found.append(Asked(what, asked, told, times.median >= least))
    if "floor" in sides:
        cost = spread(ratios(sides["kit"].further_cpu, sides["floor"].further_cpu))
        asked = f"at most {FLOOR_AT_MOST:g} times"
        found.append(Asked("processor time against the floor", asked, ranged(cost), cost.median <= FLOOR_AT_MOST))
    if starting.two_jobs_s:
        gain = spread(ratios(starting.one_job_s, starting.two_jobs_s))
        asked = f"at least {TWO_JOBS_AT_LEAST:g} times"
        found.append(Asked("two at once against one", asked, ranged(gain), gain.median >= TWO_JOBS_AT_LEAST))
    if starting.first_s:
        first = spread(starting.first_s)
        asked = f"at most {FIRST_AT_MOST_S:g} s"
        found.append(Asked("start to first report", asked, ranged(first, "s"), first.median <= FIRST_AT_MOST_S))
    if measured.memory is not None:
        grown = growth(measured.memory)
        asked = f"growth of at most {GROWTH_AT_MOST:.0%}"
        what = f"memory over {measured.memory.size} submissions in one run"
        found.append(Asked(what, asked, f"{grown:+.1%}", grown <= GROWTH_AT_MOST))
    return found


def growth(memory: Memory) -> float:
    """Return by what share parent and jail together grew from the first tenth of a run to the last."""
    early = memory.parent_early + memory.jail_early
    return (memory.parent_late + memory.jail_late - early) / early


def render(measured: Measured) -> str:
    """Return the page."""
    loader = jinja2.Environment(undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
                                keep_trailing_newline=True, autoescape=False)  # fmt: skip
    helpers = {"shown": shown, "ranged": ranged, "spread": spread, "faster_than": faster_than}
    helpers |= {"dearer_than": dearer_than, "growth": growth, "ratios": ratios}
    template = loader.from_string(TEMPLATE.read_text(encoding="utf-8"))
    busy = spread(measured.compared.others) if measured.compared.others else None
    return template.render(
        **helpers,
        **{name: getattr(measured, name) for name in ("machine", "assignment", "compared", "starting", "rows")},
        memory=measured.memory,
        asked=asked_of(measured),
        kit=measured.compared.sides["kit"],
        busy=busy,
        disturbed=busy is not None and busy.median > BUSY,
        few=len(measured.compared.others) < 3,
    )


def write(measured: Measured, page: Path = PAGE, figures: Path = FIGURES) -> None:
    """Write the figures and the page that is made of them."""
    figures.write_text(json.dumps(asdict(measured), indent=1) + "\n", encoding="utf-8")
    page.write_text(render(read(figures)), encoding="utf-8")


def read(figures: Path = FIGURES) -> Measured:
    """Return the figures of a file."""
    found: dict[str, Any] = json.loads(figures.read_bytes())
    compared = found["compared"]
    sides = {key: Rounds(**side) for key, side in compared["sides"].items()}
    return Measured(
        machine=Machine(**found["machine"]),
        assignment=found["assignment"],
        compared=Compared(**{**compared, "sides": sides}),
        starting=Starting(**found["starting"]),
        rows=[Row(**row) for row in found["rows"]],
        memory=None if found["memory"] is None else Memory(**found["memory"]),
    )


if __name__ == "__main__":  # after a change of the template: the same figures on a new page
    PAGE.write_text(render(read()), encoding="utf-8")
