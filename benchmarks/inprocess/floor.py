"""Grades a class in one warm process without isolation: `python -m benchmarks.inprocess.floor ASSIGNMENT CLASS OUT`.

torch is imported and the suite collected once. Then pytest's own runner takes every submission through every check,
with no plugin that the kit does without, no fork, and a file of outcomes as the only thing written. Less than this no
grader that runs this suite by pytest can do, so it is the floor that the kit's processor time is held against.
"""

import gc
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest
import torch

from benchmarks.inprocess import plugin
from benchmarks.inprocess.plugin import InProcess
from grader.suite.runner import shortcuts
from grader.suite.runner.collect import INI, UNUSED


class Floor:
    """Runs the collected suite on one submission after another.

    Args:
        runner: Where the submissions are taken.
        place: The class.
        out: The folder of the outcomes.
    """

    def __init__(self, runner: InProcess, place: Path, out: Path) -> None:
        self._runner, self._place, self._out = runner, place, out

    def pytest_configure(self, config: pytest.Config) -> None:
        """Have failures described as briefly as the kit has them; pytest's own way reads sources for each."""
        for name, value in {"tbstyle": "native", "verbose": 0, "showlocals": False, "fulltrace": False}.items():
            if not hasattr(config.option, name):
                setattr(config.option, name, value)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Take the place of pytest's loop over the items of one run."""
        name = self._runner.assignment.name
        shortcuts.drop_idle_plugins(session.config, session.items)
        gc.collect()
        gc.freeze()
        for student in sorted(self._place.iterdir()):
            self._runner.take(student / self._runner.assignment.id / f"{name}.py")
            for item, following in zip(session.items, [*session.items[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            (self._out / f"{student.name}.json").write_text(json.dumps(self._runner.outcomes), encoding="utf-8")
        return True


def main(assignment: str, place: Path, out: Path) -> int:
    """Grade the class and write each submission's outcomes."""
    torch.set_num_threads(1)
    runner = InProcess(assignment)
    root = runner.assignment.visible.parents[1]
    arguments = ["--rootdir", str(root), "--confcutdir", str(root), "-c", str(INI), "--import-mode=importlib"]
    arguments += [argument for name in UNUSED for argument in ("-p", f"no:{name}")]
    suites = [str(runner.assignment.visible), str(runner.assignment.hidden)]
    shared = ModuleType("shared_fixtures")  # those of the plugin that depend on no submission
    vars(shared).update(draw=plugin.draw, golden=plugin.golden, reference=plugin.reference)
    code = pytest.main([*arguments, "--", *suites], plugins=[runner, Floor(runner, place, out), shared])
    return 0 if code in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) else int(code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])))
