"""What holds of a transformer block's dropout wherever it drops: in each call anew, and every number for itself.

Where a block drops is up to the student, and what falls is chance. So the parameters are loaded such that each sublayer
adds a constant, and what is asked of the rest holds for separate draws but for a chance below 1e-9.
"""

import torch

from grader.suite.core import compare
from grader.suite.core.draw import Draw
from grader.suite.core.failures import CheckFailed
from grader.suite.library.modules.dropout import drawn_apart
from grader.suite.library.modules.free_names import Renamed
from grader.workers.calls.student import ModuleHandle

from .block_checks import FLAT
from .block_properties import require_finite

WHOLE = 1e-2  # how far from a whole number of steps rounding may lead; what is dropped earlier leads anywhere
ALIKE = 1e-3  # how far apart, as a share of what is right, rounding may lead what has the same draw
MANY = 0.2  # of what one draw serves about a half falls together; of separate draws a few hundredths at most
SHARE = 0.04  # how far the share of zeros among many draws may lie from what is asked; chance leads a half as far
PLACES = 3  # in which a number may fall one after the other
OTHER_SHARE = (
    "In training another share falls than `dropout` says, or what stays is not divided by 1 - dropout.",
    "학습 중에 떨어지는 비율이 `dropout`과 다르거나, 남은 값을 1 - dropout으로 나누지 않았습니다.",
)
FEW = 0.05  # the same of items, of which there are so many that separate draws never fall together


def drops_anew(block: ModuleHandle, x: torch.Tensor) -> None:
    """Ask that a block with dropout drops other numbers in every call in training, also after a time in eval.

    Args:
        block: A block with random parameters and dropout 0.5, in training.
        x: (B, T, d_model): items that are equal, so many that no two calls drop the same of whole items by chance.
    """
    first = compare.require_real(block(x), tuple(x.shape))
    block.eval()
    block(x)
    block.train()
    second = compare.require_real(block(x), tuple(x.shape))
    if torch.equal(first, second):
        raise CheckFailed(
            "Two calls in training give the same; dropout has to be drawn anew in every call.",
            "학습 중에 두 번 불렀는데 결과가 같습니다. dropout은 호출마다 새로 뽑아야 합니다.",
        )
    different = len(torch.unique(second.flatten(1), dim=0))
    if different == 1:
        raise CheckFailed(
            "Two items that are equal come out equal in training; every item needs a draw of its own.",
            "같은 두 항목의 학습 중 결과가 같습니다. 항목마다 따로 뽑아야 합니다.",
        )
    if different < len(second):
        raise CheckFailed(
            "Of many items that are equal, some come out equal in training: whole items are dropped instead of numbers,"
            " each for itself.",
            "같은 항목 여럿 가운데 일부의 학습 중 결과가 같습니다. 숫자를 하나씩 떨어뜨리지 않고 항목을 통째로"
            " 떨어뜨립니다.",
        )


def draws_are_apart(block: Renamed, draw: Draw) -> None:
    """Ask that in each place where a block drops, every number has a draw of its own; the places are looked at in turn.

    All parameters are zero but those that make one place give a constant, so that what is dropped there shows.

    Args:
        block: A block with dropout 0.5, in training, with several heads, whose parts are known.
        draw: Where the numbers come from.
    """
    d_model, _, d_ff = block.built_with[0]
    zero = {role: torch.zeros(block.shapes[name]) for role, name in block.names.items()}
    ones, x = torch.ones(d_model), torch.zeros(32, 6, d_model)

    def added() -> torch.Tensor:
        return require_finite(block(x), tuple(x.shape))

    block.load({**zero, "narrow.bias": ones})
    dropped = added() == 0
    if bool(dropped.any()):
        drawn_apart(dropped, 0, 1, 2)
    hidden = {"widen.bias": torch.ones(d_ff), "narrow.weight": draw.normal(d_model, d_ff)}
    attention = {"norm1.bias": ones, "W_o.weight": draw.normal(d_model, d_model)}
    for made in (hidden, attention):
        block.load(zero | {role: value for role, value in made.items() if role in block.names})
        got = added()
        block.handle.eval()
        shares = got.double() / added().double()
        block.handle.train()
        # Where the output map is not known, it is flat, and whatever is dropped adds the same to all features.
        numbers_fall_for_themselves(shares, apart=all(role in block.names for role in made))


