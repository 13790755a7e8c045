"""The ways to grade that are held against each other, one module each; `every` lists them in the order of the page."""

from benchmarks.sides.base import Side
from benchmarks.sides.floor import Floor
from benchmarks.sides.kit import Kit
from benchmarks.sides.kit_in_nbgrader import KitInNbgrader
from benchmarks.sides.nbgrader import Nbgrader
from benchmarks.sides.otter import Otter
from benchmarks.sides.single_pytest import SinglePytest

__all__ = ["Side", "every"]


def every() -> list[Side]:
    """Return one of each side; the kit comes first, since the others are held against it."""
    return [Kit(), Floor(), SinglePytest(), Otter(), Nbgrader(), KitInNbgrader()]
