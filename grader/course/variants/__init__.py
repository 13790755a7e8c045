"""Reads the right and wrong variants of a solution; what authors import to mark them."""

from .variant_marks import helper, mistake, right, solution

__all__ = ["helper", "mistake", "right", "solution"]
