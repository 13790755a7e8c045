"""Measures what grading costs, beside other ways to grade the same submissions. `make bench` runs all of it."""
