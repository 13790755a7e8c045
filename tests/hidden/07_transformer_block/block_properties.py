"""What holds of a transformer block whatever its parameters are named: residual paths, heads, maps, gradients.

Each function asks one thing of a block in the student's process and raises with a sentence. The parameters are known by
their shape alone, or by what was found out about them (block_checks.py). What is asked of dropout stands in
block_dropout.py.
"""

from typing import Any

import torch
from torch import nn

from grader.suite.core import compare
from grader.suite.core.context import device
from grader.suite.core.failures import CheckFailed
from grader.suite.core.gradients import require_gradients, uneven
from grader.suite.library.modules.free_names import Renamed, Shapes, filled, is_vector, shapes_of
from grader.tolerances import tolerance
from grader.workers.calls.student import ModuleHandle

from .block_checks import PARTS

ROUNDING = 1e-6  # of the largest singular value: what float32 leaves of a direction that is not there


def residual_paths_pass(block: ModuleHandle, x: torch.Tensor) -> None:
    """Ask that with every matrix 0 and every vector 1 a block adds its biases, and nothing else, to x."""
    block.load(filled(shapes_of(block), lambda shape: (torch.ones if is_vector(shape) else torch.zeros)(shape)))
    answer = compare.require_real(block(x), tuple(x.shape))
    expected = x.double() + 1  # one vector of ones from the feed-forward network, one more if the attention has a bias
    if float((answer.double() - expected).mean()) > 0.5:
        expected = expected + 1
    compare.require_all_close(answer, expected, "module", "float32", device())


def equal_features_stay_finite(block: ModuleHandle) -> None:
    """Ask that tokens of equal features come out finite; every matrix is 0, so both norms see such tokens."""
    block.load(filled(shapes_of(block), lambda shape: (torch.ones if is_vector(shape) else torch.zeros)(shape)))
    d_model = block.built_with[0][0]
    require_finite(block(torch.tensor([0.0, 1.0, -0.5]).reshape(1, 3, 1).repeat(1, 1, d_model)), (1, 3, d_model))


def beyond_buffers(block: ModuleHandle, most: int = 2100) -> int:
    """Return a number of tokens that fits into none of a block's buffers, up to what a check can afford.

    A mask of fixed length is often kept as a buffer. A block that keeps none is not asked for so many tokens: a loop in
    Python over pairs of them is right, and takes the longer the square of the length is.
    """
    sizes = (size for kept in block.facts().values() if kept.kind == "buffer" for size in kept.shape)
    return min(max(sizes, default=0) + 1, most)


def require_finite(answer: Any, shape: tuple[int, ...]) -> torch.Tensor:
    """Return an answer of this shape that has neither NaN nor infinity."""
    value = compare.require_real(answer, shape)
    if not bool(torch.isfinite(value).all()):
        raise CheckFailed(
            "A token whose features are all equal gives NaN or infinity: its variance is 0, and a norm divides by the"
            " root of the variance plus a small eps.",
            "특징이 모두 같은 토큰에서 NaN이나 무한대가 나옵니다. 분산이 0이기 때문입니다. 정규화는 분산에 작은 eps를"
            " 더한 것의 제곱근으로 나눕니다.",
        )
    return value


def heads_weigh_for_themselves(block: ModuleHandle, x: torch.Tensor, d_ff: int) -> None:
    """Ask that no one set of weights serves all heads.

    Args:
        block: A block with random parameters; its feed-forward network is silenced.
        x: (B, 2, d_model): two tokens, of which the second sees both.
        d_ff: Features inside the feed-forward network.
    """
    narrow = (x.shape[-1], d_ff)
    block.load({name: torch.zeros(shape) for name, shape in shapes_of(block).items() if shape == narrow})
    parts = (x, x[:, :1], x[:, 1:])
    both, first, second = (compare.require_real(block(part), tuple(part.shape)) - part for part in parts)
    # Shared weights would make what the second token gets a mean of what each token alone gets.
    start, end, got = second[:, 0].double(), first[:, 0].double(), both[:, 1].double()
    way = end - start
    share = ((got - start) * way).sum(-1, keepdim=True) / (way * way).sum(-1, keepdim=True)
    mean = start + share * way
    if compare.is_close(got, mean, compare.scaled(tolerance("extreme", "float32", device()), mean)):
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
    (gradients, shapes), d_model = gradients_of(block, x), x.shape[-1]
    maps = [name for name, shape in shapes.items() if d_ff not in shape and count(shape) > 3 * d_model]
    used = sum(int((gradients[name] != 0).sum()) for name in maps if gradients[name] is not None)
    if used < 4 * d_model**2:
        share = used / d_model**2
        raise CheckFailed(
            f"The output depends on {used} numbers of the attention's maps, as many as {share:.3g} maps from d_model to"
            " d_model features have; queries, keys, values and the last map each need one of their own.",
            f"출력이 어텐션의 행렬 값 {used}개에만 달려 있습니다. (d_model, d_model) 행렬 {share:.3g}개만큼입니다."
            " 쿼리, 키, 값과 마지막 층에 저마다 자기 행렬이 있어야 합니다.",
        )
    # A map that is given one vector several times over has a gradient of so many equal columns.
    known = [gradients[name] for name in maps if gradients[name] is not None]
    square = [each.double() for each in known if tuple(each.shape) == (d_model, d_model)]
    if any(int(torch.linalg.matrix_rank(each, rtol=ROUNDING)) < d_model / 2 for each in square):
        raise CheckFailed(
            "A map of the attention reads the same numbers several times over; every head has results of its own.",
            "어텐션의 한 행렬이 같은 값을 여러 번 읽습니다. 헤드마다 결과가 따로 있어야 합니다.",
        )


def every_parameter_learns(block: ModuleHandle, x: torch.Tensor, d_ff: int) -> None:
    """Ask that a gradient reaches every parameter, and every entry of the attention's maps."""
    gradients, shapes = gradients_of(block, x)
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


def gradients_of(block: ModuleHandle, x: torch.Tensor) -> tuple[dict[str, Any], Shapes]:
    """Return the gradient of each parameter, of the parameter's shape, and these shapes."""
    found = block.observe(x, cotangent=uneven(x.shape).float()).parameter_gradients
    shapes = shapes_of(block)
    gradients = {
        name: None if found.get(name) is None else compare.require_real(found[name], shape)
        for name, shape in shapes.items()
    }
    return gradients, shapes


def part_gradients_match(block: Renamed, module: nn.Module, x: torch.Tensor) -> None:
    """Ask that the gradients of x and of the parts that are known by what they do are the solution's."""
    wide = x.double().requires_grad_()
    output = module(wide)
    cotangent = uneven(output.shape)
    named = dict(module.named_parameters())
    wanted = torch.autograd.grad((output * cotangent).sum(), [wide, *(named[role] for role in PARTS)])
    seen = block.observe(x, cotangent=cotangent.float())
    found = [seen.input_gradients[0], *(seen.parameter_gradients[role] for role in PARTS)]
    shaped = [
        one if one is None or one.numel() != want.numel() else one.reshape(want.shape)
        for one, want in zip(found, wanted, strict=True)
    ]
    require_gradients(shaped, list(wanted), "float32")


def count(shape: tuple[int, ...]) -> int:
    """Return how many numbers a tensor of this shape holds."""
    return torch.Size(shape).numel()
