"""No test leaves anything behind for the next one."""

from ...support.exercises.small_suites import nothing_stays  # noqa: F401  # the fixture