def numbers_fall_for_themselves(shares: torch.Tensor, apart: bool) -> None:
    """Ask that no draw serves several items, tokens, features or heads, even where a second dropout hides a part of it.

    Args:
        shares: (B, T, d_model), what was added to zeros, as a share of what is added when nothing is dropped.
        apart: Whether the features tell heads, and features inside the feed-forward network, apart.
    """
    kept = shares != 0
    calm = bool(spread(shares.flatten(), 0) <= ALIKE)  # nothing but whole numbers of the result is dropped, if any

    def one_draw(axis: int) -> bool:
        return not calm and bool((spread(shares, axis) <= ALIKE).all())

    def fall_together(axis: int, share: float = MANY) -> bool:
        return bool((~kept).all(dim=axis).double().mean() > share) and bool(kept.any())

    if fall_together(0, FEW) or one_draw(0):
        raise CheckFailed(
            "One draw of dropout serves all items of the batch: every item has to be dropped for itself.",
            "한 번의 추첨이 배치의 모든 항목에 쓰입니다. 항목마다 따로 떨어뜨려야 합니다.",
        )
    if fall_together(1) or one_draw(1):
        raise CheckFailed(
            "One draw of dropout serves all tokens of an item: every token has to be dropped for itself.",
            "한 번의 추첨이 한 항목의 모든 토큰에 쓰입니다. 토큰마다 숫자를 따로 떨어뜨려야 합니다.",
        )
    if fall_together(2):
        raise CheckFailed(
            "One draw of dropout serves all numbers of a token: every number has to be dropped for itself.",
            "한 번의 추첨이 한 토큰의 모든 숫자에 쓰입니다. 숫자마다 따로 떨어뜨려야 합니다.",
        )
    if apart and one_draw(2):
        raise CheckFailed(
            "One draw of dropout serves all heads, or all features of a token: each has to be dropped for itself.",
            "한 번의 추첨이 모든 헤드나 한 토큰의 모든 특징에 쓰입니다. 숫자마다 따로 떨어뜨려야 합니다.",
        )


def spread(values: torch.Tensor, axis: int) -> torch.Tensor:
    """Return how far the numbers along an axis that are not 0 lie apart; less than 0 where there are none."""
    gone = values == 0
    return values.masked_fill(gone, -torch.inf).amax(axis) - values.masked_fill(gone, torch.inf).amin(axis)


def norms_keep_everything(block: Renamed, draw: Draw) -> None:
    """Ask that nothing is dropped of what the norms give: that is none of the places where a block may drop.

    Both sublayers get the same numbers in every call, and matrices of one number. So whatever is dropped of weights, of
    the features inside or of the result, each sublayer adds a whole number of times what one feature adds.

    Args:
        block: A block with dropout 0.5, in training, whose parts are known, with one token in each item.
        draw: Where the numbers come from.
    """
    d_model = block.built_with[0][0]
    zero = {role: torch.zeros(block.shapes[name]) for role, name in block.names.items()}
    flat = {role: torch.full(value.shape, FLAT) for role, value in zero.items()}
    shift = draw.uniform(d_model) + 2  # so large that every activation hands on what it gets
    x = torch.zeros(64, 1, d_model)
    ways = (("norm1.bias", ("W_o.weight",)), ("norm2.bias", ("widen.weight", "narrow.weight")))
    for norm, matrices in ways:
        block.load(zero | {norm: shift} | {role: flat[role] for role in matrices if role in flat})
        steps = compare.require_real(block(x), tuple(x.shape)).double() / float(FLAT**2 * shift.double().sum())
        if float((steps - steps.round()).abs().max()) > WHOLE:
            raise CheckFailed(
                "Features are dropped before they reach the sublayer: what the norm gives has to stay whole.",
                "하위 층에 들어가기 전에 특징이 떨어집니다. 정규화가 낸 값은 그대로 두어야 합니다.",
            )


