"""Formats of one submission, for platforms that run the grader themselves."""
