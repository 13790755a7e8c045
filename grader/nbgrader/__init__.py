"""Joins the kit to nbgrader: makes a course of nbgrader, and enters reports during `nbgrader autograde`.

nbgrader is an extra, so nothing else of the kit imports this package but for `course` and `needed`, which need none.
"""
