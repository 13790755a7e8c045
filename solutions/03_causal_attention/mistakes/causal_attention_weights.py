"""Wrong answers to `causal_attention_weights`, each with the hint that a student with this answer gets."""

import math

import torch

from grader.course.variants import helper, mistake


@helper
def future_of(scores):
    """Return a bool tensor like the scores, True where a position is to be hidden."""
    return torch.ones_like(scores, dtype=torch.bool).triu(1)


@helper
def shared(scores, hidden, scale, fill=float("-inf"), dim=-1):
    """Return the softmax of scores divided by the scale, filled where hidden."""
    return torch.softmax(scores.masked_fill(hidden, fill) / scale, dim=dim)


@mistake(
    marks="slip",
    hint="The scores are not divided by the root of d_k.",
    ko="점수를 d_k의 제곱근으로 나누지 않았습니다.",
)
def weights_no_scaling(scores, d_k):
    return shared(scores, future_of(scores), 1)


@mistake(
    hint="The weights are scaled after the softmax, so rows no longer sum to 1; scale the scores.",
    ko="소프트맥스 뒤에 가중치를 나누어 행의 합이 1이 아닙니다. 점수를 나누세요.",
)
def weights_scaled_afterwards(scores, d_k):
    return shared(scores, future_of(scores), 1) / math.sqrt(d_k)


@mistake(
    marks="slip",
    hint="Nothing is hidden: the future gets weight too.",
    ko="가려진 것이 없습니다. 미래도 가중치를 받습니다.",
)
def weights_not_masked(scores, d_k):
    return torch.softmax(scores / math.sqrt(d_k), dim=-1)


@mistake(
    marks="slip",
    hint="The future is struck out after the softmax, so its share is missing and rows sum to less than 1.",
    ko="소프트맥스 뒤에 미래를 지워, 그 몫이 빠지고 행의 합이 1보다 작습니다.",
)
def weights_masked_afterwards(scores, d_k):
    return torch.softmax(scores / math.sqrt(d_k), dim=-1).tril()


@mistake(
    hint="The diagonal is hidden too, so nothing is left of the first row (NaN).",
    ko="대각선까지 가려 첫 행에 남는 것이 없습니다(NaN).",
)
def weights_diagonal_hidden(scores, d_k):
    return shared(scores, torch.ones_like(scores).triu() > 0, math.sqrt(d_k))


@mistake(
    marks="slip",
    hint="Every token still sees one token of the future.",
    ko="모든 토큰이 아직 미래의 토큰 하나를 봅니다.",
)
def weights_one_step_leak(scores, d_k):
    return shared(scores, torch.ones_like(scores).triu(2) > 0, math.sqrt(d_k))


@mistake(
    hint="The mask is used the other way round: what should be visible is hidden.",
    ko="마스크를 반대로 썼습니다. 보여야 할 곳이 가려졌습니다.",
)
def weights_mask_inverted(scores, d_k):
    return shared(scores, ~future_of(scores), math.sqrt(d_k))


@mistake(
    hint="The hidden scores became 0, and the exponential of 0 is 1: they still get weight.",
    ko="가려진 점수가 0이 되었습니다. 0의 지수는 1이라 여전히 가중치를 받습니다.",
    twins=("weights_fill_of_minus_tiny",),
)
def weights_zeros_for_hidden(scores, d_k):
    return torch.softmax(scores.tril() / math.sqrt(d_k), dim=-1)


@mistake(
    hint="The fill is tiny instead of hugely negative: -1e-9 is nearly 0.",
    ko="채운 수가 아주 큰 음수가 아니라 아주 작은 수입니다. -1e-9는 거의 0입니다.",
    twins=("weights_zeros_for_hidden",),
)
def weights_fill_of_minus_tiny(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(d_k), fill=-1e-9)


@mistake(
    hint="The fill is not low enough: a visible score may lie far below it.",
    ko="채운 수가 충분히 작지 않습니다. 보이는 점수가 그보다 훨씬 작을 수 있습니다.",
)
def weights_fill_of_minus_100(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(d_k), fill=-100.0)


@mistake(
    hint="The sign is wrong: plus infinity takes all the weight (and gives NaN).",
    ko="부호가 반대입니다. 양의 무한대는 가중치를 모두 가져갑니다(NaN이 됩니다).",
)
def weights_plus_infinity(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(d_k), fill=float("inf"))


