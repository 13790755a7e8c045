"""Each tier's jail, opened once for all tests that leave it as it was, and a worker in it that runs any text."""

import pytest

from .raw_jails import ROOT, TIERS, Jails, raw_worker


@pytest.fixture(scope="session")
def jails():
    """Open each tier's jail at most once."""
    found = Jails(pool=2, secret_paths=[ROOT / "solutions", ROOT / "tests", ROOT / "grader"])
    yield found
    found.close()


@pytest.fixture(params=TIERS)
def jail(request, jails):
    """A tier's jail; the test is skipped with the reason where the tier cannot be proven."""
    return jails(request.param)


@pytest.fixture
def worker(jail):
    """One worker of it."""
    with raw_worker(jail) as worker:
        yield worker
