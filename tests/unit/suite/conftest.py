"""Student code runs in workers that are threads here, and no test leaves anything behind for the next one."""

from ...support.exercises.small_suites import graded, nothing_stays  # noqa: F401  # fixtures
from ...support.workers.thread_workers import in_threads  # noqa: F401  # the fixture
