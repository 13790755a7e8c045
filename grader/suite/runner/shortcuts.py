"""Spares every check of every submission what pytest would work out anew each time, without leaving pytest.

Three habits of pytest cost a check more than the student's own code does: looking up fixtures that this kit makes
itself, looking for marks that no check carries, and describing a pass at length. Each is met here through a door that
pytest or pytest-json-report leaves open for plugins, and only where the outcome is the same.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from pytest_jsonreport.plugin import JSONReport

from grader.suite.core import fixtures

from .plugin import GradingPlugin
from .pytest_internals import fixtures_of, reporter_of
from .stages import shorten_failures

RUNNING = (
    "pytest_runtest_protocol",
    "pytest_runtest_setup",
    "pytest_runtest_call",
    "pytest_runtest_teardown",
    "pytest_pyfunc_call",
)
PYTESTS_OWN = frozenset({"assertion", "python", "runner"})
SKIPPING_MARKS = ("skip", "skipif", "xfail")


def drop_idle_plugins(config: pytest.Config, items: Sequence[pytest.Item]) -> None:
    """Unregister pytest's plugin for skip and xfail marks where no check carries one; it looks at each three times."""
    if not any(map(carries_skipping_mark, items)):
        config.pluginmanager.unregister(name="skipping")


def carries_skipping_mark(item: pytest.Item) -> bool:
    """Tell whether a mark has a say in whether an item is run, or in what its end means."""
    return any(item.get_closest_marker(name) for name in SKIPPING_MARKS)


class WithoutStages(JSONReport):  # type: ignore[misc]  # the plugin comes without types
    """pytest-json-report as it is, but for the hooks around a check's stages, which only gather logs and output.

    A raw report holds neither, so they come and go three times a check for nothing.
    """

    pytest_runtest_setup = pytest_runtest_call = pytest_runtest_teardown = None
    pytest_addhooks = None  # it has said which hooks it brings when it was registered first


def drop_stage_hooks(config: pytest.Config) -> None:
    """Have pytest-json-report leave the stages alone, where it was told to leave out what it gathers there."""
    reporter = reporter_of(config)
    if type(reporter) is JSONReport and {"log", "streams"} <= set(config.option.json_report_omit):
        config.pluginmanager.unregister(reporter)
        reporter.__class__ = WithoutStages
        config.pluginmanager.register(reporter)


def is_run_plainly(item: pytest.Item) -> bool:
    """Tell whether nobody but pytest's own plugins, its report and the kit's plugin has a say in how an item is run.

    Only then may any of it be done at another time, where a hook of a conftest.py would not be asked.
    """
    hooks = (getattr(item.ihook, name) for name in RUNNING)
    own = PYTESTS_OWN if carries_skipping_mark(item) else PYTESTS_OWN | {"skipping"}
    others = [each for hook in hooks for each in hook.get_hookimpls() if each.plugin_name not in own]
    return all(isinstance(each.plugin, JSONReport | GradingPlugin) for each in others)


def own_fixtures(item: pytest.Item) -> dict[str, Callable[[], Any]]:
    """Return how to make each fixture of this kit that an item asks for by name, and that no suite has overridden."""
    known = fixtures_of(item)
    return {name: maker for name, maker in fixtures.MAKERS.items() if name in known and known[name][-1].func is maker}


def prepare(session: pytest.Session, items: Sequence[pytest.Item]) -> None:
    """Work out in the parent what is the same for every submission."""
    session.gethookproxy = functools.cache(session.gethookproxy)  # type: ignore[assignment]  # same calls
    for item in items:
        _ = item.location
        item.keywords = dict(item.keywords)  # each report asks all of its parents for theirs
        shorten_failures(item)
