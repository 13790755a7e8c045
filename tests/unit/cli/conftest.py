"""The course and the class of this folder's tests."""

from ...support.class_runs import course, klass  # noqa: F401  # fixtures
