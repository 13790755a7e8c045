"""Writes the first files of a course, an assignment or an exercise: an example that works, for its author to change."""
