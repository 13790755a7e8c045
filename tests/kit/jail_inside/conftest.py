"""A worker on each tier that this machine proves, which runs any text."""

import pytest

from ..raw_jails import ROOT, Jails, raw_worker


@pytest.fixture(scope="module")
def jails():
    """Open each tier's jail at most once for all tests of a file."""
    found = Jails(secret_paths=[ROOT / "solutions", ROOT / "tests", ROOT / "grader"])
    yield found
    found.close()


@pytest.fixture(params=["namespaces", "landlock", "no-open"])
def jail(request, jails):
    """A tier's jail; the test is skipped with the reason where the tier cannot be proven."""
    return jails(request.param)


@pytest.fixture
def worker(jail):
    """One worker of it."""
    with raw_worker(jail) as worker:
        yield worker
