"""A student's folder of the tiny course, and a kernel in it."""

from ...support.notebooks.kernel_folders import folder, in_a_second, running  # noqa: F401  # fixtures
