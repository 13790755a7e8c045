"""What the tests share that grade or run student code for real: jails and workers that stay open from test to test."""

from ..support.jails.kept_jails import kept_jails, kept_open  # noqa: F401  # fixtures
from ..support.workers.open_workers import warm_workers  # noqa: F401  # a fixture
