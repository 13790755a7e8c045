"""Says where in a transformer block a mistake lies that no known one explains, by what is right while a half is silent.

The last map of the attention or the second layer of the feed-forward network is zero. Where the student's block then
gives what the solution's gives, the other half is right, whatever the guess of the parts was: a wrong guess gives
another answer.
"""

from typing import Any

import torch
from torch import nn

from grader.results.verdict import Diagnosis
from grader.suite.core import compare
from grader.suite.core.failures import CheckFailed
from grader.suite.library.modules.free_names import shapes_of
from grader.suite.library.modules.module_checks import load
from grader.suite.library.modules.places import near, place
from grader.workers.calls.student import ModuleHandle

ATTENTION, FEED = ("W_o.weight",), ("narrow.weight", "narrow.bias")
SUBLAYERS = (*ATTENTION, *FEED, "W_q.weight", "W_k.weight", "W_v.weight", "widen.weight", "widen.bias")
NOT_A_NUMBER = place(
    "NaN comes out even where all parameters are zero. Often a row of the mask hides every token, or 0 meets infinity.",
    "매개변수가 모두 0이어도 NaN이 나옵니다. 마스크의 한 행이 모든 토큰을 가리거나 0과 무한대를 곱하면 흔히 생깁니다.",
)
PATHS = place(
    "Where all matrices and biases are zero, both sublayers add nothing and the block has to give x; yours does not. "
    "Look at the two residual paths: nothing is on them but the two sums.",
    "행렬과 편향이 모두 0이면 두 서브레이어가 더하는 것이 없어 x가 나와야 하는데 다릅니다. 두 잔차 경로를 보세요. "
    "경로에는 덧셈 둘만 있습니다.",
)
WEIGHING = place(
    "The feed-forward half is right, and so is the attention for a single token: the mistake is in how tokens are "
    "mixed (heads, scores and their divisor, mask, softmax).",
    "피드포워드 쪽은 맞고, 토큰이 하나이면 어텐션도 맞습니다. 토큰을 섞는 곳(헤드, 점수와 나누는 수, 마스크, "
    "소프트맥스)을 보세요.",
)
ATTENTION_HALF = place(
    "Where the attention adds nothing, your block is right: look at the attention, its norm, and what it hands on.",
    "어텐션이 아무것도 더하지 않으면 블록이 맞습니다. 어텐션과 그 정규화, 넘겨주는 값을 보세요.",
)
FEED_HALF = place(
    "Where the feed-forward network adds nothing, your block is right: look at the network, its norm, its input.",
    "피드포워드 신경망이 아무것도 더하지 않으면 블록이 맞습니다. 그 망과 정규화, 읽는 값을 보세요.",
)
HANDED_ON = place(
    "Each half is right while the other adds nothing: look at what the first one hands on to the second.",
    "한쪽이 아무것도 더하지 않으면 다른 쪽은 맞습니다. 앞 절반이 뒤 절반에 무엇을 넘기는지 보세요.",
)


class Silent:
    """The numbers of each part, but for some that are zero."""

    def __init__(self, numbers: Any, parts: tuple[str, ...]) -> None:
        self.numbers, self.parts = numbers, parts
        self.zeros: dict[str, torch.Tensor] = {}

    def of(self, part: str, shape: tuple[int, ...]) -> torch.Tensor:
        """Return the numbers of a part, the same tensor every time."""
        if part not in self.parts:
            numbers: torch.Tensor = self.numbers.of(part, shape)
            return numbers
        return self.zeros.setdefault(f"{part}{shape}", torch.zeros(shape))


def place_of(handle: ModuleHandle, module: nn.Module, x: torch.Tensor, numbers: Any, guesses: Any) -> Diagnosis | None:
    """Return where a block's mistake lies, or None where it is right or nothing comes right.

    Args:
        handle: The student's block; its parameters are overwritten.
        module: The solution's, of the same sizes.
        x: Tokens.
        numbers: The numbers of each part.
        guesses: Guesses which parameter plays which part.
    """
    d_model, heads, _ = handle.built_with[0]
    shapes = shapes_of(handle)
    _ = handle.eval()
    module.eval()

    def right(values: Any, parts: Silent, tokens: torch.Tensor) -> bool:
        handle.load(values)
        load(module, {key: parts.of(key, tuple(value.shape)) for key, value in module.named_parameters()})
        with torch.no_grad():
            expected = module(tokens.double())
        answer = compare.require_real(handle(tokens), tuple(tokens.shape))
        return near(answer, expected)

    try:
        whole, feed, attention, norms = (Silent(numbers, parts) for parts in ((), ATTENTION, FEED, SUBLAYERS))
        zeros = {name: torch.zeros(shape) for name, shape in shapes.items()}
        for values in (zeros, next(guesses(shapes, d_model, heads, norms), zeros)):
            handle.load(values)
            passed = compare.require_real(handle(x), tuple(x.shape)).double()
            if not torch.isfinite(passed).all():
                return NOT_A_NUMBER
            if not near(passed, x):
                return PATHS
        found: list[Diagnosis] = []
        for guess in zip(*(guesses(shapes, d_model, heads, parts) for parts in (whole, feed, attention)), strict=True):
            if right(guess[0], whole, x):
                return None
            without_attention, without_feed = right(guess[1], feed, x), right(guess[2], attention, x)
            if without_attention and without_feed:
                return HANDED_ON
            if without_feed:
                return FEED_HALF
            if without_attention:
                found.append(WEIGHING if right(guess[2], attention, x[:, :1]) else ATTENTION_HALF)
    except CheckFailed:
        return None
    return next((each for each in (WEIGHING, ATTENTION_HALF) if each in found), None)
