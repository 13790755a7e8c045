"""Wrong answers to `causal_attention_weights`, each with the hint that a student with this answer gets."""

import math

import torch

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
    marks="slip",
    hint="The scores are divided by d_k itself; take its root.",
    ko="점수를 d_k 자체로 나누었습니다. 제곱근을 쓰세요.",
)
def weights_by_d_k(scores, d_k):
    return shared(scores, future_of(scores), d_k)


@mistake(
    hint="The scores are multiplied by the root of d_k; divide by it.",
    ko="점수에 d_k의 제곱근을 곱했습니다. 나누세요.",
)
def weights_multiplied(scores, d_k):
    return shared(scores, future_of(scores), d_k**-0.5)


@mistake(
    hint="The scores are divided by the root of the number of tokens; it is the features of a key that count.",
    ko="점수를 토큰 수의 제곱근으로 나누었습니다. 키의 특징 수를 쓰세요.",
)
def weights_by_root_of_tokens(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(scores.shape[-1]))


@mistake(
    hint="The root was rounded to a whole number.",
    ko="제곱근이 정수로 반올림되었습니다.",
)
def weights_by_whole_root(scores, d_k):
    return shared(scores, future_of(scores), math.isqrt(d_k))


@mistake(
    hint="The fourth root was taken, half of the scaling.",
    ko="네제곱근으로 나누어 스케일링이 절반만 되었습니다.",
)
def weights_by_fourth_root(scores, d_k):
    return shared(scores, future_of(scores), d_k**0.25)


@mistake(
    hint="The divisor is always that of the note's example; take it from d_k.",
    ko="나누는 수가 항상 노트의 예제와 같습니다. d_k에서 구하세요.",
)
def weights_d_k_of_the_note(scores, d_k):
    return shared(scores, future_of(scores), 2**0.5)


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
    hint="Minus infinity was filled in after the softmax; hide the scores before it.",
    ko="소프트맥스 뒤에 음의 무한대를 채웠습니다. 그 전에 점수를 가리세요.",
)
def weights_infinity_afterwards(scores, d_k):
    return torch.softmax(scores / math.sqrt(d_k), dim=-1).masked_fill(future_of(scores), float("-inf"))


@mistake(
    hint="The diagonal is hidden too, with a fill that leaves the first row even shares: a token sees itself.",
    ko="대각선까지 가렸습니다. 토큰은 자신을 봅니다.",
)
def weights_diagonal_hidden_by_1e9(scores, d_k):
    hidden = torch.ones_like(scores, dtype=torch.bool).triu(0)
    return torch.softmax(scores.masked_fill(hidden, -1e9) / math.sqrt(d_k), dim=-1)


@mistake(
    hint="The past is hidden and the future is not: the mask is transposed.",
    ko="과거를 가리고 미래를 보입니다. 마스크가 전치되었습니다.",
)
def weights_past_hidden(scores, d_k):
    return shared(scores, future_of(scores).mT, math.sqrt(d_k))


@mistake(
    hint="The mask is used the other way round: what should be visible is hidden.",
    ko="마스크를 반대로 썼습니다. 보여야 할 곳이 가려졌습니다.",
)
def weights_mask_inverted(scores, d_k):
    return shared(scores, ~future_of(scores), math.sqrt(d_k))


@mistake(
    hint="The triangle is mirrored: its edge runs from the upper right to the lower left.",
    ko="삼각형이 좌우로 뒤집혔습니다. 경계가 오른쪽 위에서 왼쪽 아래로 갑니다.",
)
def weights_mirrored(scores, d_k):
    return shared(scores, future_of(scores).flip(-1), math.sqrt(d_k))


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
    hint="A fixed number is subtracted from the hidden scores, so a large one is still seen; replace them instead.",
    ko="가려질 점수에서 정해진 수를 빼서, 큰 점수는 여전히 보입니다. 빼지 말고 바꾸어 넣으세요.",
)
def weights_100_subtracted(scores, d_k):
    return torch.softmax((scores - 100.0 * future_of(scores)) / math.sqrt(d_k), dim=-1)


