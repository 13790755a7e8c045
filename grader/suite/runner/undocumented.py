"""What the kit uses of pytest that its documentation does not promise; a canary test names what a new version broke."""

from pathlib import Path

import pytest


def end_in_fork(session: pytest.Session, report: Path) -> None:
    """End a session in a fork of the process that collected it, so that pytest-json-report writes its report there."""
    session.config.option.json_report_file = str(report)
    session.config.hook.pytest_sessionfinish(session=session, exitstatus=pytest.ExitCode.OK)
