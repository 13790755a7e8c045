"""No test of the suites leaves anything behind for the next one."""

from ...support.exercises.small_suites import nothing_stays  # noqa: F401  # a fixture