def scores_keep_everything(block: Renamed) -> None:
    """Ask that nothing is dropped before the softmax: the scores are none of the places where a block may drop.

    The second of two tokens sees the first alone, because that score is far larger than its own, and the first one's
    value is so much larger that its own does not show. So a whole number of times that value is added, whatever is
    dropped of weights or results. Where the large score is dropped, both tokens get a share.

    Args:
        block: A block with dropout 0.5, in training, whose parts are known.
    """
    d_model = block.built_with[0][0]
    zero = {role: torch.zeros(block.shapes[name]) for role, name in block.names.items()}
    scale, tokens = torch.zeros(d_model), torch.zeros(2, d_model)
    scale[0] = 4e5
    tokens[:, :3] = torch.tensor([[1.0, -1.0, 0.0], [1.5e-6, -1.0, 1.0]])  # the second one's own score is about 0.4
    x = tokens.expand(64, 2, d_model).contiguous()
    last = {"W_o.weight": torch.eye(d_model)} if "W_o.weight" in block.names else {}
    block.load(zero | {"norm1.weight": scale} | last)
    got = require_finite(block(x), tuple(x.shape)).double()
    block.handle.eval()
    steps = (got - x)[:, 1] / (require_finite(block(x), tuple(x.shape)).double() - x)[:, 1]
    block.handle.train()
    if not last:  # all features that come in are in the sum
        steps = steps * d_model
    if float((steps - steps.round()).abs().max()) > WHOLE:
        raise CheckFailed(
            "Scores are dropped before the softmax. Drop the weights that it gives, or leave both whole.",
            "소프트맥스 전에 점수가 떨어집니다. 소프트맥스가 낸 가중치를 떨어뜨리거나 둘 다 그대로 두세요.",
        )


def the_asked_share_is_dropped(block: Renamed, p: float) -> None:
    """Ask that in each place where a block drops, a number falls with the asked probability and grows if it stays.

    With one head and one token, each sublayer is made to add a constant. So a number falls in one place, or in several
    in turn, which both the share of zeros and the size of the others tell.

    Args:
        block: A block with one head and dropout p, in training, whose parts are known.
        p: The probability; its powers have to lie apart.
    """
    d_model, _, d_ff = block.built_with[0]
    zero = {role: torch.zeros(block.shapes[name]) for role, name in block.names.items()}
    ones, x = torch.ones(d_model), torch.zeros(8192, 1, d_model)  # the share of so many draws is known to 2 in 100
    hidden = {"widen.bias": torch.ones(d_ff), "narrow.weight": torch.eye(d_model, d_ff)}
    for made in ({"narrow.bias": ones}, hidden, {"norm1.bias": ones, "W_o.weight": torch.eye(d_model)}):
        block.load(zero | {role: value for role, value in made.items() if role in block.names})
        got = require_finite(block(x), tuple(x.shape)).double()
        block.handle.eval()
        shares = got / require_finite(block(x), tuple(x.shape)).double()
        block.handle.train()
        fallen = float((shares == 0).double().mean())
        places = min(range(PLACES + 1), key=lambda count: abs(fallen - 1 + (1 - p) ** count))
        grown = shares[shares != 0] * (1 - p) ** places - 1
        if abs(fallen - 1 + (1 - p) ** places) > SHARE or not bool((grown.abs() <= ALIKE).all()):
            raise CheckFailed(
                f"With dropout {p}, a share of {fallen:.2f} falls of what a sublayer adds, and what stays is multiplied"
                f" by {float(shares.max()):.3g}.",
                f"dropout이 {p}인데 하위 층이 더하는 값의 {fallen:.2f}만큼 떨어지고, 남은 값은"
                f" {float(shares.max()):.3g}배입니다.",
                advice=OTHER_SHARE,
            )