@mistake(
    hint="Every score of 0 was taken for a hidden one; ask for the position, not for the value.",
    ko="점수가 0인 곳을 모두 가려진 곳으로 보았습니다. 값이 아니라 위치로 정하세요.",
)
def weights_zeros_taken_for_hidden(scores, d_k):
    return shared(scores, scores.tril() == 0, math.sqrt(d_k))


@mistake(
    marks="slip",
    hint="The columns sum to 1, not the rows: the softmax runs over the wrong axis.",
    ko="행이 아니라 열의 합이 1입니다. 소프트맥스의 축이 틀렸습니다.",
)
def weights_softmax_of_columns(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(d_k), dim=-2)


@mistake(
    hint="dim=1 is the last axis of a single matrix only; in a batch it is another one. Count axes from the end.",
    ko="dim=1은 행렬 하나일 때만 마지막 축입니다. 배치에서는 다른 축이니 뒤에서부터 세세요.",
)
def weights_softmax_along_dim_one(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(d_k), dim=1)


@mistake(
    hint="The softmax was taken twice, which flattens the weights.",
    ko="소프트맥스를 두 번 해서 가중치가 평평해졌습니다.",
)
def weights_softmax_twice(scores, d_k):
    once = torch.softmax(scores / math.sqrt(d_k), dim=-1)
    return shared(once, future_of(scores), 1)


@mistake(
    hint="Only the first item of the batch is masked.",
    ko="배치의 첫 항목만 가려졌습니다.",
)
def weights_first_item_alone(scores, d_k):
    masked = scores.clone()
    first = masked if masked.dim() == 2 else masked[0]
    first.masked_fill_(future_of(first), float("-inf"))
    return torch.softmax(masked / math.sqrt(d_k), dim=-1)


@mistake(
    hint="Axes of size 1 are dropped; the result has the shape of the scores.",
    ko="크기가 1인 축이 사라집니다. 결과의 모양은 점수와 같아야 합니다.",
)
def weights_squeezed(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(d_k)).squeeze()


@mistake(
    marks="point",
    hint="The caller's scores were masked in place (`masked_fill_`); work on a new tensor.",
    ko="부른 쪽의 점수를 제자리에서 가렸습니다(`masked_fill_`). 새 텐서로 계산하세요.",
)
def weights_masked_in_place(scores, d_k):
    return torch.softmax(scores.masked_fill_(future_of(scores), float("-inf")) / math.sqrt(d_k), dim=-1)


@mistake(
    marks="point",
    hint="The result is cut off from the scores (detach, .data, no_grad): no gradient can flow back.",
    ko="결과가 점수와 끊겨(detach, .data, no_grad) 그래디언트가 흐르지 않습니다.",
)
def weights_detached(scores, d_k):
    return shared(scores.data, future_of(scores), math.sqrt(d_k))


@mistake(
    hint="The scores are never used: all tokens that are visible share evenly.",
    ko="점수를 쓰지 않았습니다. 보이는 토큰이 모두 똑같이 나누어 가집니다.",
    marks="trivial",
)
def weights_even_shares(scores, d_k):
    return torch.softmax(torch.zeros_like(scores).masked_fill(future_of(scores), float("-inf")), dim=-1)


@mistake(
    hint="These are the scores as they came.",
    ko="받은 점수 그대로입니다.",
    marks="trivial",
)
def weights_scores_returned(scores, d_k):
    return scores.clone()


@mistake(
    hint="The result is always float32; keep the dtype of the scores.",
    ko="결과가 항상 float32입니다. 점수의 dtype을 지키세요.",
)
def weights_into_float32(scores, d_k):
    return shared(scores.float(), future_of(scores), math.sqrt(d_k))


@mistake(
    hint="Only a window of the last three tokens is visible; a token sees itself and all tokens before it.",
    ko="가까운 토큰 셋만 보입니다. 토큰은 자신과 그 앞의 모든 토큰을 봅니다.",
)
def weights_window_of_three(scores, d_k):
    return shared(scores, torch.ones_like(scores).tril().triu(-2) == 0, math.sqrt(d_k))
