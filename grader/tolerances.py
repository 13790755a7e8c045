"""The one table of how far an answer may be from the reference, by kind of comparison, dtype and device.

References are computed in float64, so what is left over is the rounding of the student's own arithmetic. A bound here
is wide enough for every style of a right answer that was tried (loops, einsum, a mask of -1e9, the root of d_k taken in
float32) and far below the smallest mistake that a suite looks for.
"""

from typing import Literal, NamedTuple

Kind = Literal["value", "module", "gradient", "sum", "extreme", "statistic"]


class Tolerance(NamedTuple):
    """|answer - expected| <= absolute + relative * |expected|, entry by entry.

    For gradients `relative` is taken of the largest gradient of the call: entry by entry, right ones fail in float32.
    """

    absolute: float
    relative: float


TABLE: dict[Kind, dict[str, Tolerance]] = {
    "value": {
        "float64": Tolerance(1e-6, 1e-6),
        "float32": Tolerance(1e-5, 1e-4),
        "float16": Tolerance(2e-3, 5e-3),
        "bfloat16": Tolerance(3e-2, 5e-2),
    },
    # Random weights before a softmax make scores of several tens, whose rounding the softmax passes on. Of many
    # thousand entries in right answers the worst was 1.6e-5; `absolute` is for each unit of the largest entry.
    "module": {
        "float64": Tolerance(1e-6, 1e-6),
        "float32": Tolerance(5e-5, 2e-4),
        "float16": Tolerance(5e-3, 1e-2),
        "bfloat16": Tolerance(5e-2, 6e-2),
    },
    "gradient": {
        "float64": Tolerance(1e-7, 1e-6),
        "float32": Tolerance(1e-6, 2e-4),
        "float16": Tolerance(1e-3, 1e-2),
        "bfloat16": Tolerance(1e-2, 5e-2),
    },
    "sum": {
        "float64": Tolerance(1e-6, 0.0),
        "float32": Tolerance(2e-5, 0.0),
        "float16": Tolerance(5e-3, 0.0),
        "bfloat16": Tolerance(4e-2, 0.0),
    },
    # Entries near 1e4 carry an error of 1e-3 before anything is done with them.
    "extreme": {
        "float64": Tolerance(1e-6, 1e-6),
        "float32": Tolerance(2e-3, 2e-3),
        "float16": Tolerance(5e-2, 5e-2),
        "bfloat16": Tolerance(1e-1, 1e-1),
    },
    # A share measured over many random draws.
    "statistic": {name: Tolerance(3e-2, 0.0) for name in ("float64", "float32", "float16", "bfloat16")},
}

FIGURE_SLACK = 1e-6  # a printed figure is rounded from a float32 number, which is itself off by this much
WIDER_ON_ACCELERATOR = 4.0  # sums are taken in another order there


def tolerance(kind: Kind, dtype: str, device: str = "cpu") -> Tolerance:
    """Return the bound for one comparison, in the lowest precision that took part, by torch's name."""
    bound = TABLE[kind][dtype]
    if device in ("cpu", "pretended") or dtype == "float64":
        return bound
    return Tolerance(bound.absolute * WIDER_ON_ACCELERATOR, bound.relative * WIDER_ON_ACCELERATOR)
