"""What holds of a transformer block whatever its parameters are named: residual paths, heads, maps, dropout.

Each function asks one thing of a block in the student's process and raises with a sentence. The parameters are known by
their shape alone, or by what was found out about them (grader/suite/block_checks.py).
"""

from typing import Any

import torch
from torch import nn

from grader.suite import compare
from grader.suite.block_checks import FLAT, PARTS
from grader.suite.context import device
from grader.suite.draw import Draw
from grader.suite.dropout_checks import drawn_apart
from grader.suite.failures import CheckFailed
from grader.suite.free_names import Renamed, filled, is_vector, shapes_of
from grader.suite.gradients import require_gradients, uneven
from grader.suite.module_checks import load
from grader.tolerances import tolerance
from grader.workers.student import ModuleHandle

WHOLE = 1e-2  # how far from a whole number of steps rounding may lead; what is dropped earlier leads anywhere


def residual_paths_pass(block: ModuleHandle, x: torch.Tensor) -> None:
    """Ask that with every matrix 0 and every vector 1 a block adds its biases, and nothing else, to x."""
    block.load(filled(shapes_of(block), lambda shape: (torch.ones if is_vector(shape) else torch.zeros)(shape)))
    answer = compare.as_tensor(block(x))
    expected = x.double() + 1  # one vector of ones from the feed-forward network, one more if the attention has a bias
    if answer.shape == x.shape and float((answer.double() - expected).mean()) > 0.5:
        expected = expected + 1
    compare.require_all_close(answer, expected, "module", "float32", device())


def heads_weigh_for_themselves(block: ModuleHandle, x: torch.Tensor, d_ff: int) -> None:
    """Ask that no one set of weights serves all heads.

    Args:
        block: A block with random parameters; its feed-forward network is silenced.
        x: (B, 2, d_model): two tokens, of which the second sees both.
        d_ff: Features inside the feed-forward network.
    """
    narrow = (x.shape[-1], d_ff)
    block.load({name: torch.zeros(shape) for name, shape in shapes_of(block).items() if shape == narrow})
    both, first, second = (compare.as_tensor(block(part)) - part for part in (x, x[:, :1], x[:, 1:]))
    # Shared weights would make what the second token gets a mean of what each token alone gets.
    start, end, got = second[:, 0].double(), first[:, 0].double(), both[:, 1].double()
    way = end - start
    share = ((got - start) * way).sum(-1, keepdim=True) / (way * way).sum(-1, keepdim=True)
    mean = start + share * way
    if compare.same(got, mean, compare.scaled(tolerance("extreme", "float32", device()), mean)):
        raise CheckFailed(
            "All heads weigh the tokens alike; each head has to use its own queries and keys.",
            "모든 헤드의 가중치가 같습니다. 헤드마다 자기 쿼리와 키를 써야 합니다.",
        )


def maps_are_four(block: ModuleHandle, x: torch.Tensor, d_ff: int) -> None:
    """Ask that the output depends on as many numbers of the attention's maps as four of them have.

    Args:
        block: A block with random parameters.
        x: (B, T, d_model) with several tokens.
        d_ff: Features inside the feed-forward network.
    """
    gradients, d_model = gradients_of(block, x), x.shape[-1]
    maps = [name for name, shape in shapes_of(block).items() if d_ff not in shape and count(shape) > 3 * d_model]
    used = sum(int((gradients[name] != 0).sum()) for name in maps if gradients[name] is not None)
    if used < 4 * d_model**2:
        share = used / d_model**2
        raise CheckFailed(
            f"The output depends on {used} numbers of the attention's maps, as many as {share:.3g} maps from d_model to"
            " d_model features have; queries, keys, values and the last map each need one of their own.",
            f"출력이 어텐션의 행렬 값 {used}개에만 달려 있습니다. (d_model, d_model) 행렬 {share:.3g}개만큼입니다."
            " 쿼리, 키, 값과 마지막 층에 저마다 자기 행렬이 있어야 합니다.",
        )


