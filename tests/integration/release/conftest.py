"""The release of the frozen course, made once for the tests of this folder."""

from ...support.frozen_release import course, quick_wheel, release  # noqa: F401  # fixtures
