"""Wrong answers to `apply_causal_mask`, each with the hint that a student with this answer gets."""

import torch
from torch import nn

from grader.course.variants import helper, mistake


@helper
def future_of(scores):
    """Return a bool tensor like the scores, True where a position is to be hidden."""
    return torch.ones_like(scores, dtype=torch.bool).triu(1)


@mistake(
    marks="trivial",
    hint="Nothing is hidden: the scores are returned as they came.",
    ko="가려진 것이 없습니다. 받은 점수가 그대로 나왔습니다.",
)
def apply_nothing(scores):
    return scores.clone()


@mistake(
    marks="slip",
    hint="The diagonal is hidden too, so nothing is left of the first row.",
    ko="대각선까지 가려 첫 행에 남는 것이 없습니다.",
)
def apply_hides_the_diagonal(scores):
    return scores.masked_fill(torch.ones_like(scores).triu() > 0, float("-inf"))


@mistake(hint="Every token still sees one token of the future.", ko="아직 미래의 토큰 하나를 봅니다.", marks="slip")
def apply_one_step_leak(scores):
    return scores.masked_fill(torch.ones_like(scores).triu(2) > 0, float("-inf"))


@mistake(hint="The past is hidden: the mask is transposed.", ko="마스크가 전치되어 과거를 가립니다.", marks="slip")
def apply_hides_the_past(scores):
    return scores.masked_fill(future_of(scores).mT, float("-inf"))


@mistake(hint="The mask hides what should be visible: invert it.", ko="보여야 할 곳을 가렸습니다. 반대로 하세요.")
def apply_inverted(scores):
    return scores.masked_fill(~future_of(scores), float("-inf"))


@mistake(
    marks="slip",
    hint="The hidden scores became 0; a score of 0 still gets a weight, minus infinity does not.",
    ko="가려진 점수가 0이 되었습니다. 점수 0은 가중치를 받지만 음의 무한대는 받지 않습니다.",
)
def apply_zeros(scores):
    return scores.tril()


@mistake(
    marks="slip",
    hint="The fill is tiny instead of hugely negative (-1e-9 is nearly 0); minus infinity is asked for.",
    ko="채운 수가 아주 큰 음수가 아니라 아주 작은 수입니다(-1e-9는 거의 0). 음의 무한대여야 합니다.",
)
def apply_fill_of_minus_tiny(scores):
    return scores.masked_fill(future_of(scores), -1e-9)


@mistake(
    marks="slip",
    hint="A large negative number hides as well, but here minus infinity itself is asked for.",
    ko="큰 음수로도 가려지지만, 여기서는 음의 무한대 자체가 필요합니다.",
)
def apply_fill_of_minus_1e9(scores):
    return scores.masked_fill(future_of(scores), -1e9)


@mistake(
    hint="The scores are multiplied by the mask of infinities (0 * inf = NaN, and visible ones become 0); add or fill it.",
    ko="무한대 마스크를 점수에 곱했습니다(0 * inf = NaN, 보이는 점수는 0). 더하거나 채우세요.",
)
def apply_multiplied(scores):
    return scores * torch.full_like(scores, float("-inf")).triu(1)


@mistake(
    hint="`masked_fill` wants a mask of bools: turn it with .bool().",
    ko="`masked_fill`에는 bool 마스크가 필요합니다. .bool()로 바꾸세요.",
)
def apply_mask_of_numbers(scores):
    return scores.masked_fill(torch.ones(scores.shape[-2:]).triu(1), float("-inf"))


@mistake(
    hint="The sign is wrong: plus infinity takes all the weight instead of none.",
    ko="부호가 반대입니다. 양의 무한대는 가중치를 모두 가져갑니다.",
)
def apply_plus_infinity(scores):
    return scores.masked_fill(future_of(scores), float("inf"))


@mistake(
    hint="0 times infinity is NaN, so multiplying a mask with infinity spoils the visible scores: replace, don't multiply.",
    ko="0 곱하기 무한대는 NaN이라, 마스크에 무한대를 곱하면 보이는 점수가 망가집니다. 곱하지 말고 바꾸어 넣으세요.",
)
def apply_zero_times_infinity(scores):
    return scores + future_of(scores).to(scores.dtype) * float("-inf")


@mistake(
    hint="The mask of ones is subtracted, so hidden scores are merely 1 lower.",
    ko="1로 된 마스크를 빼서, 가려져야 할 점수가 1만큼 작아질 뿐입니다.",
)
def apply_one_subtracted(scores):
    return scores - future_of(scores).to(scores.dtype)


