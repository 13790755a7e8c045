"""Wrong answers to `apply_causal_mask`, each with the hint that a student with this answer gets."""

import math

import torch
from torch import nn

from grader.course.variants import helper, mistake


@helper
def future_of(scores):
    """Return a bool tensor like the scores, True where a position is to be hidden."""
    return torch.ones_like(scores, dtype=torch.bool).triu(1)


@helper
def first_kept(compute):
    """Return a function that computes once and gives the same result ever after."""
    kept = []

    def answer(*parts):
        if not kept:
            kept.append(compute(*parts))
        return kept[0]

    return answer


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


@mistake(
    marks="slip",
    hint="Every token still sees one token of the future.",
    ko="모든 토큰이 아직 미래의 토큰 하나를 봅니다.",
)
def apply_one_step_leak(scores):
    return scores.masked_fill(torch.ones_like(scores).triu(2) > 0, float("-inf"))


@mistake(
    marks="slip",
    hint="The past is hidden and the future is not: the mask is transposed.",
    ko="과거를 가리고 미래를 보입니다. 마스크가 전치되었습니다.",
)
def apply_hides_the_past(scores):
    return scores.masked_fill(future_of(scores).mT, float("-inf"))


@mistake(
    hint="The mask is used the other way round: what should be visible is hidden.",
    ko="마스크를 반대로 썼습니다. 보여야 할 곳이 가려졌습니다.",
)
def apply_inverted(scores):
    return scores.masked_fill(~future_of(scores), float("-inf"))


@mistake(
    hint="The triangle is mirrored: its edge runs from the upper right to the lower left.",
    ko="삼각형이 좌우로 뒤집혔습니다. 경계가 오른쪽 위에서 왼쪽 아래로 갑니다.",
)
def apply_mirrored(scores):
    return scores.masked_fill(future_of(scores).flip(-1), float("-inf"))


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
    hint="A large negative number hides as well, but here minus infinity itself is asked for.",
    ko="큰 음수로도 가려지지만, 여기서는 음의 무한대 자체가 필요합니다.",
    twins=("apply_smallest_number",),
)
def apply_fill_of_minus_1e9(scores):
    return scores.masked_fill(future_of(scores), -1e9)


@mistake(
    hint="The most negative number of the dtype is not yet minus infinity, which is asked for here.",
    ko="dtype의 가장 작은 수는 아직 음의 무한대가 아닙니다. 여기서는 음의 무한대가 필요합니다.",
    twins=("apply_fill_of_minus_1e9",),
)
def apply_smallest_number(scores):
    return scores.masked_fill(future_of(scores), torch.finfo(scores.dtype).min)


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
    hint="The result is transposed.",
    ko="결과가 전치되었습니다.",
)
def apply_transposed(scores):
    return scores.masked_fill(future_of(scores), float("-inf")).mT


@mistake(
    hint="A detached tensor still is the caller's: it was changed in place, and no gradient goes through it.",
    ko="detach한 텐서도 부른 쪽의 것입니다. 제자리에서 바뀌었고 그래디언트도 끊겼습니다.",
)
def apply_in_place_detached(scores):
    result = scores.detach()
    result[..., torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)] = float("-inf")
    return result


@mistake(
    hint="The size of the mask is taken from the second axis; it is the last two that count.",
    ko="마스크의 크기를 둘째 축에서 가져왔습니다. 마지막 두 축이 중요합니다.",
)
def apply_size_of_the_second_axis(scores):
    T = scores.shape[1]
    return scores.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), float("-inf"))


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


@mistake(
    hint="Every score of 0 was taken for a hidden one; ask for the position, not for the value.",
    ko="점수가 0인 곳을 모두 가려진 곳으로 보았습니다. 값이 아니라 위치로 정하세요.",
)
def apply_zeros_taken_for_hidden(scores):
    visible = scores.tril()
    return visible.masked_fill(visible == 0, float("-inf"))


@mistake(
    hint="These are weights already; the softmax comes in the next step.",
    ko="이미 가중치입니다. 소프트맥스는 다음 단계에서 합니다.",
)
def apply_and_softmax(scores):
    return torch.softmax(scores.masked_fill(future_of(scores), float("-inf")), dim=-1)


