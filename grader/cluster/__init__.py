"""Grades a class on many machines: Dask carries batches to nodes, which grade them in jails of their own.

Nothing else imports this package; `grader cluster grade` is its only way in.
"""
