"""What the command line asks of a run over a class."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from grader.limits import Limits

ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""Must be set before torch is imported: a forked child hangs on threads that its parent had."""


@dataclass(frozen=True)
class GradeOptions:
    """What is asked for; None where the command line, whose help says more, says nothing.

    Attributes:
        course: A folder in the course.
        tier: How student code is shut in; `none` for not at all.
        layout: The platform whose download the paths are.
        raw: Where pytest-json-report's raw reports are kept.
        limits: Single limits by name.
        shuffle: What another order of the checks is drawn from; None for the suite's own.
        alone: The exercise that alone is run of single students, and once, by their name; the others of such a report
            are a `crash`.
        remember: Whether results are kept for later runs.
        on_nodes: Whether the nodes of a cluster grade, so that this machine needs no GPU for a run on one.
        new_class: Whether what earlier runs wrote is set aside first.
    """

    paths: Sequence[Path]
    output: Path
    course: Path
    assignment: str | None = None
    student: str | None = None
    layout: str | None = None
    jobs: int | None = None
    device: str | None = None
    language: str | None = None
    tier: str = "auto"
    raw: Path | None = None
    limits: dict[str, float | int] = field(default_factory=dict)
    shuffle: int | None = None
    alone: Mapping[str, str] = field(default_factory=dict)
    fresh: bool = False
    remember: bool = True
    on_nodes: bool = False
    new_class: bool = False


def merged_limits(limits: Limits, asked: dict[str, float | int]) -> Limits:
    """Return the course's limits with others put over them."""
    return msgspec.structs.replace(limits, **asked)


def utc_now() -> str:
    """Return the time in UTC by ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
