"""The jail of each tier that is asked for (`--tier`), opened once for all tests, and a worker that runs any text."""

import pytest

from ...support.jails.raw_jails import ROOT, Jails, raw_worker


@pytest.fixture(scope="session")
def jails():
    """Open each tier's jail at most once."""
    opened = Jails(pool=2, secret_paths=[ROOT / "solutions", ROOT / "tests", ROOT / "grader"])
    yield opened
    opened.close()


@pytest.fixture
def jail(tier, jails):
    """A tier's jail; the test is skipped with the reason where the tier cannot be proven."""
    return jails(tier)


@pytest.fixture
def worker(jail):
    with raw_worker(jail) as worker:
        yield worker
