"""What the kit uses of pytest that its documentation does not promise does what it is for."""

import json
import re

import pytest

from grader.suite.runner.collect import INI
from grader.suite.runner.undocumented import end_in_fork

SUITE = "def test_right(): pass\ndef test_wrong(): assert 1 == 2\n"


def test_ending_a_session_once_more_gives_the_report_of_pytest_json_report(tmp_path):
    """As in a fork, which ends the session that its parent collected."""
    (tmp_path / "test_small.py").write_text(SUITE, encoding="utf-8")
    (tmp_path / "none.ini").write_text("[pytest]\n", encoding="utf-8")
    reports = []

    class Loop:
        def pytest_runtestloop(self, session):
            for item, following in zip(session.items, [*session.items[1:], None], strict=True):
                session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            reports.append(json.loads(end_in_fork(session)))
            return True

    arguments = ["-c", tmp_path / "none.ini", "--import-mode=importlib", "-p", "no:cacheprovider", tmp_path]
    arguments += ["-p", "pytest_jsonreport.plugin", "--json-report", "--json-report-file=none"]
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        pytest.main([*map(str, arguments)], [Loop()])
    assert [test["outcome"] for test in reports[0]["tests"]] == ["passed", "failed"]


def test_every_plugin_that_is_left_out_is_one_of_pytests():
    """A name that pytest does not know is left out in silence, and so the plugin would come back."""
    from _pytest.config import builtin_plugins

    unused = set(re.findall(r"-p no:(\w+)", INI.read_text(encoding="utf-8")))
    # `terminalreporter` is made as pytest begins, of the plugin `terminal`
    assert len(unused) == 11 and unused - builtin_plugins == {"terminalreporter"}
