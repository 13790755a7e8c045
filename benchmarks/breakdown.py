"""Where a submission's time goes: pytest, the checks, the calls, the fork, the jail, the reports.

`grader grade` runs in a process of this script's own, with stopwatches around its parts; each forked session writes
down its sections as it leaves. What neither the sessions nor the first process used is the jail's: the zygote, the
workers and the student's code in them. One submission at once, so that the times by the clock add up to the whole.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.classes import Answers, members, write_class
from benchmarks.errors import BenchmarkError
from benchmarks.figures import slope
from benchmarks.processes import ROOT, Spent, run, spent_on
from benchmarks.sections import Sections

SESSION = {
    "pytest": "pytest and the kit's plugin around the checks",
    "checks": "the checks' own computing: inputs, the solution beside, comparisons",
    "calls": "calls: packing arguments, unpacking answers",
    "waiting": "calls: sending, and waiting for the student's process",
    "load": "giving the text to the jail: reading which exercises it answers, running it",
    "raw": "pytest-json-report's raw report",
    "session": "the forked session's start and end",
}
PARENT = "the first process: reading, scoring, writing reports"
FORK = "fork, as the first process sees it"
JAIL = "the jail: zygote, workers, the student's code"


@dataclass(frozen=True)
class Row:
    """A part of a submission's way, in milliseconds; None where a part has no such time of its own."""

    part: str
    wall_ms: float | None
    cpu_ms: float | None


@dataclass(frozen=True)
class Run:
    """One timed run: what it cost as a whole, and its parts in seconds, summed over all sessions."""

    spent: Spent
    wall: dict[str, float]
    cpu: dict[str, float]


def measure(folder: Path, answers: Answers, *, size: int, large: int) -> list[Row]:
    """Return the parts of one further submission, the largest last but one; the last row is the whole."""
    small = timed_run(folder / "small", answers, size, size)
    whole = timed_run(folder / "large", answers, large, size)

    def further(of: Callable[[Run], float]) -> float:
        return slope(of(small), of(whole), size, large) * 1000

    names = {**SESSION, "fork": FORK}
    wall = {key: further(lambda r, key=key: r.wall.get(key, 0.0)) for key in names}  # type: ignore[misc]
    cpu = {key: further(lambda r, key=key: r.cpu.get(key, 0.0)) for key in (*names, "parent")}  # type: ignore[misc]
    all_wall, all_cpu = further(lambda r: r.spent.wall), further(lambda r: r.spent.cpu)
    rows = [Row(title, wall[key], cpu[key]) for key, title in names.items()]
    rows.append(Row(PARENT, all_wall - sum(wall.values()), cpu["parent"]))
    rows.append(Row(JAIL, None, all_cpu - sum(cpu.values())))
    return [*rows, Row("together", all_wall, all_cpu)]


def timed_run(folder: Path, answers: Answers, size: int, period: int) -> Run:
    """Grade a class with stopwatches and read what they say.

    Raises:
        BenchmarkError: No session left its times.
    """
    folder.mkdir(parents=True)
    write_class(folder / "class", answers.assignment, members(answers, size, period))
    (folder / "notes").mkdir()
    spent = spent_on(lambda: run([sys.executable, "-m", "benchmarks.breakdown", str(folder)]))
    notes = [json.loads(file.read_bytes()) for file in sorted((folder / "notes").glob("*.json"))]
    noted = sum(note["graded"] for note in notes)
    if noted < size:
        raise BenchmarkError(
            f"Of {size} submissions only {noted} left their times; was the way a session ends changed?"
        )
    wall: dict[str, float] = {}
    cpu: dict[str, float] = {}
    for note in notes:
        for into, key in ((wall, "wall"), (cpu, "cpu")):
            for name, seconds in note[key].items():
                into[name] = into.get(name, 0.0) + seconds
    return Run(spent, wall, cpu)


def grade_with_stopwatches(folder: Path) -> int:
    """Be the process that `timed_run` starts."""
    import pytest

    from grader.cli import status
    from grader.suite import child, plugin, raw_report
    from grader.suite.plugin import GradingPlugin
    from grader.workers.connection import Connection
    from grader.workers.session import Session

    sections, first = Sections("session"), os.getpid()
    fork, leave, protocol = os.fork, os._exit, GradingPlugin.pytest_runtest_protocol
    forks, graded, grade = Sections("other"), list[int](), child.grade

    def timed_protocol(self: GradingPlugin, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        sections.enter("pytest")
        try:
            return protocol(self, item, nextitem)
        finally:
            sections.leave()

    timed_protocol.__dict__.update(vars(protocol))  # what makes it a hook of pytest

    def counted_grade(job: Any, *rest: Any) -> Any:
        graded.append(job.number)
        return grade(job, *rest)

    def timed_fork() -> int:
        forks.enter("fork")
        try:
            return fork()
        finally:
            forks.leave()

    def note(name: str, wall: dict[str, float], cpu: dict[str, float], graded: int = 0) -> None:
        text = json.dumps({"wall": wall, "cpu": cpu, "graded": graded})
        (folder / "notes" / f"{name}.json").write_text(text, encoding="utf-8")

    def end(code: int) -> None:
        if os.getpid() != first:
            sections.book()
            note(f"session-{os.getpid()}", sections.wall, sections.cpu, len(graded))
        leave(code)

    os.register_at_fork(after_in_child=sections.begin)
    os.fork, os._exit = timed_fork, end  # type: ignore[assignment]
    child.grade = counted_grade
    GradingPlugin.pytest_runtest_protocol = timed_protocol  # type: ignore[method-assign]
    Session.request = sections.within("calls", Session.request)  # type: ignore[method-assign]
    Session.request_each = sections.within("calls", Session.request_each)  # type: ignore[method-assign]
    Session.ask_together = sections.within("calls", Session.ask_together)  # type: ignore[method-assign]
    plugin.run_together = sections.within("checks", plugin.run_together)
    Session.ready = sections.within("load", Session.ready)  # type: ignore[method-assign]
    Session.analyse = sections.within("load", Session.analyse)  # type: ignore[method-assign]
    Connection.ask = sections.within("waiting", Connection.ask, unless="load")  # type: ignore[method-assign]
    Connection.ask_each = sections.within("waiting", Connection.ask_each)  # type: ignore[method-assign]
    raw_report.write = sections.within("raw", raw_report.write)
    course = ["--course", str(ROOT), "--jobs", "1"]
    code = status(["grade", "--fresh", str(folder / "class"), "--output", str(folder / "reports"), *course])
    spent, forked = time.process_time(), (forks.wall.get("fork", 0.0), forks.cpu.get("fork", 0.0))
    note("first", {"fork": forked[0]}, {"fork": forked[1], "parent": spent - forked[1]})
    return code


if __name__ == "__main__":
    sys.exit(grade_with_stopwatches(Path(sys.argv[1])))