@mistake(
    hint="A small number is added to the sum that shares the weights anew; where the visible ones are tiny, it is most "
    "of the divisor, and rows no longer sum to 1.",
    ko="다시 나눌 합에 작은 수를 더했습니다. 보이는 가중치가 아주 작으면 그 수가 나누는 값의 대부분이 되어 행의 합이 1이 "
    "아닙니다.",
)
def weights_shared_anew_with_a_small_number(scores, d_k):
    weights = torch.softmax(scores / math.sqrt(d_k), dim=-1).tril()
    return weights / (weights.sum(dim=-1, keepdim=True) + 1e-12)


@mistake(
    hint="The sign is wrong: plus infinity takes all the weight (and gives NaN).",
    ko="부호가 반대입니다. 양의 무한대는 가중치를 모두 가져갑니다(NaN이 됩니다).",
)
def weights_plus_infinity(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(d_k), fill=float("inf"))


@mistake(
    hint="0 times infinity is NaN, so multiplying a mask with infinity spoils every row: replace, don't multiply.",
    ko="0 곱하기 무한대는 NaN이라, 마스크에 무한대를 곱하면 모든 행이 망가집니다. 곱하지 말고 바꾸어 넣으세요.",
)
def weights_zero_times_infinity(scores, d_k):
    return torch.softmax((scores + future_of(scores) * float("-inf")) / math.sqrt(d_k), dim=-1)


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
    hint="These are logarithms of weights; the weights themselves are asked for.",
    ko="가중치의 로그입니다. 가중치 자체가 필요합니다.",
)
def weights_logarithms(scores, d_k):
    return torch.log_softmax(scores.masked_fill(future_of(scores), float("-inf")) / math.sqrt(d_k), dim=-1)


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
    hint="The result of the first call is given again: compute it anew in every call.",
    ko="처음 계산한 결과를 다시 줍니다. 부를 때마다 새로 계산하세요.",
)
@first_kept
def weights_kept_from_the_first_call(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(d_k))


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
    hint="The caller's scores were divided in place (`/=`); work on a new tensor.",
    ko="부른 쪽의 점수를 제자리에서 나누었습니다(`/=`). 새 텐서로 계산하세요.",
)
def weights_scaled_in_place(scores, d_k):
    scores /= math.sqrt(d_k)
    return shared(scores, future_of(scores), 1)


@mistake(
    marks="point",
    hint="The result is cut off from the scores (detach, .data, no_grad): no gradient can flow back.",
    ko="결과가 점수와 끊겨(detach, .data, no_grad) 그래디언트가 흐르지 않습니다.",
)
def weights_detached(scores, d_k):
    return shared(scores.data, future_of(scores), math.sqrt(d_k))


@mistake(
    hint="A plain exponential overflows where scores are large, and is 0 in a whole row where they are far below zero: "
    "subtract each row's largest visible score first.",
    ko="점수가 크면 지수 함수가 넘치고, 아주 작으면 한 행이 모두 0이 됩니다. 먼저 각 행에서 보이는 점수의 최댓값을 빼세요.",
)
def weights_by_plain_exponential(scores, d_k):
    exponentials = (scores / math.sqrt(d_k)).exp().tril()
    return exponentials / exponentials.sum(dim=-1, keepdim=True)


@mistake(
    hint="The fill is not low enough: a visible score may lie below -1000.",
    ko="채운 수가 충분히 작지 않습니다. 보이는 점수가 -1000보다 작을 수 있습니다.",
)
def weights_fill_of_minus_1000(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(d_k), fill=-1000.0)


@mistake(
    hint="The mask that is added is float32, so scores in half precision become float32 too; give it their dtype.",
    ko="더한 마스크가 float32라서 반정밀도 점수도 float32가 됩니다. 마스크에 점수의 dtype을 주세요.",
)
def weights_mask_of_float32_added(scores, d_k):
    T = scores.shape[-1]
    return torch.softmax((scores + torch.full((T, T), float("-inf")).triu(1)) / math.sqrt(d_k), dim=-1)


@mistake(
    hint="The softmax runs in float32, which costs scores in float64 half of their digits.",
    ko="소프트맥스를 float32로 계산하여, float64 점수는 자릿수의 절반을 잃습니다.",
)
def weights_through_float32(scores, d_k):
    return shared(scores.float(), future_of(scores), math.sqrt(d_k)).to(scores.dtype)


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
