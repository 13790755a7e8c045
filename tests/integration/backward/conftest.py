"""Tests that run a backward pass in the tests' own process: they come last in it (see `tests/support/rings.py`).

torch refuses a backward pass in every process that is forked later from one that has run its own, and suites are run in
such processes.
"""

from ...support.exercises.small_suites import nothing_stays  # noqa: F401  # the fixture
