"""Wrong answers to `causal_attention_weights`, each with the hint that a student with this answer gets."""

import math

import torch
from torch.nn import functional as F

from grader.course.variants import helper, mistake


@helper
def future_of(scores):
    """Return a bool tensor like the scores, True where a position is to be hidden."""
    return torch.ones_like(scores, dtype=torch.bool).triu(1)


@helper
def shared(scores, hidden, scale, fill=float("-inf"), dim=-1):
    """Return the softmax of scores divided by the scale, filled where hidden."""
    return torch.softmax(scores.masked_fill(hidden, fill) / scale, dim=dim)


@mistake(marks="slip", hint="Divide the scores by the root of d_k.", ko="점수를 d_k의 제곱근으로 나누세요.")
def weights_no_scaling(scores, d_k):
    return shared(scores, future_of(scores), 1)


@mistake(
    hint="Divide by the root of the key size, not by it.", ko="키 크기가 아니라 그 제곱근으로 나누세요.", marks="slip"
)
def weights_by_d_k(scores, d_k):
    return shared(scores, future_of(scores), d_k)


@mistake(
    hint="The weights are scaled after the softmax, so rows no longer sum to 1; scale the scores.",
    ko="소프트맥스 뒤에 가중치를 나누어 행의 합이 1이 아닙니다. 점수를 나누세요.",
)
def weights_scaled_afterwards(scores, d_k):
    return shared(scores, future_of(scores), 1) / math.sqrt(d_k)


@mistake(marks="slip", hint="Nothing is hidden: the future gets weight.", ko="가리지 않아 미래도 가중치를 받습니다.")
def weights_not_masked(scores, d_k):
    return torch.softmax(scores / math.sqrt(d_k), dim=-1)


@mistake(
    hint="The future is struck out after the softmax, so its share is missing and rows sum to less than 1: hide the scores.",
    ko="소프트맥스 뒤에 미래를 지워, 그 몫이 빠지고 행의 합이 1보다 작습니다. 점수를 가리세요.",
    marks="slip",
)
def weights_masked_afterwards(scores, d_k):
    return torch.softmax(scores / math.sqrt(d_k), dim=-1).tril()


@mistake(hint="The diagonal is hidden too: row 0 is NaN.", ko="대각선까지 가려 첫 행이 NaN입니다.")
def weights_diagonal_hidden(scores, d_k):
    return shared(scores, torch.ones_like(scores).triu() > 0, math.sqrt(d_k))


@mistake(hint="Every token still sees one token of the future.", ko="아직 미래의 토큰 하나를 봅니다.", marks="slip")
def weights_one_step_leak(scores, d_k):
    return shared(scores, torch.ones_like(scores).triu(2) > 0, math.sqrt(d_k))


@mistake(hint="The mask hides what should be visible: invert it.", ko="보여야 할 곳을 가렸습니다. 반대로 하세요.")
def weights_mask_inverted(scores, d_k):
    return shared(scores, ~future_of(scores), math.sqrt(d_k))


@mistake(
    hint="The hidden scores became 0, and the exponential of 0 is 1: they still get weight.",
    ko="가려진 점수가 0이 되었습니다. 0의 지수는 1이라 여전히 가중치를 받습니다.",
)
def weights_zeros_for_hidden(scores, d_k):
    return torch.softmax(scores.tril() / math.sqrt(d_k), dim=-1)


@mistake(
    hint="The fill is tiny instead of hugely negative: -1e-9 is nearly 0.",
    ko="채운 수가 아주 큰 음수가 아니라 아주 작은 수입니다. -1e-9는 거의 0입니다.",
)
def weights_fill_of_minus_tiny(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(d_k), fill=-1e-9)


@mistake(hint="Visible scores can be below the fill value: use -inf.", ko="더 작은 점수도 있습니다. -inf를 쓰세요.")
def weights_fill_of_minus_100(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(d_k), fill=-100.0)


@mistake(
    hint="The sign is wrong: plus infinity takes all the weight (and gives NaN).",
    ko="부호가 반대입니다. 양의 무한대는 가중치를 모두 가져갑니다(NaN이 됩니다).",
)
def weights_plus_infinity(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(d_k), fill=float("inf"))


@mistake(hint="A score of 0 is not hidden: ask for the position.", ko="점수 0이 아니라 위치로 가리세요.")
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


@mistake(hint="A second softmax flattens the weights.", ko="소프트맥스를 두 번 해 가중치가 평평합니다.")
def weights_softmax_twice(scores, d_k):
    once = torch.softmax(scores / math.sqrt(d_k), dim=-1)
    return shared(once, future_of(scores), 1)


@mistake(hint="Only the first item of the batch is masked.", ko="배치의 첫 항목만 가려졌습니다.")
def weights_first_item_alone(scores, d_k):
    masked = scores.clone()
    first = masked if masked.dim() == 2 else masked[0]
    first.masked_fill_(future_of(first), float("-inf"))
    return torch.softmax(masked / math.sqrt(d_k), dim=-1)


