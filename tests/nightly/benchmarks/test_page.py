"""The page that the figures make."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from benchmarks import page
from benchmarks.__main__ import SECTIONS
from benchmarks.machine import Machine
from benchmarks.measure import FIRST_REPORT, LANES, Figure
from benchmarks.memory import Memory
from benchmarks.page import TARGETS, Section, asked_of, growth, render
from benchmarks.sides.environment import pinned

from .class_scores import ASSIGNMENT

MACHINE = Machine("A processor", 2, 8.0, "Linux 6", "3.11.7", "torch 2.13.0", "2026-11-21")
SECOND = "02_trainable_attention"


def measured() -> dict[str, Section]:
    """Return figures that never were measured: the second assignment costs three times the first, rounds vary."""
    kit, others = [], []
    for name, much in ((ASSIGNMENT, 1.0), (SECOND, 3.0)):
        for number, slow in enumerate((1.0, 2.0, 1.5)):
            put = partial(Figure, name, round=number)
            ours = put("kit", "right", wall=0.03 * much * slow, cpu=0.05 * much * slow)
            kit += [
                ours,
                put("kit", "wrong", wall=0.06 * slow, cpu=0.1 * slow),
                put("kit", FIRST_REPORT, wall=2.0 + much, cpu=9.0),
                put("one job", "right", wall=0.06 * much * slow, cpu=0.05 * much),
                put("floor", "right", wall=0.04 * slow, cpu=0.04 * slow),
            ]
            if number < 2:
                others += [ours, put("pytest", "right", wall=0.6 * slow, cpu=0.5 * slow)]
    left_out = {"otter": "otter-grader 7.0.0 could not be installed here (found: none)."}
    versions = {"pytest": {"pytest-json-report": "1.5.0"}}
    return {
        "kit": Section(MACHINE, 0.0, kit),
        "others": Section(MACHINE, 0.02, others, left_out, versions),
        "memory": Section(MACHINE, 0.0, memory=Memory(2000, 70.0, 100.0, 101.0, 200.0, 201.0, 900.0)),
    }


def asked(what: str) -> list[tuple[str, str]]:
    """Return what was found of a target, and the verdict."""
    return [(each.found, each.verdict) for each in asked_of(measured()) if what in each.what]


def test_mean_is_of_the_assignments_and_its_range_of_the_rounds() -> None:
    """(50 + 150) / 2 in the first round, twice that in the second."""
    assert asked("of a right submission, mean") == [("150 ms (100 to 200)", "met")]


def test_what_is_asked_in_each_assignment_is_shown_for_the_worst() -> None:
    assert asked("against the floor") == [(f"3.75 (3.75 to 3.75) in {SECOND}", "missed")]
    assert asked("a wrong submission against") == [(f"2.00 (2.00 to 2.00) in {ASSIGNMENT}", "missed")]
    assert asked("first report") == [(f"5.00 s (5.00 to 5.00) in {SECOND}", "missed")]


def test_ratio_over_all_is_of_the_times_together() -> None:
    """1.2 s against 0.12 s, and not the mean of 20 and 6.67."""
    assert asked("against one pytest process") == [(f"6.67 (6.67 to 6.67) in {SECOND}", "missed")]
    assert asked("the same over all")[0] == ("10.0 (10.0 to 10.0)", "missed")


def test_what_was_not_measured_is_not_judged() -> None:
    assert asked("`nbgrader autograde`") == asked("`grader check`") == [("-", "not measured")]
    assert {each.verdict for each in asked_of({})} == {"not measured"}


def test_page_has_a_row_for_each_assignment() -> None:
    """Times, ratios, versions, memory and what is left out stand on the page."""
    text = render(measured())
    assert f"| `{ASSIGNMENT}` | 75.0 | 45.0 | 150 | 90.0 | 2.00 | 2.00 | 60.0 | 1.25 |" in text
    assert f"| `{SECOND}` | 225 | 135 | 150 | 90.0 | 0.67 | 2.00 | 60.0 | 3.75 |" in text
    assert f"| `{ASSIGNMENT}` | 45.0 | 900 | 20.0 | 10.0 | - | - | - |" in text
    assert "(pytest-json-report 1.5.0): `pytest` is started anew" in text
    assert "Left out, since it could not be run: otter. otter-grader 7.0.0 could not be installed" in text
    assert "| memory over 2000 submissions in one run | growth of at most 5% | +0.7% | met |" in text


def test_page_warns_of_a_busy_machine() -> None:
    """A section that was measured beside other work is named."""
    busy = measured() | {"others": replace(measured()["others"], others=0.5)}
    assert "Other work took 50 % of the processors while section others was measured" in render(busy)
    assert "Other work" not in render(measured())


def test_page_says_where_each_section_was_measured_if_not_in_one_place() -> None:
    moved = replace(measured()["memory"], machine=replace(MACHINE, date="2026-12-01"))
    assert "Sections memory:\nMeasured on 2026-12-01" in render(measured() | {"memory": moved})
    assert "Sections" not in render(measured())


def test_page_without_figures_says_so() -> None:
    assert "Nothing has been measured" in render({})


def test_growth_is_of_parent_and_jail_together() -> None:
    """302 MiB after 300."""
    watched = measured()["memory"].memory
    assert watched is not None
    assert growth(watched) == pytest.approx(2 / 300)


def test_figures_survive_their_file(tmp_path: Path) -> None:
    """What is written is read again, and the page is made of what was read."""
    figures, written = page.places(tmp_path)
    page.write(measured(), figures, written)
    assert page.read(figures) == measured()
    assert written.read_text(encoding="utf-8") == render(measured())


def test_committed_page_is_made_of_the_committed_figures() -> None:
    """No number of docs/performance.md was typed by hand."""
    figures, written = page.places(page.HOME)
    assert written.read_text(encoding="utf-8") == render(page.read(figures))


def test_every_target_is_about_a_section_that_is_measured() -> None:
    assert {target.column.section for target in TARGETS} <= set(SECTIONS)


def test_every_competitor_is_pinned() -> None:
    """Each package that a side needs has a version in requirements.txt, and none stands there for nobody."""
    needed = {name for lanes in LANES.values() for lane in lanes for name in lane.make().packages}
    assert needed == set(pinned())