def every_parameter_learns(block: ModuleHandle, x: torch.Tensor, d_ff: int) -> None:
    """Ask that a gradient reaches every parameter, and every entry of the attention's maps."""
    gradients, shapes = gradients_of(block, x), shapes_of(block)
    without = sorted(name for name in shapes if gradients.get(name) is None)
    if without:
        raise CheckFailed(
            f"The output does not depend on every parameter: no gradient reaches '{', '.join(without)}'.",
            f"출력이 쓰지 않는 매개변수가 있습니다. 그래디언트가 닿지 않습니다: '{', '.join(without)}'.",
        )
    # The bias of the keys never gets one, so what is small enough to be a bias is not looked at entry by entry.
    maps = [name for name, shape in shapes.items() if d_ff not in shape and count(shape) > 3 * x.shape[-1]]
    idle = sorted(name for name in maps if bool((gradients[name] == 0).any()))
    if idle:
        raise CheckFailed(
            f"Parts of a matrix play no part in the output: '{', '.join(idle)}'.",
            f"출력에 쓰이지 않는 부분이 있는 행렬이 있습니다: '{', '.join(idle)}'.",
        )


def has_so_many_numbers(block: ModuleHandle, d_model: int, heads: int, d_ff: int) -> None:
    """Ask for as many numbers to learn as the parts have.

    Where a map is made of a layer for each head, some of these may have a bias and others none.
    """
    found = sum(count(shape) for shape in shapes_of(block).values())
    least = 4 * d_model**2 + 2 * d_model * d_ff + d_ff + 5 * d_model
    size = d_model // heads
    if found - least not in range(0, 4 * d_model + 1, size):
        raise CheckFailed(
            f"There are {found} numbers to learn; without biases of the attention {least} are asked for.",
            f"학습할 수가 {found}개입니다. 어텐션의 편향을 빼면 {least}개여야 합니다.",
        )


def gradients_of(block: ModuleHandle, x: torch.Tensor) -> dict[str, Any]:
    """Return the gradient of each parameter."""
    seen = block.observe(x, cotangent=uneven(x.shape).float())
    return {name: seen.parameter_gradients.get(name) for name in shapes_of(block)}


def part_gradients_match(block: Renamed, module: nn.Module, x: torch.Tensor) -> None:
    """Ask that the gradients of x and of the parts that are known by what they do are the solution's."""
    wide = x.double().requires_grad_()
    output = module(wide)
    cotangent = uneven(output.shape)
    named = dict(module.named_parameters())
    wanted = torch.autograd.grad((output * cotangent).sum(), [wide, *(named[role] for role in PARTS)])
    seen = block.observe(x, cotangent=cotangent.float())
    found = [seen.input_gradients[0], *(seen.parameter_gradients[role] for role in PARTS)]
    shaped = [None if one is None else one.reshape(want.shape) for one, want in zip(found, wanted, strict=True)]
    require_gradients(shaped, list(wanted), "float32")


def drops_anew(block: ModuleHandle, x: torch.Tensor) -> None:
    """Ask that a block with dropout drops other numbers in every call in training, also after a time in eval.

    Args:
        block: A block with random parameters and dropout, in training.
        x: (2, T, d_model): two items that are equal.
    """
    first = block(x)
    block.eval()
    block(x)
    block.train()
    second = block(x)
    if torch.equal(first, second):
        raise CheckFailed(
            "Two calls in training give the same; dropout has to be drawn anew in every call.",
            "학습 중에 두 번 불렀는데 결과가 같습니다. dropout은 호출마다 새로 뽑아야 합니다.",
        )
    if torch.equal(second[0], second[1]):
        raise CheckFailed(
            "Two items that are equal come out equal in training; every item needs a draw of its own.",
            "같은 두 항목의 학습 중 결과가 같습니다. 항목마다 따로 뽑아야 합니다.",
        )


