"""What suites ask of dropout on attention weights: the asked share, the growth of the rest, a draw for every weight.

Which weights fall is chance, so nothing here compares with a draw of our own: a weight that is 0 was dropped, and all
others must be those without dropout, divided by 1 - p.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn

from grader.suite.core import compare
from grader.suite.core.context import device
from grader.suite.core.failures import CheckFailed
from grader.tolerances import Kind, tolerance
from grader.words import Words

FEW_DEVIATIONS = 6.5  # a share is farther from its probability once in ten thousand million draws


def weights_are_dropped(
    weights: torch.Tensor, expected: torch.Tensor, p: float, kind: Kind = "value", apart: bool = False
) -> None:
    """Ask that weights are the expected ones after dropout.

    Args:
        weights: The student's weights in training, of the shape of `expected`; thousands of them, so that the share of
            zeros is known to a few hundredths.
        expected: The weights without dropout, float64; where one is 0 it is hidden and says nothing of dropout.
        p: The probability that a weight is dropped.
        kind: Which row of the tolerances the weights that stay are held to.
        apart: Whether `drawn_apart` is asked along every axis, before the share, which one draw for many makes uneven.

    Raises:
        CheckFailed: The weights have another shape, another share is zero, or the weights that stay are not the
            expected ones divided by 1 - p.
    """
    weights = compare.require_shape(weights, tuple(expected.shape))
    fallen = (weights == 0)[expected > 0].double()
    share, chance = float(fallen.mean()), (p * (1 - p) / max(1, len(fallen))) ** 0.5
    room = max(tolerance("statistic", "float32").absolute, FEW_DEVIATIONS * chance)
    if share and apart:
        drawn_apart(weights == 0, *range(weights.dim()))
    if abs(share - p) > room:
        raise CheckFailed(
            Words("With dropout {p}, a share of {share:.2f} of the weights is zero in training.", p=p, share=share)
        )
    wanted = torch.where(weights == 0, torch.zeros_like(expected), expected / (1 - p))
    compare.require_all_close(weights, wanted, kind, compare.lowest_precision(weights), device())


@contextmanager
def same_draw(module: nn.Module, weights: torch.Tensor) -> Iterator[None]:
    """Let a solution's layers of dropout drop what is 0 in `weights`, so that its gradient is that of the same draw.

    Args:
        module: The solution's module, in eval.
        weights: What the student's module made of the weights in training; 0 where a weight was dropped or is hidden.
    """

    def drop(layer: nn.Dropout, _: object, output: torch.Tensor) -> torch.Tensor:
        kept = compare.require_shape(weights, tuple(output.shape)) != 0
        return output * kept.double() / (1 - layer.p)

    hooks = [layer.register_forward_hook(drop) for layer in module.modules() if isinstance(layer, nn.Dropout)]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def drawn_apart(dropped: torch.Tensor, *axes: int) -> None:
    """Ask that along none of these axes two places drop the same weights, which separate draws never do by chance.

    Args:
        dropped: Bool tensor, True where a weight was dropped.
        *axes: The axes along which the places are compared.
    """
    for axis in axes:
        if len(torch.unique(dropped.movedim(axis, 0).flatten(1), dim=0)) < dropped.shape[axis]:
            raise CheckFailed(
                Words("One draw of dropout serves several weights: every weight must be dropped or kept independently.")
            )
