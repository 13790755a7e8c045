"""A plugin of pytest: how tests are dealt out to processes that run side by side, and what all rings share.

It is no `conftest.py`, since one in `tests/` would be loaded where this course's suites grade.

`unit` starts no process but workers, `integration` does, `nightly` needs minutes or what few machines have; `course`
looks at this course and `attacks` at what submissions try. Files of a folder with a `conftest.py` share what it makes,
so they go to one process together. By file, port, folder or name no test may meet another one: each has a course, a
class and a secret of its own, or grades a copy of the frozen course with `--fresh`.
"""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from .approved import Recorder, refuses  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from xdist.scheduler.loadscope import LoadScopeScheduling

# How fast a busy machine makes examples says nothing about the kit.
settings.register_profile("kit", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kit")

os.environ["OMP_NUM_THREADS"] = "1"
"""Threads of torch that wait for each other do so busily; beside other processes that doubles what a test costs."""
os.environ.pop("GRADER_LANGUAGE", None)
os.environ["LANG"] = "C.UTF-8"
"""Whoever runs the tests, commands speak English."""

sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
"""Beside JupyterLab every import of jsonschema or nbformat would take 1 s for a grammar of web addresses."""

TESTS = Path(__file__).parents[1]
SUITES = ("hidden", "visible", "support")
"""Suites of a course are no tests of the kit, and what tests share is none either."""
TIERS = ("namespaces", "landlock", "no-open")
APART = ("waiting", "heavy")
"""The classes of attacks that take long, on the first tier."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let `make nightly` ask for the tiers of isolation that `make test` leaves out, and approve sentences anew."""
    parser.addoption("--tier", action="append", choices=[*TIERS, *APART], help="a tier to test (default: the first)")
    parser.addoption("--record", action="store_true", help="write the approved sentences anew")


def pytest_configure(config: pytest.Config) -> None:
    """Record sentences where that is asked for."""
    if config.getoption("record"):
        config.pluginmanager.register(Recorder())


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out what holds no tests of the kit."""
    return True if collection_path in [TESTS / name for name in SUITES] else None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that has an argument `tier`, or `arena`, for each tier that is asked for."""
    asked = metafunc.config.getoption("tier") or TIERS[:1]
    if any("tier" in str(mark.args[0]) for mark in metafunc.definition.iter_markers("parametrize")):
        return
    if "tier" in metafunc.fixturenames:
        metafunc.parametrize("tier", [name for name in asked if name not in APART])
    if "arena" in metafunc.fixturenames:
        metafunc.parametrize("arena", asked, scope="module")


def rank_of(item: pytest.Item) -> int:
    """Return when a test's file starts: the class of attacks first, since it takes longest; then in random order.

    Unit tests come last: they run backward passes in this process, after which torch refuses one in its forks.
    """
    return {"attacks": 0, "unit": 2}.get(item.path.relative_to(TESTS).parts[0], 1)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what must not come before others in a process at the end."""
    items.sort(key=rank_of)


def share_of(nodeid: str) -> str:
    """Return the name of the tests that go to one process together with this one: its file, or its folder.

    A folder is that of the outermost `conftest.py` below a ring's own.
    """
    file = nodeid.partition("::")[0]
    ring, *inner = Path(file).relative_to(TESTS.name).parent.parts
    folders = [TESTS.joinpath(ring, *inner[: depth + 1]) for depth in range(len(inner))]
    sharing = [str(folder) for folder in folders if ring != "unit" and (folder / "conftest.py").exists()]
    return sharing[0] if sharing else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> "LoadScopeScheduling | None":
    """Return what deals the tests out with `--dist loadscope`.

    The marks of `--dist loadgroup` would say the same, but pytest-xdist 3.8 does not see them with pytest 9.2.
    """
    if config.getvalue("dist") != "loadscope":
        return None
    from xdist.scheduler.loadscope import LoadScopeScheduling

    class Dealer(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return share_of(nodeid)

    config.option.loadscopereorder = False
    return Dealer(config, log)
