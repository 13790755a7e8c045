"""What the kit uses of pytest that its documentation does not promise; a canary test names what a new version broke."""

import msgspec
import pytest


def end_in_fork(session: pytest.Session) -> bytes:
    """End a session in a fork of the process that collected it, and return the report of pytest-json-report."""
    session.config.hook.pytest_sessionfinish(session=session, exitstatus=pytest.ExitCode.OK)
    return msgspec.json.encode(session.config._json_report.report, enc_hook=str)  # type: ignore[attr-defined]  # the plugin's
