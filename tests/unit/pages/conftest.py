"""The fixtures of this folder."""

from ...support.class_runs import course  # noqa: F401  # a fixture
