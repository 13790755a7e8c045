"""The fixtures of this folder."""

from ...support.classes.class_runs import course  # noqa: F401  # a fixture