@mistake(hint="A score of 0 is not hidden: ask for the position.", ko="점수 0이 아니라 위치로 가리세요.")
def apply_zeros_taken_for_hidden(scores):
    visible = scores.tril()
    return visible.masked_fill(visible == 0, float("-inf"))


@mistake(
    hint="These are weights already; the softmax comes in the next step.",
    ko="이미 가중치입니다. 소프트맥스는 다음 단계에서 합니다.",
)
def apply_and_softmax(scores):
    return torch.softmax(scores.masked_fill(future_of(scores), float("-inf")), dim=-1)


@mistake(hint="Only the first item of the batch is masked.", ko="배치의 첫 항목만 가려졌습니다.")
def apply_first_item_alone(scores):
    masked = scores.clone()
    first = masked if masked.dim() == 2 else masked[0]
    first.masked_fill_(future_of(first), float("-inf"))
    return masked


@mistake(
    hint="The mask always has the size of the note's example; take it from the scores.",
    ko="마스크가 항상 노트의 예제 크기입니다. 점수에서 크기를 가져오세요.",
)
def apply_size_of_the_note(scores):
    T = 3 if scores.dim() == 3 else 6
    return scores.masked_fill(torch.ones(T, T, device=scores.device).triu(1) > 0, float("-inf"))


@mistake(hint="Axes of size 1 are dropped: keep the scores' shape.", ko="크기 1인 축이 사라집니다. 모양을 지키세요.")
def apply_squeezed(scores):
    return scores.masked_fill(future_of(scores), float("-inf")).squeeze()


@mistake(
    marks="point",
    hint="`masked_fill_` with the underscore changes the caller's scores; a new tensor is asked for.",
    ko="밑줄이 붙은 `masked_fill_`은 부른 쪽의 점수를 바꿉니다. 새 텐서를 반환하세요.",
)
def apply_in_place(scores):
    return scores.masked_fill_(future_of(scores), float("-inf"))


@mistake(
    marks="point",
    hint="The result is cut off from the scores (detach, .data, torch.tensor): no gradient can flow back.",
    ko="결과가 점수와 끊겨(detach, .data, torch.tensor) 그래디언트가 흐르지 않습니다.",
)
def apply_detached(scores):
    return scores.detach().masked_fill(future_of(scores), float("-inf"))


@mistake(hint="Always float32: keep the dtype of the scores.", ko="항상 float32입니다. 점수의 dtype을 지키세요.")
def apply_into_float32(scores):
    return scores.float().masked_fill(future_of(scores), float("-inf"))


@mistake(hint="This is the mask alone; use the scores.", ko="마스크뿐입니다. 점수를 쓰지 않았습니다.", marks="trivial")
def apply_mask_alone(scores):
    return torch.zeros_like(scores).masked_fill(future_of(scores), float("-inf"))


@mistake(
    marks="library",
    hint="The mask that is added is the library's; make it yourself.",
    ko="더한 마스크가 라이브러리의 것입니다. 직접 만드세요.",
)
def apply_by_library(scores):
    mask = nn.Transformer.generate_square_subsequent_mask(scores.shape[-1], device=scores.device)
    return scores + mask.to(scores.dtype)


@mistake(hint="Only three tokens are visible, not all earlier ones.", ko="앞의 토큰 모두가 아니라 셋만 보입니다.")
def apply_window_of_three(scores):
    return scores.masked_fill(torch.ones_like(scores).tril().triu(-2) == 0, float("-inf"))


@mistake(hint="Visible scores can be below the fill value: use -inf.", ko="더 작은 점수도 있습니다. -inf를 쓰세요.")
def apply_fill_of_minus_10(scores):
    return scores.masked_fill(future_of(scores), -10.0)


@mistake(hint="Visible scores can be below the fill value: use -inf.", ko="더 작은 점수도 있습니다. -inf를 쓰세요.")
def apply_fill_of_minus_100(scores):
    return scores.masked_fill(future_of(scores), -100.0)


@mistake(hint="Fill with -inf, not with the smallest number.", ko="가장 작은 수가 아니라 -inf로 채우세요.")
def apply_fill_of_the_smallest(scores):
    return scores.masked_fill(future_of(scores), torch.finfo(scores.dtype).min)


@mistake(hint="The triangle is mirrored left to right.", ko="삼각형이 좌우로 뒤집혔습니다.")
def apply_mirrored(scores):
    return scores.masked_fill(future_of(scores).flip(-1), float("-inf"))
