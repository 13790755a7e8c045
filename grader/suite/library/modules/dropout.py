"""What suites ask of dropout on attention weights: the asked share, the growth of the rest, a draw for every weight.

Which weights fall is chance, so nothing here compares with a draw of our own: a weight that is 0 was dropped, and all
others must be those without dropout, divided by 1 - p.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import nn

from grader.suite.core import compare
from grader.suite.core.context import device
from grader.suite.core.failures import CheckFailed
from grader.tolerances import Kind, tolerance

FEW_DEVIATIONS = 6.5  # a share is farther from its probability once in ten thousand million draws
ENOUGH = 6  # of this many visible weights in a column all fall or all stay by chance too rarely for every column
PLACES = {"items": "항목", "heads": "헤드", "queries": "쿼리", "keys": "키"}


def weights_are_dropped(
    weights: torch.Tensor, expected: torch.Tensor, p: float, kind: Kind = "value", places: Sequence[str] = ()
) -> None:
    """Ask that weights are the expected ones after dropout.

    Args:
        weights: The student's weights in training, of the shape of `expected`; thousands of them, so that the share of
            zeros is known to a few hundredths.
        expected: The weights without dropout, float64; where one is 0 it is hidden and says nothing of dropout.
        p: The probability that a weight is dropped.
        kind: Which row of the tolerances the weights that stay are held to.
        places: What `drawn_apart` is asked for as well, before the share, which one draw for many weights makes uneven.

    Raises:
        CheckFailed: The weights have another shape, another share is zero, or the weights that stay are not the
            expected ones divided by 1 - p.
    """
    weights = compare.require_real(weights, tuple(expected.shape))
    fallen = (weights == 0)[expected > 0].double()
    share, chance = float(fallen.mean()), (p * (1 - p) / max(1, len(fallen))) ** 0.5
    room = max(tolerance("statistic", "float32").absolute, FEW_DEVIATIONS * chance)
    if share == 0:
        bound = compare.scaled(tolerance("module", compare.lowest_precision(weights), device()), expected)
        same = compare.is_close(weights, expected, bound)
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
    if places:
        drawn_apart(weights == 0, *(axis for axis, place in enumerate(places) if place), places=places)
    if abs(share - p) > room:
        cause, cause_ko = "", ""
        if abs(share - (1 - p)) <= room:
            cause, cause_ko = (
                " That many should stay: p is the probability to drop.",
                " 그만큼이 남아야 합니다. p는 떨어뜨릴 확률입니다.",
            )
        elif abs(share - (1 - (1 - p) ** 2)) <= room:
            cause, cause_ko = (
                " That many fall where dropout acts twice.",
                " 드롭아웃이 두 번 걸리면 그만큼이 떨어집니다.",
            )
        raise CheckFailed(
            f"With dropout {p}, a share of {share:.2f} of the weights is zero in training.{cause}",
            f"dropout이 {p}인데 학습 중에 0이 된 가중치의 비율이 {share:.2f}입니다.{cause_ko}",
        )
    wanted = torch.where(weights == 0, torch.zeros_like(expected), expected / (1 - p))
    try:
        compare.require_all_close(weights, wanted, kind, compare.lowest_precision(weights), device())
    except CheckFailed as failure:
        said = what_stays(weights, expected)
        if said:
            failure.reword(*said)
        raise


def what_stays(weights: torch.Tensor, expected: torch.Tensor) -> tuple[str, str] | None:
    """Say in both languages what the weights that stay have in common, where they are not those divided by 1 - p.

    Returns:
        A sentence that is true of these weights; None where there is none.
    """
    if not bool(torch.isfinite(weights).all()):
        return None
    bound = tolerance("value", "float32")
    stays = (weights != 0) & (expected > 0)
    if bool((weights[expected == 0].abs() > bound.absolute).any()):
        return "A hidden token gets weight in training.", "학습 중에 가려진 토큰이 가중치를 받습니다."
    got, plain = weights.double(), torch.where(stays, expected.detach(), torch.zeros_like(expected))
    if compare.is_close(weights, plain, bound):
        return (
            "The weights that stay are not divided by 1 - p in training.",
            "학습 중에 남은 가중치를 1 - p로 나누지 않았습니다.",
        )
    factor = got.sum() / plain.sum()
    if bool(torch.isfinite(factor)) and compare.is_close(weights / factor.to(weights.dtype), plain, bound):
        return (
            f"All weights that stay are multiplied by {float(factor):.3g} in training, not divided by 1 - p.",
            f"학습 중에 남은 가중치에 모두 곱한 수가 {float(factor):.3g}입니다. 1 - p로 나누어야 합니다.",
        )
    sums = got.sum(dim=-1)[stays.any(dim=-1)]
    if compare.is_close(sums, torch.ones_like(sums), bound):
        return "Rows sum to 1 again after dropout.", "드롭아웃 뒤에 행의 합이 다시 1입니다."
    seen = (expected > 0).sum(dim=-2)
    fallen = ((weights == 0) & (expected > 0)).sum(dim=-2)
    if bool(((fallen == 0) | (fallen == seen))[seen >= ENOUGH].all()):
        return (
            "Whole keys fall together, and the weights that stay are others: what was dropped was not the weights.",
            "키가 통째로 떨어지고 남은 가중치도 다릅니다. 가중치가 아닌 것이 떨어졌습니다.",
        )
    return None


@contextmanager
def drawn(module: nn.Module, weights: torch.Tensor) -> Iterator[None]:
    """Let a solution's layers of dropout drop what is 0 in `weights`, so that its gradient is that of the same draw.

    Args:
        module: The solution's module, in eval.
        weights: What the student's module made of the weights in training; 0 where a weight was dropped or is hidden.
    """

    def drop(layer: nn.Dropout, _: object, output: torch.Tensor) -> torch.Tensor:
        kept = compare.require_real(weights, tuple(output.shape)) != 0
        return output * kept.double() / (1 - layer.p)

    hooks = [each.register_forward_hook(drop) for each in module.modules() if isinstance(each, nn.Dropout)]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def drawn_apart(dropped: torch.Tensor, *axes: int, places: Sequence[str] = ()) -> None:
    """Ask that along none of these axes two places drop the same weights, which separate draws never do by chance.

    Args:
        dropped: Bool tensor, True where a weight was dropped.
        *axes: The axes along which the places are compared.
        places: What stands along each axis of `dropped`, a key of `PLACES`; the sentence then says whose draw is one.
    """
    draws = {axis: torch.unique(dropped.movedim(axis, 0).flatten(1), dim=0) for axis in axes}
    if all(len(draws[axis]) == dropped.shape[axis] for axis in axes):
        return
    one = [places[axis] for axis in axes if places and len(draws[axis]) == 1 < dropped.shape[axis]]
    who = " and all ".join(one) or "several weights"
    who_ko = ", ".join(f"모든 {PLACES[place]}" for place in one) or "여러 가중치"
    raise CheckFailed(
        f"One draw of dropout serves {'all ' if one else ''}{who}: every weight has to be dropped or kept for itself.",
        f"한 번의 추첨이 {who_ko}에 쓰입니다. 가중치마다 따로 떨어뜨려야 합니다.",
    )
