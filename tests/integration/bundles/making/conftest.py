"""A secret and a wheel for every bundle, and the bundles of the frozen course's first assignment."""

import pytest

from grader.bundles import content

from ....support.in_a_bundle import ONE_WHEEL, SECRET, bundles_of_the_first_assignment, files_of


@pytest.fixture(autouse=True)
def secret(monkeypatch):
    """A teacher's secret, and a wheel that is built once for all tests."""
    monkeypatch.setenv("GRADER_SECRET", SECRET)
    monkeypatch.setattr(content, "build_wheel", ONE_WHEEL)


@pytest.fixture(scope="module")
def bundles():
    """The files of each platform's bundle for the first assignment of the frozen course."""
    return {platform: files_of(data) for platform, data in bundles_of_the_first_assignment().items()}