@mistake(
    hint="The scores are scaled as well; here they are only hidden, and the others stay as they came.",
    ko="점수를 나누기까지 했습니다. 여기서는 가리기만 하고 나머지는 받은 그대로 둡니다.",
)
def apply_scaled(scores):
    return scores.masked_fill(future_of(scores), float("-inf")) / math.sqrt(scores.shape[-1])


@mistake(
    hint="Only the first item of the batch is masked.",
    ko="배치의 첫 항목만 가려졌습니다.",
)
def apply_first_item_alone(scores):
    masked = scores.clone()
    first = masked if masked.dim() == 2 else masked[0]
    first.masked_fill_(future_of(first), float("-inf"))
    return masked


@mistake(
    hint="The size of the mask is taken from the first axis; in a batch that is not the number of tokens.",
    ko="마스크의 크기를 첫 축에서 가져왔습니다. 배치에서는 그것이 토큰의 수가 아닙니다.",
)
def apply_size_of_the_first_axis(scores):
    T = scores.shape[0]
    return scores.masked_fill(torch.ones(T, T, device=scores.device).triu(1) > 0, float("-inf"))


@mistake(
    hint="The mask always has the size of the note's example; take it from the scores.",
    ko="마스크가 항상 노트의 예제 크기입니다. 점수에서 크기를 가져오세요.",
)
def apply_size_of_the_note(scores):
    T = 3 if scores.dim() == 3 else 6
    return scores.masked_fill(torch.ones(T, T, device=scores.device).triu(1) > 0, float("-inf"))


@mistake(
    hint="The result of the first call is given again: compute it anew in every call.",
    ko="처음 계산한 결과를 다시 줍니다. 부를 때마다 새로 계산하세요.",
)
@first_kept
def apply_kept_from_the_first_call(scores):
    return scores.masked_fill(future_of(scores), float("-inf"))


@mistake(
    hint="Axes of size 1 are dropped; the result has the shape of the scores.",
    ko="크기가 1인 축이 사라집니다. 결과의 모양은 점수와 같아야 합니다.",
)
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
    hint="An assignment to a part of the scores changes the caller's tensor; work on a copy.",
    ko="점수의 일부에 값을 넣으면 부른 쪽의 텐서가 바뀝니다. 사본으로 계산하세요.",
)
def apply_in_place_without_graph(scores):
    with torch.no_grad():
        scores[future_of(scores)] = float("-inf")
    return scores.clone()


@mistake(
    hint="With a single token the scores themselves are returned; a new tensor is asked for in every case.",
    ko="토큰이 하나이면 받은 점수 자체를 반환합니다. 어느 경우에나 새 텐서를 반환하세요.",
)
def apply_single_token_returned(scores):
    if scores.shape[-1] == 1:
        return scores
    return scores.masked_fill(future_of(scores), float("-inf"))


@mistake(
    marks="point",
    hint="The result is cut off from the scores (detach, .data, torch.tensor): no gradient can flow back.",
    ko="결과가 점수와 끊겨(detach, .data, torch.tensor) 그래디언트가 흐르지 않습니다.",
)
def apply_detached(scores):
    return scores.detach().masked_fill(future_of(scores), float("-inf"))


@mistake(
    hint="The result is always float32; keep the dtype of the scores.",
    ko="결과가 항상 float32입니다. 점수의 dtype을 지키세요.",
)
def apply_into_float32(scores):
    return scores.float().masked_fill(future_of(scores), float("-inf"))


@mistake(
    hint="The mask that is added is float32, so scores in half precision become float32 too; give it their dtype.",
    ko="더한 마스크가 float32라서 반정밀도 점수도 float32가 됩니다. 마스크에 점수의 dtype을 주세요.",
)
def apply_mask_of_float32_added(scores):
    T = scores.shape[-1]
    return scores + torch.full((T, T), float("-inf")).triu(1)


@mistake(
    hint="The scores go through float32 on their way, which costs those in float64 half of their digits.",
    ko="점수가 중간에 float32를 거쳐, float64 점수는 자릿수의 절반을 잃습니다.",
)
def apply_through_float32(scores):
    return scores.float().masked_fill(future_of(scores), float("-inf")).to(scores.dtype)


@mistake(
    hint="This is the mask alone; the scores are never used.",
    ko="마스크뿐입니다. 점수를 쓰지 않았습니다.",
    marks="trivial",
)
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
