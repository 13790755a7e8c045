"""The course and the class of this folder's tests."""

from ...support.classes.class_runs import course, klass  # noqa: F401  # fixtures
