"""Opens the jail of a run over a course: what must not be readable from it, and what reports say of it."""

import importlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from grader.course.layout import Course
from grader.jail import TIERS, Jail, open_jail
from grader.limits import Limits
from grader.results.report import Fact
from grader.system.machine import make_room_for_files

SPARE_WORKERS = 2
MANY = 8
"""Submissions whose workers cost together what making them cheaper costs, on a machine that has memory to spare."""


def import_torch() -> None:
    """Import torch, pytest and what else grading needs."""
    importlib.import_module("grader.grading.suite_run")


def open_course_jail(
    course: Course,
    tier: str,
    limits: Limits,
    device: str,
    jobs: int,
    submissions: int,
    paths: Iterable[Path],
    meanwhile: Callable[[], None] = import_torch,
) -> Jail:
    """Open a jail for grading so many submissions (`jobs`) at once.

    Args:
        course: Its folders must not be readable from the jail.
        tier: `auto`, a tier by name, or `none`.
        submissions: How many there are, about.
        paths: What else must not be readable: the class, and where its reports go.
        meanwhile: Called while the jail's own process imports torch, which takes a second; the grader needs it, too.

    Raises:
        GraderError: It can't be had; see `grader.jail.open_jail`.
    """
    make_room_for_files()
    course.secret()  # made now, so that the probe tries to read it
    return open_jail(
        tier,
        limits=limits,
        device=device,
        pool=min(jobs, submissions) * 2 + SPARE_WORKERS,
        many=submissions >= MANY,
        extra_packages=course.settings.extra_packages,
        secret_paths=[*course.secret_paths, *(path.absolute() for path in paths)],
        meanwhile=meanwhile,
    )


def weaker_than_before(before: str | None, now: str) -> list[str]:
    """Return a sentence where a run's tier is weaker than that of the run before it, where that is known, or none."""
    ranks = [*TIERS, "none"]
    if before not in ranks or ranks.index(now) <= ranks.index(before):
        return []
    return [
        f"Student code was shut in by the tier {now} in this run, and by the stronger tier {before} in the one before; "
        "`grader doctor` says what this machine offers."
    ]


def isolation_of(jail: Jail) -> dict[str, Fact]:
    """Return how student code is shut in, as reports say it."""
    isolation: dict[str, Any] = msgspec.to_builtins(jail.isolation)
    del isolation["attempts"]  # their number depends on how many files the machine has
    return isolation