@mistake(hint="Axes of size 1 are dropped: the shape has to stay.", ko="크기 1인 축이 사라집니다. 모양을 지키세요.")
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


@mistake(hint="These are the scores as they came.", ko="받은 점수 그대로입니다.", marks="trivial")
def weights_scores_returned(scores, d_k):
    return scores.clone()


@mistake(hint="Always float32: keep the dtype of the scores.", ko="항상 float32입니다. 점수의 dtype을 지키세요.")
def weights_into_float32(scores, d_k):
    return shared(scores.float(), future_of(scores), math.sqrt(d_k))


@mistake(hint="Only three tokens are visible, not all earlier ones.", ko="앞의 토큰 모두가 아니라 셋만 보입니다.")
def weights_window_of_three(scores, d_k):
    return shared(scores, torch.ones_like(scores).tril().triu(-2) == 0, math.sqrt(d_k))


@mistake(hint="The past is hidden: the mask is transposed.", ko="마스크가 전치되어 과거를 가립니다.")
def weights_past_hidden(scores, d_k):
    return shared(scores, future_of(scores).mT, math.sqrt(d_k))


@mistake(hint="Visible scores can be below the fill value: use -inf.", ko="더 작은 점수도 있습니다. -inf를 쓰세요.")
def weights_fill_of_minus_10(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(d_k), fill=-10.0 * math.sqrt(d_k))


@mistake(hint="1 less is not hidden: fill with -inf.", ko="1을 빼도 가려지지 않습니다. -inf로 채우세요.")
def weights_one_subtracted(scores, d_k):
    return torch.softmax(scores / math.sqrt(d_k) - future_of(scores).to(scores), dim=-1)


@mistake(hint="The mask is mirrored left to right.", ko="마스크가 좌우로 뒤집혔습니다.")
def weights_mirrored(scores, d_k):
    return shared(scores, future_of(scores).flip(-1), math.sqrt(d_k))


@mistake(hint="The columns are divided by their sums, not the rows.", ko="행이 아니라 열을 합으로 나누었습니다.")
def weights_renormalised_by_columns(scores, d_k):
    weights = torch.softmax(scores / math.sqrt(d_k), dim=-1).tril()
    return weights / weights.sum(dim=-2, keepdim=True)


@mistake(hint="Divide by the sum, not by the Euclidean length.", ko="유클리드 길이가 아니라 합으로 나누세요.")
def weights_by_length(scores, d_k):
    weights = shared(scores, future_of(scores), math.sqrt(d_k))
    return weights / weights.norm(dim=-1, keepdim=True)


@mistake(hint="Divide by the sum: a row's largest weight is 1.", ko="합으로 나누세요. 행의 최댓값이 1입니다.")
def weights_not_divided(scores, d_k):
    weights = shared(scores, future_of(scores), math.sqrt(d_k))
    return weights / weights.amax(dim=-1, keepdim=True)


@mistake(marks="point", hint="Large scores overflow: subtract row maxima.", ko="넘치지 않게 행의 최댓값을 빼세요.")
def weights_without_a_shift(scores, d_k):
    powers = torch.exp(scores / math.sqrt(d_k)).tril()
    return powers / powers.sum(dim=-1, keepdim=True)


@mistake(
    marks="device",
    hint="The mask is made on the CPU: give it device=scores.device.",
    ko="마스크를 CPU에서 만들었습니다. device=scores.device를 주세요.",
)
def causal_weights_mask_on_the_cpu(scores, d_k):
    hidden = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    return torch.softmax(scores.masked_fill(hidden, float("-inf")) / math.sqrt(d_k), dim=-1)


@mistake(
    marks="point",
    hint="Weights that are struck out after the softmax vanish where a hidden score is far above: mask the scores.",
    ko="가려진 점수가 훨씬 크면 소프트맥스 뒤에 지운 가중치가 사라집니다. 점수를 가리세요.",
)
def weights_shared_anew(scores, d_k):
    weights = F.softmax(scores / math.sqrt(d_k), dim=-1).tril()
    return weights / weights.sum(dim=-1, keepdim=True)


@mistake(
    marks="point",
    hint="Where a hidden score is far above, its exponential is infinite and the gradient NaN: mask the scores first.",
    ko="가려진 점수가 훨씬 크면 지수가 무한대가 되고 그래디언트가 NaN이 됩니다. 점수를 먼저 가리세요.",
)
def weights_hidden_after_exponentials(scores, d_k):
    scores, future = scores / math.sqrt(d_k), future_of(scores)
    shift = scores.masked_fill(future, float("-inf")).amax(dim=-1, keepdim=True)
    powers = torch.exp(scores - shift).masked_fill(future, 0.0)
    return powers / powers.sum(dim=-1, keepdim=True)
