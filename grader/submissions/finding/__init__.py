"""Finds the submissions under a path, whatever platform or person laid it out."""
