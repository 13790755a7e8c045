"""Formats of a whole class: gradebooks made or filled in."""
