"""Notebooks of nbgrader's course: their cells' marks, and the reports that are shown in them."""
