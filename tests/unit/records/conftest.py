"""The course and the class of this folder's tests, and what a run may meet on its way."""

from ...support.classes.class_runs import course, klass, told  # noqa: F401  # fixtures