def draws_are_apart(block: Renamed, draw: Draw) -> None:
    """Ask that in each place where a block drops, every item has draws of its own; the places are looked at in turn.

    All parameters are zero but those that make one place give a constant, so that what is dropped there shows.

    Args:
        block: A block with dropout, in training, whose parts are known.
        draw: Where the numbers come from.
    """
    d_model, _, d_ff = block.built_with[0]
    zero = {role: torch.zeros(block.shapes[name]) for role, name in block.names.items()}
    ones, x = torch.ones(d_model), torch.zeros(32, 6, d_model)
    block.load({**zero, "narrow.bias": ones})
    dropped = compare.require_shape(block(x), tuple(x.shape)) == 0
    if bool(dropped.any()):
        drawn_apart(dropped, 0, 1, 2)
    hidden = {"widen.bias": torch.ones(d_ff), "narrow.weight": draw.normal(d_model, d_ff)}
    attention = {"norm1.bias": ones, "W_o.weight": draw.normal(d_model, d_model)}
    for made in (hidden, attention):
        block.load(zero | {role: value for role, value in made.items() if role in block.names})
        items_differ(compare.require_shape(block(x), tuple(x.shape)))


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
    shift, x = draw.uniform(d_model) + 0.5, torch.zeros(64, 1, d_model)
    ways = (("norm1.bias", ("W_o.weight",)), ("norm2.bias", ("widen.weight", "narrow.weight")))
    for norm, matrices in ways:
        block.load(zero | {norm: shift} | {role: flat[role] for role in matrices if role in flat})
        steps = compare.require_shape(block(x), tuple(x.shape)).double() / float(FLAT**2 * shift.double().sum())
        if float((steps - steps.round()).abs().max()) > WHOLE:
            raise CheckFailed(
                "Features are dropped before they reach the sublayer: what the norm gives has to stay whole.",
                "하위 층에 들어가기 전에 특징이 떨어집니다. 정규화가 낸 값은 그대로 두어야 합니다.",
            )


def items_differ(added: torch.Tensor) -> None:
    """Ask that what equal items get is dropped for each item by itself, even where a second dropout hides a part of it.

    Args:
        added: (B, T, d_model), what was added to zeros; a constant for each feature but for what was dropped.
    """
    columns = added.flatten(1).T  # one for each number of an item
    gone = (columns == 0).all(dim=1)  # by chance a number never falls for all items
    values = [len(torch.unique(column[column != 0])) for column in columns[~gone]]
    calm = len(torch.unique(added[added != 0])) <= added.shape[-1]
    if (bool(gone.any()) and values) or (not calm and max(values, default=0) == 1):
        raise CheckFailed(
            "One draw of dropout serves all items of the batch: every item has to be dropped for itself.",
            "한 번의 추첨이 배치의 모든 항목에 쓰입니다. 항목마다 따로 떨어뜨려야 합니다.",
        )


def noise_and_mean(block: Renamed, module: nn.Module, x: torch.Tensor, times: int) -> tuple[float, float]:
    """Return how much what a block adds varies in training, and how much it is on average, as shares of what is right.

    Args:
        block: A block with dropout, in training, whose parts are known.
        module: The solution's with the same parameters.
        x: (1, T, d_model).
        times: How often what is dropped is drawn.
    """
    many, width = x.repeat(times, 1, 1), x.shape[-1]
    fixed = {"norm2.weight": torch.zeros(width), "norm2.bias": torch.ones(width)}
    block.load(fixed)  # so that what is added is linear in what is dropped
    load(module.eval(), fixed)
    added = (compare.require_shape(block(many), tuple(many.shape)) - x).double()
    with torch.no_grad():
        expected = module(x.double()) - x
    noise = float(added.std(0).norm() / expected.norm())
    return noise, float((added.mean(0) * expected).sum() / (expected * expected).sum())


def count(shape: tuple[int, ...]) -> int:
    """Return how many numbers a tensor of this shape holds."""
    return torch.Size(shape).numel()
