"""Each tier's jail, opened once for the tests of a file, and a worker in it that runs any text."""

import pytest

from .raw_jails import ROOT, TIERS, Jails, raw_worker


@pytest.fixture(scope="module")
def jails():
    """Open each tier's jail at most once for the tests that leave it as it was."""
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
