"""Where a machine or a container is too small for a run, that is said, and it is taken from no student."""

import pytest

from grader.limits import GIB, Limits
from grader.system import machine


@pytest.mark.parametrize(
    ("memory", "processes", "count"),
    [(None, None, 0), (4 * GIB, 24, 0), (4 * GIB - 1, 24, 1), (4 * GIB, 23, 1), (0, -3, 2)],
)
def test_each_shortage_is_one_sentence(monkeypatch, memory, processes, count):
    monkeypatch.setattr(machine, "free_memory", lambda: memory)
    monkeypatch.setattr(machine, "free_processes", lambda: processes)
    assert len(machine.shortages(4, Limits(memory_bytes=GIB))) == count


@pytest.mark.parametrize("group", ["0::/a/b\n", "7:memory:/a/b\n4:pids:/a/b\n"])
def test_the_smallest_limit_of_all_control_groups_counts(monkeypatch, tmp_path, group):
    version = 1 if "memory" in group else 2
    memory, pids = tmp_path / ("memory" if version == 1 else ""), tmp_path / ("pids" if version == 1 else "")
    name = "memory.limit_in_bytes" if version == 1 else "memory.max"
    for folder in (memory / "a" / "b", pids / "a" / "b"):
        folder.mkdir(parents=True, exist_ok=True)
    (memory / "a" / name).write_text("1000\n")
    (memory / "a" / "b" / name).write_text("max\n")
    (pids / "a" / "b" / "pids.max").write_text("50\n")
    (pids / "a" / "b" / "pids.current").write_text("20\n")
    real = machine._text
    monkeypatch.setattr(machine, "_text", lambda path: group if str(path) == "/proc/self/cgroup" else real(path))
    monkeypatch.setattr(machine, "CGROUPS", tmp_path)
    assert machine.free_memory() == 1000
    assert machine.free_processes() == 30
