"""A student's folder of the tiny course, with hints in three levels."""

from ...support.classes.student_folders import folder, handed_out  # noqa: F401  # fixtures
