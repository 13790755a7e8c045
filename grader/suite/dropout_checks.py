"""What suites ask of dropout on attention weights: the asked share, the growth of the rest, a draw for every weight.

Which weights fall is chance, so nothing here compares with a draw of our own: a weight that is 0 was dropped, and all
others must be those without dropout, divided by 1 - p.
"""

import torch

from grader.suite import compare
from grader.suite.context import device
from grader.suite.failures import CheckFailed
from grader.tolerances import Kind, tolerance


def weights_are_dropped(weights: torch.Tensor, expected: torch.Tensor, p: float, kind: Kind = "value") -> None:
    """Ask that weights are the expected ones after dropout.

    Args:
        weights: The student's weights in training, of the shape of `expected`; thousands of them, so that the share of
            zeros is known to a few hundredths.
        expected: The weights without dropout, float64; where one is 0 it is hidden and says nothing of dropout.
        p: The probability that a weight is dropped.
        kind: Which row of the tolerances the weights that stay are held to.

    Raises:
        CheckFailed: Another share is zero, or the weights that stay are not the expected ones divided by 1 - p.
    """
    share = float((weights == 0)[expected > 0].double().mean())
    room = tolerance("statistic", "float32").absolute
    if share == 0:
        bound = compare.scaled(tolerance("module", compare.lowest_precision(weights), device()), expected)
        same = compare.same(weights, expected, bound)
        told = (
            ("No weight is dropped in training.", "학습 중에 0이 되는 가중치가 없습니다.")
            if same
            else (
                "No weight is zero in training, and yet they are not those without dropout: what was dropped was not "
                "the weights.",
                "학습 중에 0이 되는 가중치가 없는데 dropout이 없는 값과도 다릅니다. 가중치가 아닌 것이 떨어졌습니다.",
            )
        )
        raise CheckFailed(*told)
    if abs(share - p) > room:
        kept = abs(share - (1 - p)) <= room
        raise CheckFailed(
            f"With dropout {p}, a share of {share:.2f} of the weights is zero in training."
            + (" That many should stay: p is the probability to drop." if kept else ""),
            f"dropout이 {p}인데 학습 중에 0이 된 가중치의 비율이 {share:.2f}입니다."
            + (" 그만큼이 남아야 합니다. p는 떨어뜨릴 확률입니다." if kept else ""),
        )
    wanted = torch.where(weights == 0, torch.zeros_like(expected), expected / (1 - p))
    try:
        compare.require_all_close(weights, wanted, kind, compare.lowest_precision(weights), device())
    except CheckFailed as failure:
        rest = weights == 0
        if compare.same(
            weights, torch.where(rest, torch.zeros_like(expected), expected), tolerance("value", "float32")
        ):
            failure.say(
                "The weights that stay are not divided by 1 - p in training.",
                "학습 중에 남은 가중치를 1 - p로 나누지 않았습니다.",
            )
        raise


def drawn_apart(dropped: torch.Tensor, *axes: int) -> None:
    """Ask that along none of these axes two places drop the same weights, which separate draws never do by chance.

    Args:
        dropped: Bool tensor, True where a weight was dropped.
        *axes: The axes along which the places are compared.
    """
    for axis in axes:
        draws = dropped.movedim(axis, 0).flatten(1)
        if len(torch.unique(draws, dim=0)) < len(draws):
            raise CheckFailed(
                "One draw of dropout serves several weights: every weight has to be dropped or kept for itself.",
                "한 번의 추첨이 여러 가중치에 쓰입니다. 가중치마다 따로 떨어뜨려야 합니다.",
            )
