"""Jails that stay open from test to test, for tests that ask nothing of a jail but that it runs a student's code.

Opening one takes seconds of processor time, most of it to import torch. What it keeps out, how it is proven and how it
ends is asked by the tests in `jail/` and by those that start a grader as a process.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from grader.jail import Jail, open_jail


class KeptOpen:
    """Opens each kind of jail once.

    A kind is all that `open_jail` is told but the paths that a new jail proves to be out of reach, and how many workers
    are kept ready and expected.
    """

    def __init__(self) -> None:
        self._jails: dict[str, Jail] = {}

    def open(
        self, tier: str, *, pool: int, many: bool, secret_paths: Any, meanwhile: Callable[[], None], **options: Any
    ) -> Jail:
        """Return a jail of a kind; whoever closes it leaves it open."""
        kind = repr((tier, sorted(options.items())))
        if kind not in self._jails:
            jail = open_jail(tier, pool=pool, many=many, secret_paths=secret_paths, meanwhile=meanwhile, **options)
            jail.close = lambda: None  # type: ignore[method-assign]
            self._jails[kind] = jail
        else:
            meanwhile()
        return self._jails[kind]

    def close(self) -> None:
        for jail in self._jails.values():
            Jail.close(jail)


@pytest.fixture(scope="session")
def kept_open() -> Iterator[KeptOpen]:
    """Jails that serve all tests of a process that ask for no jail of their own."""
    jails = KeptOpen()
    yield jails
    jails.close()


@pytest.fixture(scope="module")
def kept_jails(kept_open: KeptOpen) -> Iterator[None]:
    """Let runs that a file's tests and fixtures start in their own process share their jails with other tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("grader.grading.jails.open_jail", kept_open.open)
        yield
