"""Wrong variants by name, each with the hint that a student gets, and right ones in other styles.

The wrong ones prove that the suite sees them and name a student's mistake; the right ones prove that the suite asks for
the result and not for a way of writing it.
"""

import functools
import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake, right, solution


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
class Answering:
    """A callable object around a function."""

    def __init__(self, compute):
        self.compute = compute

    def __call__(self, *parts):
        return self.compute(*parts)


# --- causal_mask_simple -----------------------------------------------------------------------------------------------


@mistake(
    "causal_mask_simple",
    marks="slip",
    hint="Rows and columns are swapped: row i belongs to the token that looks, and it looks back, not ahead.",
    ko="행과 열이 바뀌었습니다. i번째 행은 바라보는 토큰이고, 앞이 아니라 지나온 쪽을 봅니다.",
)
def simple_transposed(context_length):
    return torch.ones(context_length, context_length).triu()


@mistake(
    "causal_mask_simple",
    marks="slip",
    hint="The diagonal is 0, so no token may look at itself, and the first one sees nothing at all.",
    ko="대각선이 0이라 어떤 토큰도 자신을 볼 수 없고, 첫 토큰은 아무것도 보지 못합니다.",
)
def simple_without_the_diagonal(context_length):
    return torch.ones(context_length, context_length).tril(-1)


@mistake(
    "causal_mask_simple",
    marks="slip",
    hint="Every token sees one token of the future: the ones go one place too far to the right.",
    ko="모든 토큰이 미래의 토큰 하나를 봅니다. 1이 오른쪽으로 한 칸 더 나갔습니다.",
)
def simple_one_step_ahead(context_length):
    return torch.ones(context_length, context_length).tril(1)


@mistake(
    "causal_mask_simple",
    marks="slip",
    hint="The ones mark what is hidden. Here they mark what a token may look at.",
    ko="1이 가려진 곳을 나타내고 있습니다. 여기서는 볼 수 있는 곳이 1입니다.",
)
def simple_marks_the_future(context_length):
    return torch.ones(context_length, context_length).triu(1)


@mistake(
    "causal_mask_simple",
    marks="trivial",
    hint="Every place is 1, so nothing is hidden: clear one of the triangles.",
    ko="모든 자리가 1이라 아무것도 가려지지 않습니다. 한쪽 삼각형을 지우세요.",
)
def simple_all_visible(context_length):
    return torch.ones(context_length, context_length)


@mistake(
    "causal_mask_simple",
    marks="trivial",
    hint="Only the diagonal is 1, so a token sees itself alone; the tokens before it are visible too.",
    ko="대각선만 1이라 토큰이 자신만 봅니다. 앞의 토큰들도 보여야 합니다.",
)
def simple_diagonal_alone(context_length):
    return torch.eye(context_length)


@mistake(
    "causal_mask_simple",
    hint="The triangle is mirrored: its edge runs from the upper right to the lower left.",
    ko="삼각형이 좌우로 뒤집혔습니다. 경계가 오른쪽 위에서 왼쪽 아래로 갑니다.",
)
def simple_mirrored(context_length):
    return torch.ones(context_length, context_length).tril().flip(-1)


@mistake(
    "causal_mask_simple",
    hint="The rows were divided by their sums already; this mask holds ones and zeros only.",
    ko="행을 이미 합으로 나누었습니다. 이 마스크에는 1과 0만 있습니다.",
)
def simple_rows_shared(context_length):
    mask = torch.ones(context_length, context_length).tril()
    return mask / mask.sum(dim=-1, keepdim=True)


@mistake(
    "causal_mask_simple",
    hint="This mask is meant to be added to scores (0 and -inf); here ones and zeros to multiply with are asked for.",
    ko="점수에 더하는 마스크(0과 -inf)입니다. 여기서는 곱하는 데 쓰는 1과 0이 필요합니다.",
)
def simple_to_be_added(context_length):
    return torch.full((context_length, context_length), float("-inf")).triu(1)


@mistake(
    "causal_mask_simple",
    hint="The size is always that of the note's example; take it from the argument.",
    ko="크기가 항상 노트의 예제와 같습니다. 인자에서 크기를 가져오세요.",
)
def simple_of_the_note(context_length):
    return torch.ones(6, 6).tril()


@mistake(
    "causal_mask_simple",
    hint="The mask of the first call is given again whatever the size: compute it anew in every call.",
    ko="크기가 달라도 처음 만든 마스크를 다시 줍니다. 부를 때마다 새로 계산하세요.",
)
@first_kept
def simple_kept_from_the_first_call(context_length):
    return torch.ones(context_length, context_length).tril()


@mistake(
    "causal_mask_simple",
    hint="There is an axis too many; two are asked for, (T, T).",
    ko="축이 하나 더 있습니다. (T, T) 두 축이어야 합니다.",
)
def simple_with_a_batch_axis(context_length):
    return torch.ones(1, context_length, context_length).tril()


@mistake(
    "causal_mask_simple",
    hint="There are two axes too many, for a batch and for heads; two are asked for, (T, T).",
    ko="배치와 헤드를 위한 축이 두 개 더 있습니다. (T, T) 두 축이어야 합니다.",
)
def simple_for_batch_and_heads(context_length):
    return torch.ones(context_length, context_length).tril().view(1, 1, context_length, context_length)


@mistake(
    "causal_mask_simple",
    hint="Axes of size 1 are dropped, so a single token gives no (1, 1) tensor.",
    ko="크기가 1인 축이 사라져, 토큰이 하나일 때 (1, 1) 텐서가 나오지 않습니다.",
)
def simple_squeezed(context_length):
    return torch.ones(context_length, context_length).tril().squeeze()


@mistake(
    "causal_mask_simple",
    hint="The size is off by one: T tokens give T rows and T columns.",
    ko="크기가 하나 어긋났습니다. 토큰이 T개이면 행도 열도 T개입니다.",
)
def simple_one_token_too_many(context_length):
    return torch.ones(context_length + 1, context_length + 1).tril()


@mistake(
    "causal_mask_simple",
    marks="point",
    hint="The places are right, but the mask holds bools; numbers of the default dtype are asked for.",
    ko="자리는 맞지만 bool입니다. 기본 dtype의 숫자여야 합니다.",
)
def simple_of_bools(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).tril()


@mistake(
    "causal_mask_simple",
    marks="point",
    hint="The places are right, but the mask holds whole numbers; numbers of the default dtype are asked for.",
    ko="자리는 맞지만 정수입니다. 기본 dtype의 숫자여야 합니다.",
)
def simple_of_whole_numbers(context_length):
    rows = [[int(j <= i) for j in range(context_length)] for i in range(context_length)]
    return torch.tensor(rows)


@mistake(
    "causal_mask_simple",
    hint="The places are right, but the numbers are float64 (as those that come from numpy are).",
    ko="자리는 맞지만 float64입니다(numpy에서 온 숫자가 그렇습니다).",
)
def simple_of_float64(context_length):
    return torch.ones(context_length, context_length, dtype=torch.float64).tril()


@mistake(
    "causal_mask_simple",
    hint="The mask is cut out of one of a fixed size, which is too small for longer sequences.",
    ko="정해진 크기의 마스크에서 잘라내어, 더 긴 문장에는 모자랍니다.",
)
def simple_of_256_at_most(context_length):
    return torch.ones(256, 256).tril()[:context_length, :context_length]


@mistake(
    "causal_mask_simple",
    marks="library",
    hint="This is the library's mask, only changed a little; make it yourself.",
    ko="라이브러리의 마스크를 조금 바꾼 것입니다. 직접 만드세요.",
)
def simple_by_library(context_length):
    return torch.exp(nn.Transformer.generate_square_subsequent_mask(context_length))


@right("causal_mask_simple", why="positions compared with each other")
def simple_by_positions(context_length):
    position = torch.arange(context_length)
    return (position[:, None] >= position).float()


@right("causal_mask_simple", why="a loop over the rows of zeros")
def simple_by_rows(context_length):
    mask = torch.zeros(context_length, context_length)
    for i in range(context_length):
        mask[i, : i + 1] = 1
    return mask


@right("causal_mask_simple", why="nested lists")
def simple_by_lists(context_length):
    return torch.tensor([[1.0 if j <= i else 0.0 for j in range(context_length)] for i in range(context_length)])


@right("causal_mask_simple", why="ones less the future")
def simple_less_the_future(context_length):
    return 1 - torch.triu(torch.ones((context_length, context_length)), diagonal=1)


@right("causal_mask_simple", why="a running sum of the identity")
def simple_by_running_sum(context_length):
    return torch.eye(context_length).cumsum(dim=0)


@right("causal_mask_simple", why="a callable object, and indices of the triangle")
@Answering
def simple_by_indices(context_length):
    mask = torch.zeros(context_length, context_length)
    rows, columns = torch.tril_indices(context_length, context_length)
    mask[rows, columns] = 1.0
    return mask


# --- mask_and_renormalize ---------------------------------------------------------------------------------------------


@mistake(
    "mask_and_renormalize",
    marks="slip",
    hint="The future is struck out, but the rows no longer sum to 1: divide each by what is left of it.",
    ko="미래는 지웠지만 행의 합이 1이 아닙니다. 각 행을 남은 합으로 나누세요.",
)
def renormalize_forgotten(attn_weights):
    return attn_weights.tril()


@mistake(
    "mask_and_renormalize",
    marks="trivial",
    hint="Nothing is struck out: the weights are returned as they came.",
    ko="지운 것이 없습니다. 받은 가중치가 그대로 나왔습니다.",
    twins=("renormalize_not_masked",),
)
def renormalize_nothing_done(attn_weights):
    return attn_weights.clone()


@mistake(
    "mask_and_renormalize",
    hint="The rows are divided by their sums, but no weight was struck out before.",
    ko="행을 합으로 나누었지만, 그 전에 지운 가중치가 없습니다.",
    twins=("renormalize_nothing_done",),
)
def renormalize_not_masked(attn_weights):
    return attn_weights / attn_weights.sum(dim=-1, keepdim=True)


@mistake(
    "mask_and_renormalize",
    hint="The sums are those of the whole rows, which are 1 already; sum up what is left after the striking out.",
    ko="전체 행의 합은 이미 1입니다. 지운 다음 남은 것의 합을 구하세요.",
    twins=("renormalize_forgotten",),
)
def renormalize_by_whole_rows(attn_weights):
    return attn_weights.tril() / attn_weights.sum(dim=-1, keepdim=True)


@mistake(
    "mask_and_renormalize",
    marks="slip",
    hint="The columns sum to 1 now, not the rows: the sum runs over the wrong axis.",
    ko="행이 아니라 열의 합이 1입니다. 합을 구하는 축이 틀렸습니다.",
)
def renormalize_columns(attn_weights):
    visible = attn_weights.tril()
    return visible / visible.sum(dim=-2, keepdim=True)


@mistake(
    "mask_and_renormalize",
    hint="dim=1 is the last axis of a single matrix only; in a batch it is another one. Count axes from the end.",
    ko="dim=1은 행렬 하나일 때만 마지막 축입니다. 배치에서는 다른 축이니 뒤에서부터 세세요.",
)
def renormalize_along_dim_one(attn_weights):
    visible = attn_weights.tril()
    return visible / visible.sum(dim=1, keepdim=True)


@mistake(
    "mask_and_renormalize",
    hint="The sums lost their axis, so they divide columns instead of rows: keep the axis.",
    ko="합에서 축이 사라져 행이 아니라 열을 나눕니다. 축을 남겨 두세요.",
)
def renormalize_keepdim_forgotten(attn_weights):
    visible = attn_weights.tril()
    return visible / visible.sum(dim=-1)


@mistake(
    "mask_and_renormalize",
    hint="Everything is divided by one sum, that of the whole tensor; each row has its own.",
    ko="텐서 전체의 합 하나로 나누었습니다. 행마다 자기 합이 있습니다.",
)
def renormalize_by_one_sum(attn_weights):
    visible = attn_weights.tril()
    return visible / visible.sum()


@mistake(
    "mask_and_renormalize",
    hint="The rows are divided by the number of visible tokens; divide by the sum of their weights.",
    ko="보이는 토큰의 수로 나누었습니다. 가중치의 합으로 나누세요.",
)
def renormalize_by_count(attn_weights):
    visible = attn_weights.tril()
    return visible / (visible > 0).sum(dim=-1, keepdim=True)


@mistake(
    "mask_and_renormalize",
    hint="Each row's largest weight became 1; it is the sum that has to be 1.",
    ko="행마다 가장 큰 가중치가 1이 되었습니다. 합이 1이어야 합니다.",
)
def renormalize_by_maximum(attn_weights):
    visible = attn_weights.tril()
    return visible / visible.amax(dim=-1, keepdim=True)


@mistake(
    "mask_and_renormalize",
    hint="A second softmax gives even the zeros a share (e to the 0 is 1); dividing by the sum is enough.",
    ko="소프트맥스를 또 하면 0에도 몫이 생깁니다(e의 0승은 1). 합으로 나누면 됩니다.",
)
def renormalize_by_softmax(attn_weights):
    return torch.softmax(attn_weights.tril(), dim=-1)


@mistake(
    "mask_and_renormalize",
    hint="These are weights already; a softmax over them, even with -inf in the future, flattens them.",
    ko="이미 가중치입니다. 미래를 -inf로 두더라도 소프트맥스를 다시 하면 평평해집니다.",
)
def renormalize_softmax_twice(attn_weights):
    return torch.softmax(attn_weights.masked_fill(future_of(attn_weights), float("-inf")), dim=-1)


@mistake(
    "mask_and_renormalize",
    marks="slip",
    hint="The past is struck out and the future is left: the wrong triangle.",
    ko="과거를 지우고 미래를 남겼습니다. 삼각형이 반대입니다.",
)
def renormalize_past_hidden(attn_weights):
    visible = attn_weights.triu()
    return visible / visible.sum(dim=-1, keepdim=True)


@mistake(
    "mask_and_renormalize",
    marks="slip",
    hint="The diagonal is struck out too, so nothing is left of the first row (0 / 0 is NaN).",
    ko="대각선까지 지워 첫 행에 남는 것이 없습니다(0 / 0은 NaN입니다).",
)
def renormalize_diagonal_hidden(attn_weights):
    visible = attn_weights.tril(-1)
    return visible / visible.sum(dim=-1, keepdim=True)


@mistake(
    "mask_and_renormalize",
    marks="slip",
    hint="Every token still sees one token of the future.",
    ko="모든 토큰이 아직 미래의 토큰 하나를 봅니다.",
)
def renormalize_one_step_leak(attn_weights):
    visible = attn_weights.tril(1)
    return visible / visible.sum(dim=-1, keepdim=True)


@mistake(
    "mask_and_renormalize",
    hint="The triangle is mirrored: its edge runs from the upper right to the lower left.",
    ko="삼각형이 좌우로 뒤집혔습니다. 경계가 오른쪽 위에서 왼쪽 아래로 갑니다.",
)
def renormalize_mirrored(attn_weights):
    visible = attn_weights * torch.ones_like(attn_weights).tril().flip(-1)
    return visible / visible.sum(dim=-1, keepdim=True)


@mistake(
    "mask_and_renormalize",
    hint="The rows were divided by their norm (the root of the sum of squares); divide by their sum.",
    ko="행을 노름(제곱합의 제곱근)으로 나누었습니다. 합으로 나누세요.",
)
def renormalize_by_norm(attn_weights):
    kept = attn_weights.tril()
    return kept / kept.norm(dim=-1, keepdim=True)


@mistake(
    "mask_and_renormalize",
    hint="The sums are held above a bound (clamp, a large eps), which spoils rows of small weights.",
    ko="합의 아래쪽을 막아(clamp, 큰 eps) 가중치가 작은 행이 틀립니다.",
)
def renormalize_clamped(attn_weights):
    kept = attn_weights.tril()
    return kept / kept.sum(-1, keepdim=True).clamp(min=1e-4)


@mistake(
    "mask_and_renormalize",
    hint="Weights were added until the rows sum to 1; divide each row by its sum instead.",
    ko="합이 1이 되도록 더했습니다. 더하지 말고 각 행을 합으로 나누세요.",
)
def renormalize_by_adding(attn_weights):
    kept = attn_weights.tril()
    seen = torch.arange(1, kept.shape[-1] + 1, dtype=kept.dtype)[:, None]
    return (kept + (1 - kept.sum(-1, keepdim=True)) / seen).tril()


@mistake(
    "mask_and_renormalize",
    hint="The size of the mask is written into the code; take it from the weights.",
    ko="마스크의 크기가 코드에 적혀 있습니다. 가중치에서 가져오세요.",
)
def renormalize_size_of_the_note(attn_weights):
    kept = attn_weights * torch.tril(torch.ones(6, 6))
    return kept / kept.sum(-1, keepdim=True)


@mistake(
    "mask_and_renormalize",
    hint="The weights were transposed before the mask: rows are queries, columns are keys.",
    ko="마스크 전에 가중치를 전치했습니다. 행이 쿼리, 열이 키입니다.",
)
def renormalize_transposed(attn_weights):
    kept = attn_weights.mT.tril()
    return kept / kept.sum(-1, keepdim=True)


@mistake(
    "mask_and_renormalize",
    marks="trivial",
    hint="The visible tokens share evenly; their weights, which say who matters more, are lost.",
    ko="보이는 토큰들이 똑같이 나누어 가집니다. 누가 더 중요한지 알려 주는 가중치가 사라졌습니다.",
)
def renormalize_even_shares(attn_weights):
    visible = torch.ones_like(attn_weights).tril() + 0 * attn_weights
    return visible / visible.sum(dim=-1, keepdim=True)


@mistake(
    "mask_and_renormalize",
    hint="Only the first item of the batch is masked.",
    ko="배치의 첫 항목만 가려졌습니다.",
)
def renormalize_first_item_alone(attn_weights):
    visible = attn_weights.clone()
    first = visible if visible.dim() == 2 else visible[0]
    first.copy_(first.tril())
    return visible / visible.sum(dim=-1, keepdim=True)


@mistake(
    "mask_and_renormalize",
    hint="The divisors are computed as 1 minus the hidden weights; where little is left, rounding eats it. Sum the rest.",
    ko="1에서 가려진 가중치를 빼서 나눌 수를 구했습니다. 남은 것이 적으면 반올림에 묻히니, 남은 것을 더하세요.",
)
def renormalize_by_the_complement(attn_weights):
    return attn_weights.tril() / (1 - attn_weights.triu(1).sum(dim=-1, keepdim=True))


@mistake(
    "mask_and_renormalize",
    hint="The small number added to the divisor is not small against tiny weights; a row never sums to 0 here.",
    ko="나누는 수에 더한 작은 수가 아주 작은 가중치에 비하면 작지 않습니다. 여기서 행의 합은 0이 되지 않습니다.",
)
def renormalize_with_eps(attn_weights):
    visible = attn_weights.tril()
    return visible / (visible.sum(dim=-1, keepdim=True) + 1e-6)


@mistake(
    "mask_and_renormalize",
    hint="Even a very small number added to the divisor spoils a row of tiny weights; no row sums to 0 here.",
    ko="나누는 수에 아주 작은 수만 더해도 가중치가 아주 작은 행이 틀립니다. 여기서 행의 합은 0이 되지 않습니다.",
)
def renormalize_with_small_eps(attn_weights):
    visible = attn_weights.tril()
    return visible / (visible.sum(dim=-1, keepdim=True) + 1e-8)


@mistake(
    "mask_and_renormalize",
    hint="The result of the first call is given again: compute it anew in every call.",
    ko="처음 계산한 결과를 다시 줍니다. 부를 때마다 새로 계산하세요.",
)
@first_kept
def renormalize_kept_from_the_first_call(attn_weights):
    visible = attn_weights.tril()
    return visible / visible.sum(dim=-1, keepdim=True)


@mistake(
    "mask_and_renormalize",
    hint="Axes of size 1 are dropped; the result has the shape of the weights.",
    ko="크기가 1인 축이 사라집니다. 결과의 모양은 가중치와 같아야 합니다.",
)
def renormalize_squeezed(attn_weights):
    visible = attn_weights.tril()
    return (visible / visible.sum(dim=-1, keepdim=True)).squeeze()


@mistake(
    "mask_and_renormalize",
    marks="point",
    hint="The caller's weights were changed (`*=`, `tril_`, an assignment to a part of them); work on a new tensor.",
    ko="부른 쪽의 가중치가 바뀌었습니다(`*=`, `tril_`, 일부에 값을 넣기). 새 텐서로 계산하세요.",
)
def renormalize_in_place(attn_weights):
    visible = attn_weights.tril_()
    return visible / visible.sum(dim=-1, keepdim=True)


@mistake(
    "mask_and_renormalize",
    marks="point",
    hint="The result is cut off from the weights (detach, .data, no_grad): no gradient can flow back.",
    ko="결과가 가중치와 끊겨(detach, .data, no_grad) 그래디언트가 흐르지 않습니다.",
)
def renormalize_detached(attn_weights):
    visible = attn_weights.detach().tril()
    return visible / visible.sum(dim=-1, keepdim=True)


@mistake(
    "mask_and_renormalize",
    hint="The sums are taken as constants (detach, no_grad); they depend on the weights too.",
    ko="합을 상수로 취급했습니다(detach, no_grad). 합도 가중치에 따라 달라집니다.",
)
def renormalize_sums_detached(attn_weights):
    visible = attn_weights.tril()
    return visible / visible.sum(dim=-1, keepdim=True).detach()


@mistake(
    "mask_and_renormalize",
    hint="The mask of ones is float32, so weights in half precision become float32 too; give it their dtype.",
    ko="1로 된 마스크가 float32라서 반정밀도 가중치도 float32가 됩니다. 마스크에 가중치의 dtype을 주세요.",
)
def renormalize_mask_of_float32(attn_weights):
    visible = attn_weights * torch.ones(attn_weights.shape[-2:]).tril()
    return visible / visible.sum(dim=-1, keepdim=True)


@mistake(
    "mask_and_renormalize",
    hint="The result hangs on the positions alone; the weights that were given are never used.",
    ko="결과가 위치로만 정해집니다. 받은 가중치를 쓰지 않았습니다.",
    marks="trivial",
)
def renormalize_identity(attn_weights):
    return torch.eye(attn_weights.shape[-1], dtype=attn_weights.dtype).expand(attn_weights.shape).clone()


@mistake(
    "mask_and_renormalize",
    hint="The result is always float32; keep the dtype of the weights.",
    ko="결과가 항상 float32입니다. 가중치의 dtype을 지키세요.",
)
def renormalize_into_float32(attn_weights):
    visible = attn_weights.float().tril()
    return visible / visible.sum(dim=-1, keepdim=True)


@right("mask_and_renormalize", why="multiplied with a mask, as the note does it")
def renormalize_by_product(attn_weights):
    T = attn_weights.shape[-1]
    masked = attn_weights * torch.tril(torch.ones(T, T, dtype=attn_weights.dtype, device=attn_weights.device))
    return masked / masked.sum(dim=-1, keepdim=True)


@right("mask_and_renormalize", why="a softmax of logarithms")
def renormalize_by_logarithms(attn_weights):
    return torch.softmax(attn_weights.log().masked_fill(future_of(attn_weights), float("-inf")), dim=-1)


@right("mask_and_renormalize", why="a loop over the rows")
def renormalize_by_rows(attn_weights):
    rows = []
    for i, row in enumerate(attn_weights.unbind(dim=-2)):
        seen = row[..., : i + 1] / row[..., : i + 1].sum(dim=-1, keepdim=True)
        rows.append(F.pad(seen, (0, row.shape[-1] - i - 1)))
    return torch.stack(rows, dim=-2)


@right("mask_and_renormalize", why="in place on tensors of its own")
def renormalize_own_in_place(attn_weights):
    visible = attn_weights.clone()
    visible[future_of(visible)] = 0.0
    visible /= visible.sum(dim=-1, keepdim=True)
    return visible


@right("mask_and_renormalize", why="the sums from a running sum, and float64 inside")
def renormalize_by_running_sum(attn_weights):
    wide = attn_weights.double()
    sums = wide.cumsum(dim=-1).diagonal(dim1=-2, dim2=-1).unsqueeze(-1)
    return (wide.tril() / sums).to(attn_weights.dtype)


@right("mask_and_renormalize", why="normalised by the library, where instead of a mask")
def renormalize_by_library(attn_weights):
    visible = torch.where(future_of(attn_weights), torch.zeros_like(attn_weights), attn_weights)
    return F.normalize(visible, p=1, dim=-1)


@right("mask_and_renormalize", why="einsum and a reciprocal")
def renormalize_by_einsum(attn_weights):
    visible = torch.tril(attn_weights)
    return torch.einsum("...ij,...i->...ij", visible, visible.sum(-1).reciprocal())


# --- causal_mask ------------------------------------------------------------------------------------------------------


@mistake(
    "causal_mask",
    marks="slip",
    hint="True marks what is visible. Here it has to mark what is hidden.",
    ko="True가 보이는 곳을 나타내고 있습니다. 여기서는 가려야 할 곳이 True입니다.",
)
def mask_marks_the_visible(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).tril()


@mistake(
    "causal_mask",
    marks="slip",
    hint="The diagonal is True, so no token may look at itself, and nothing is left for the first one.",
    ko="대각선이 True라 어떤 토큰도 자신을 볼 수 없고, 첫 토큰에게는 아무것도 남지 않습니다.",
)
def mask_hides_the_diagonal(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).triu()


@mistake(
    "causal_mask",
    marks="slip",
    hint="Every token sees one token of the future: True begins one place too late.",
    ko="모든 토큰이 미래의 토큰 하나를 봅니다. True가 한 칸 늦게 시작합니다.",
)
def mask_one_step_leak(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).triu(2)


@mistake(
    "causal_mask",
    hint="Only a window of the last three tokens is visible; a token sees itself and all tokens before it.",
    ko="가까운 토큰 셋만 보입니다. 토큰은 자신과 그 앞의 모든 토큰을 봅니다.",
)
def mask_window_of_three(context_length):
    visible = torch.ones(context_length, context_length).tril().triu(-2)
    return visible == 0


@mistake(
    "causal_mask",
    marks="slip",
    hint="The past is hidden and the future is not: rows and columns are swapped.",
    ko="과거를 가리고 미래를 보입니다. 행과 열이 바뀌었습니다.",
)
def mask_hides_the_past(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).tril(-1)


@mistake(
    "causal_mask",
    hint="The triangle is mirrored: its edge runs from the upper right to the lower left.",
    ko="삼각형이 좌우로 뒤집혔습니다. 경계가 오른쪽 위에서 왼쪽 아래로 갑니다.",
)
def mask_mirrored(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).triu(1).flip(-1)


@mistake(
    "causal_mask",
    marks="trivial",
    hint="Nothing is hidden: True is nowhere.",
    ko="가려진 곳이 없습니다. True가 하나도 없습니다.",
)
def mask_hides_nothing(context_length):
    return torch.zeros(context_length, context_length, dtype=torch.bool)


@mistake(
    "causal_mask",
    marks="trivial",
    hint="Everything but the token itself is hidden; the tokens before it are visible.",
    ko="토큰 자신만 빼고 모두 가렸습니다. 앞의 토큰들은 보여야 합니다.",
)
def mask_hides_all_others(context_length):
    return ~torch.eye(context_length, dtype=torch.bool)


@mistake(
    "causal_mask",
    hint="The size is always that of the note's example; take it from the argument.",
    ko="크기가 항상 노트의 예제와 같습니다. 인자에서 크기를 가져오세요.",
)
def mask_of_the_note(context_length):
    return torch.ones(3, 3, dtype=torch.bool).triu(1)


@mistake(
    "causal_mask",
    hint="The mask of the first call is given again whatever the size: compute it anew in every call.",
    ko="크기가 달라도 처음 만든 마스크를 다시 줍니다. 부를 때마다 새로 계산하세요.",
    twins=("mask_of_the_note",),
)
@first_kept
def mask_kept_from_the_first_call(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).triu(1)


@mistake(
    "causal_mask",
    hint="There is an axis too many; two are asked for, (T, T).",
    ko="축이 하나 더 있습니다. (T, T) 두 축이어야 합니다.",
)
def mask_with_a_batch_axis(context_length):
    return torch.ones(1, context_length, context_length, dtype=torch.bool).triu(1)


@mistake(
    "causal_mask",
    hint="There are two axes too many, for a batch and for heads; two are asked for, (T, T).",
    ko="배치와 헤드를 위한 축이 두 개 더 있습니다. (T, T) 두 축이어야 합니다.",
)
def mask_for_batch_and_heads(context_length):
    hidden = torch.ones(context_length, context_length, dtype=torch.bool).triu(1)
    return hidden.view(1, 1, context_length, context_length)


@mistake(
    "causal_mask",
    hint="Axes of size 1 are dropped, so a single token gives no (1, 1) tensor.",
    ko="크기가 1인 축이 사라져, 토큰이 하나일 때 (1, 1) 텐서가 나오지 않습니다.",
)
def mask_squeezed(context_length):
    return torch.ones(context_length, context_length, dtype=torch.bool).triu(1).squeeze()


@mistake(
    "causal_mask",
    hint="The size is off by one: T tokens give T rows and T columns.",
    ko="크기가 하나 어긋났습니다. 토큰이 T개이면 행도 열도 T개입니다.",
)
def mask_one_token_too_few(context_length):
    return torch.ones(context_length - 1, context_length - 1, dtype=torch.bool).triu(1)


@mistake(
    "causal_mask",
    marks="point",
    hint="The places are right, but they hold the numbers 0 and 1; `masked_fill` asks for bools.",
    ko="자리는 맞지만 0과 1이라는 숫자입니다. `masked_fill`은 bool을 받습니다.",
)
def mask_of_numbers(context_length):
    return torch.ones(context_length, context_length).triu(1)


@mistake(
    "causal_mask",
    marks="point",
    hint="The places are right, but they hold whole numbers; `~` and `masked_fill` do what you mean with bools only.",
    ko="자리는 맞지만 정수입니다. `~`와 `masked_fill`은 bool에서만 뜻대로 됩니다.",
)
def mask_of_whole_numbers(context_length):
    return torch.ones(context_length, context_length, dtype=torch.uint8).triu(1)


@mistake(
    "causal_mask",
    hint="This mask is meant to be added to scores (0 and -inf); here True and False are asked for.",
    ko="점수에 더하는 마스크(0과 -inf)입니다. 여기서는 True와 False가 필요합니다.",
)
def mask_to_be_added(context_length):
    return torch.full((context_length, context_length), float("-inf")).triu(1)


@mistake(
    "causal_mask",
    hint="The mask is cut out of one of a fixed size, which is too small for longer sequences.",
    ko="정해진 크기의 마스크에서 잘라내어, 더 긴 문장에는 모자랍니다.",
)
def mask_of_256_at_most(context_length):
    return torch.ones(256, 256).triu(1).bool()[:context_length, :context_length]


@mistake(
    "causal_mask",
    marks="library",
    hint="This is the library's mask, only turned into bools; make it yourself.",
    ko="라이브러리의 마스크를 bool로 바꾼 것입니다. 직접 만드세요.",
)
def mask_by_library(context_length):
    return nn.Transformer.generate_square_subsequent_mask(context_length) < 0


@right("causal_mask", why="positions compared with each other")
def mask_by_positions(context_length):
    position = torch.arange(context_length)
    return position.unsqueeze(0) > position.unsqueeze(1)


@right("causal_mask", why="the opposite of what is visible")
def mask_by_opposite(context_length):
    return torch.tril(torch.ones(context_length, context_length)) == 0


@right("causal_mask", why="a loop over all pairs")
def mask_by_pairs(context_length):
    mask = torch.empty(context_length, context_length, dtype=torch.bool)
    for i in range(context_length):
        for j in range(context_length):
            mask[i, j] = j > i
    return mask


@right("causal_mask", why="nested lists")
def mask_by_lists(context_length):
    return torch.tensor([[j > i for j in range(context_length)] for i in range(context_length)])


@right("causal_mask", why="a callable object, and a view of another tensor that is not contiguous")
@Answering
def mask_as_a_view(context_length):
    return torch.ones(context_length, context_length + 1).tril(-1).bool()[:, :context_length].T


# --- apply_causal_mask ------------------------------------------------------------------------------------------------


@mistake(
    "apply_causal_mask",
    marks="trivial",
    hint="Nothing is hidden: the scores are returned as they came.",
    ko="가려진 것이 없습니다. 받은 점수가 그대로 나왔습니다.",
)
def apply_nothing(scores):
    return scores.clone()


@mistake(
    "apply_causal_mask",
    marks="slip",
    hint="The diagonal is hidden too, so nothing is left of the first row.",
    ko="대각선까지 가려 첫 행에 남는 것이 없습니다.",
)
def apply_hides_the_diagonal(scores):
    return scores.masked_fill(torch.ones_like(scores).triu() > 0, float("-inf"))


@mistake(
    "apply_causal_mask",
    marks="slip",
    hint="Every token still sees one token of the future.",
    ko="모든 토큰이 아직 미래의 토큰 하나를 봅니다.",
)
def apply_one_step_leak(scores):
    return scores.masked_fill(torch.ones_like(scores).triu(2) > 0, float("-inf"))


@mistake(
    "apply_causal_mask",
    hint="Only a window of the last three tokens is visible; a token sees itself and all tokens before it.",
    ko="가까운 토큰 셋만 보입니다. 토큰은 자신과 그 앞의 모든 토큰을 봅니다.",
)
def apply_window_of_three(scores):
    return scores.masked_fill(torch.ones_like(scores).tril().triu(-2) == 0, float("-inf"))


@mistake(
    "apply_causal_mask",
    marks="slip",
    hint="The past is hidden and the future is not: the mask is transposed.",
    ko="과거를 가리고 미래를 보입니다. 마스크가 전치되었습니다.",
)
def apply_hides_the_past(scores):
    return scores.masked_fill(future_of(scores).mT, float("-inf"))


@mistake(
    "apply_causal_mask",
    hint="The mask is used the other way round: what should be visible is hidden.",
    ko="마스크를 반대로 썼습니다. 보여야 할 곳이 가려졌습니다.",
)
def apply_inverted(scores):
    return scores.masked_fill(~future_of(scores), float("-inf"))


@mistake(
    "apply_causal_mask",
    hint="The triangle is mirrored: its edge runs from the upper right to the lower left.",
    ko="삼각형이 좌우로 뒤집혔습니다. 경계가 오른쪽 위에서 왼쪽 아래로 갑니다.",
)
def apply_mirrored(scores):
    return scores.masked_fill(future_of(scores).flip(-1), float("-inf"))


@mistake(
    "apply_causal_mask",
    marks="slip",
    hint="The hidden scores became 0; a score of 0 still gets a weight, minus infinity does not.",
    ko="가려진 점수가 0이 되었습니다. 점수 0은 가중치를 받지만 음의 무한대는 받지 않습니다.",
)
def apply_zeros(scores):
    return scores.tril()


@mistake(
    "apply_causal_mask",
    marks="slip",
    hint="The fill is tiny instead of hugely negative (-1e-9 is nearly 0); minus infinity is asked for.",
    ko="채운 수가 아주 큰 음수가 아니라 아주 작은 수입니다(-1e-9는 거의 0). 음의 무한대여야 합니다.",
)
def apply_fill_of_minus_tiny(scores):
    return scores.masked_fill(future_of(scores), -1e-9)


@mistake(
    "apply_causal_mask",
    hint="A large negative number hides as well, but here minus infinity itself is asked for.",
    ko="큰 음수로도 가려지지만, 여기서는 음의 무한대 자체가 필요합니다.",
    twins=("apply_smallest_number",),
)
def apply_fill_of_minus_1e9(scores):
    return scores.masked_fill(future_of(scores), -1e9)


@mistake(
    "apply_causal_mask",
    hint="The most negative number of the dtype is not yet minus infinity, which is asked for here.",
    ko="dtype의 가장 작은 수는 아직 음의 무한대가 아닙니다. 여기서는 음의 무한대가 필요합니다.",
    twins=("apply_fill_of_minus_1e9",),
)
def apply_smallest_number(scores):
    return scores.masked_fill(future_of(scores), torch.finfo(scores.dtype).min)


@mistake(
    "apply_causal_mask",
    hint="The scores are multiplied by the mask of infinities (0 * inf = NaN, and visible ones become 0); add or fill it.",
    ko="무한대 마스크를 점수에 곱했습니다(0 * inf = NaN, 보이는 점수는 0). 더하거나 채우세요.",
)
def apply_multiplied(scores):
    return scores * torch.full_like(scores, float("-inf")).triu(1)


@mistake(
    "apply_causal_mask",
    hint="`masked_fill` wants a mask of bools: turn it with .bool().",
    ko="`masked_fill`에는 bool 마스크가 필요합니다. .bool()로 바꾸세요.",
)
def apply_mask_of_numbers(scores):
    return scores.masked_fill(torch.ones(scores.shape[-2:]).triu(1), float("-inf"))


@mistake(
    "apply_causal_mask",
    hint="The result is transposed.",
    ko="결과가 전치되었습니다.",
)
def apply_transposed(scores):
    return scores.masked_fill(future_of(scores), float("-inf")).mT


@mistake(
    "apply_causal_mask",
    hint="A detached tensor still is the caller's: it was changed in place, and no gradient goes through it.",
    ko="detach한 텐서도 부른 쪽의 것입니다. 제자리에서 바뀌었고 그래디언트도 끊겼습니다.",
)
def apply_in_place_detached(scores):
    result = scores.detach()
    result[..., torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)] = float("-inf")
    return result


@mistake(
    "apply_causal_mask",
    hint="The size of the mask is taken from the second axis; it is the last two that count.",
    ko="마스크의 크기를 둘째 축에서 가져왔습니다. 마지막 두 축이 중요합니다.",
)
def apply_size_of_the_second_axis(scores):
    T = scores.shape[1]
    return scores.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), float("-inf"))


@mistake(
    "apply_causal_mask",
    hint="The sign is wrong: plus infinity takes all the weight instead of none.",
    ko="부호가 반대입니다. 양의 무한대는 가중치를 모두 가져갑니다.",
)
def apply_plus_infinity(scores):
    return scores.masked_fill(future_of(scores), float("inf"))


@mistake(
    "apply_causal_mask",
    hint="0 times infinity is NaN, so multiplying a mask with infinity spoils the visible scores: replace, don't multiply.",
    ko="0 곱하기 무한대는 NaN이라, 마스크에 무한대를 곱하면 보이는 점수가 망가집니다. 곱하지 말고 바꾸어 넣으세요.",
)
def apply_zero_times_infinity(scores):
    return scores + future_of(scores).to(scores.dtype) * float("-inf")


@mistake(
    "apply_causal_mask",
    hint="The mask of ones is subtracted, so hidden scores are merely 1 lower.",
    ko="1로 된 마스크를 빼서, 가려져야 할 점수가 1만큼 작아질 뿐입니다.",
)
def apply_one_subtracted(scores):
    return scores - future_of(scores).to(scores.dtype)


@mistake(
    "apply_causal_mask",
    hint="Every score of 0 was taken for a hidden one; ask for the position, not for the value.",
    ko="점수가 0인 곳을 모두 가려진 곳으로 보았습니다. 값이 아니라 위치로 정하세요.",
)
def apply_zeros_taken_for_hidden(scores):
    visible = scores.tril()
    return visible.masked_fill(visible == 0, float("-inf"))


@mistake(
    "apply_causal_mask",
    hint="These are weights already; the softmax comes in the next step.",
    ko="이미 가중치입니다. 소프트맥스는 다음 단계에서 합니다.",
)
def apply_and_softmax(scores):
    return torch.softmax(scores.masked_fill(future_of(scores), float("-inf")), dim=-1)


@mistake(
    "apply_causal_mask",
    hint="The scores are scaled as well; here they are only hidden, and the others stay as they came.",
    ko="점수를 나누기까지 했습니다. 여기서는 가리기만 하고 나머지는 받은 그대로 둡니다.",
)
def apply_scaled(scores):
    return scores.masked_fill(future_of(scores), float("-inf")) / math.sqrt(scores.shape[-1])


@mistake(
    "apply_causal_mask",
    hint="Only the first item of the batch is masked.",
    ko="배치의 첫 항목만 가려졌습니다.",
)
def apply_first_item_alone(scores):
    masked = scores.clone()
    first = masked if masked.dim() == 2 else masked[0]
    first.masked_fill_(future_of(first), float("-inf"))
    return masked


@mistake(
    "apply_causal_mask",
    hint="The size of the mask is taken from the first axis; in a batch that is not the number of tokens.",
    ko="마스크의 크기를 첫 축에서 가져왔습니다. 배치에서는 그것이 토큰의 수가 아닙니다.",
)
def apply_size_of_the_first_axis(scores):
    T = scores.shape[0]
    return scores.masked_fill(torch.ones(T, T, device=scores.device).triu(1) > 0, float("-inf"))


@mistake(
    "apply_causal_mask",
    hint="The mask always has the size of the note's example; take it from the scores.",
    ko="마스크가 항상 노트의 예제 크기입니다. 점수에서 크기를 가져오세요.",
)
def apply_size_of_the_note(scores):
    T = 3 if scores.dim() == 3 else 6
    return scores.masked_fill(torch.ones(T, T, device=scores.device).triu(1) > 0, float("-inf"))


@mistake(
    "apply_causal_mask",
    hint="The result of the first call is given again: compute it anew in every call.",
    ko="처음 계산한 결과를 다시 줍니다. 부를 때마다 새로 계산하세요.",
)
@first_kept
def apply_kept_from_the_first_call(scores):
    return scores.masked_fill(future_of(scores), float("-inf"))


@mistake(
    "apply_causal_mask",
    hint="Axes of size 1 are dropped; the result has the shape of the scores.",
    ko="크기가 1인 축이 사라집니다. 결과의 모양은 점수와 같아야 합니다.",
)
def apply_squeezed(scores):
    return scores.masked_fill(future_of(scores), float("-inf")).squeeze()


@mistake(
    "apply_causal_mask",
    marks="point",
    hint="`masked_fill_` with the underscore changes the caller's scores; a new tensor is asked for.",
    ko="밑줄이 붙은 `masked_fill_`은 부른 쪽의 점수를 바꿉니다. 새 텐서를 반환하세요.",
)
def apply_in_place(scores):
    return scores.masked_fill_(future_of(scores), float("-inf"))


@mistake(
    "apply_causal_mask",
    marks="point",
    hint="An assignment to a part of the scores changes the caller's tensor; work on a copy.",
    ko="점수의 일부에 값을 넣으면 부른 쪽의 텐서가 바뀝니다. 사본으로 계산하세요.",
)
def apply_in_place_without_graph(scores):
    with torch.no_grad():
        scores[future_of(scores)] = float("-inf")
    return scores.clone()


@mistake(
    "apply_causal_mask",
    hint="With a single token the scores themselves are returned; a new tensor is asked for in every case.",
    ko="토큰이 하나이면 받은 점수 자체를 반환합니다. 어느 경우에나 새 텐서를 반환하세요.",
)
def apply_single_token_returned(scores):
    if scores.shape[-1] == 1:
        return scores
    return scores.masked_fill(future_of(scores), float("-inf"))


@mistake(
    "apply_causal_mask",
    marks="point",
    hint="The result is cut off from the scores (detach, .data, torch.tensor): no gradient can flow back.",
    ko="결과가 점수와 끊겨(detach, .data, torch.tensor) 그래디언트가 흐르지 않습니다.",
)
def apply_detached(scores):
    return scores.detach().masked_fill(future_of(scores), float("-inf"))


@mistake(
    "apply_causal_mask",
    hint="The result is always float32; keep the dtype of the scores.",
    ko="결과가 항상 float32입니다. 점수의 dtype을 지키세요.",
)
def apply_into_float32(scores):
    return scores.float().masked_fill(future_of(scores), float("-inf"))


@mistake(
    "apply_causal_mask",
    hint="The mask that is added is float32, so scores in half precision become float32 too; give it their dtype.",
    ko="더한 마스크가 float32라서 반정밀도 점수도 float32가 됩니다. 마스크에 점수의 dtype을 주세요.",
)
def apply_mask_of_float32_added(scores):
    T = scores.shape[-1]
    return scores + torch.full((T, T), float("-inf")).triu(1)


@mistake(
    "apply_causal_mask",
    hint="The scores go through float32 on their way, which costs those in float64 half of their digits.",
    ko="점수가 중간에 float32를 거쳐, float64 점수는 자릿수의 절반을 잃습니다.",
)
def apply_through_float32(scores):
    return scores.float().masked_fill(future_of(scores), float("-inf")).to(scores.dtype)


@mistake(
    "apply_causal_mask",
    hint="This is the mask alone; the scores are never used.",
    ko="마스크뿐입니다. 점수를 쓰지 않았습니다.",
    marks="trivial",
)
def apply_mask_alone(scores):
    return torch.zeros_like(scores).masked_fill(future_of(scores), float("-inf"))


@mistake(
    "apply_causal_mask",
    marks="library",
    hint="The mask that is added is the library's; make it yourself.",
    ko="더한 마스크가 라이브러리의 것입니다. 직접 만드세요.",
)
def apply_by_library(scores):
    mask = nn.Transformer.generate_square_subsequent_mask(scores.shape[-1], device=scores.device)
    return scores + mask.to(scores.dtype)


@right("apply_causal_mask", why="an additive mask of zeros and -inf")
def apply_by_adding(scores):
    T = scores.size(-1)
    return scores + torch.full((T, T), -torch.inf, dtype=scores.dtype, device=scores.device).triu(diagonal=1)


@right("apply_causal_mask", why="torch.where and compared positions")
def apply_by_where(scores):
    position = torch.arange(scores.shape[-1], device=scores.device)
    return torch.where(position[:, None] >= position, scores, -torch.inf)


@right("apply_causal_mask", why="in place on a copy, with indices")
def apply_on_a_copy(scores):
    masked = scores.clone()
    rows, columns = torch.triu_indices(scores.shape[-1], scores.shape[-1], offset=1)
    masked[..., rows, columns] = float("-inf")
    return masked


@right("apply_causal_mask", why="a loop over the rows, float64 inside")
def apply_by_rows(scores):
    masked = scores.double().clone()
    for i in range(scores.shape[-2]):
        masked[..., i, i + 1 :] = -math.inf
    return masked.to(scores.dtype)


@right("apply_causal_mask", why="a library function bound to its mask")
def apply_by_partial(scores):
    hide = functools.partial(torch.masked_fill, mask=torch.tril(torch.ones_like(scores)) == 0, value=-torch.inf)
    return hide(scores)


@right("apply_causal_mask", why="one over the mask, less one")
def apply_by_division(scores):
    visible = torch.ones_like(scores).tril()
    return scores - (1 / visible - 1)


# --- causal_attention_weights -----------------------------------------------------------------------------------------


@helper
def shared(scores, hidden, scale, fill=float("-inf"), dim=-1):
    """Return the softmax of scores divided by the scale, filled where hidden."""
    return torch.softmax(scores.masked_fill(hidden, fill) / scale, dim=dim)


@mistake(
    "causal_attention_weights",
    marks="slip",
    hint="The scores are not divided by the root of d_k.",
    ko="점수를 d_k의 제곱근으로 나누지 않았습니다.",
)
def weights_no_scaling(scores, d_k):
    return shared(scores, future_of(scores), 1)


@mistake(
    "causal_attention_weights",
    marks="slip",
    hint="The scores are divided by d_k itself; take its root.",
    ko="점수를 d_k 자체로 나누었습니다. 제곱근을 쓰세요.",
)
def weights_by_d_k(scores, d_k):
    return shared(scores, future_of(scores), d_k)


@mistake(
    "causal_attention_weights",
    hint="The scores are multiplied by the root of d_k; divide by it.",
    ko="점수에 d_k의 제곱근을 곱했습니다. 나누세요.",
)
def weights_multiplied(scores, d_k):
    return shared(scores, future_of(scores), d_k**-0.5)


@mistake(
    "causal_attention_weights",
    hint="The scores are divided by the root of the number of tokens; it is the features of a key that count.",
    ko="점수를 토큰 수의 제곱근으로 나누었습니다. 키의 특징 수를 쓰세요.",
)
def weights_by_root_of_tokens(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(scores.shape[-1]))


@mistake(
    "causal_attention_weights",
    hint="The root was rounded to a whole number.",
    ko="제곱근이 정수로 반올림되었습니다.",
)
def weights_by_whole_root(scores, d_k):
    return shared(scores, future_of(scores), math.isqrt(d_k))


@mistake(
    "causal_attention_weights",
    hint="The fourth root was taken, half of the scaling.",
    ko="네제곱근으로 나누어 스케일링이 절반만 되었습니다.",
)
def weights_by_fourth_root(scores, d_k):
    return shared(scores, future_of(scores), d_k**0.25)


@mistake(
    "causal_attention_weights",
    hint="The divisor is always that of the note's example; take it from d_k.",
    ko="나누는 수가 항상 노트의 예제와 같습니다. d_k에서 구하세요.",
)
def weights_d_k_of_the_note(scores, d_k):
    return shared(scores, future_of(scores), 2**0.5)


@mistake(
    "causal_attention_weights",
    hint="The weights are scaled after the softmax, so rows no longer sum to 1; scale the scores.",
    ko="소프트맥스 뒤에 가중치를 나누어 행의 합이 1이 아닙니다. 점수를 나누세요.",
)
def weights_scaled_afterwards(scores, d_k):
    return shared(scores, future_of(scores), 1) / math.sqrt(d_k)


@mistake(
    "causal_attention_weights",
    marks="slip",
    hint="Nothing is hidden: the future gets weight too.",
    ko="가려진 것이 없습니다. 미래도 가중치를 받습니다.",
)
def weights_not_masked(scores, d_k):
    return torch.softmax(scores / math.sqrt(d_k), dim=-1)


@mistake(
    "causal_attention_weights",
    marks="slip",
    hint="The future is struck out after the softmax, so its share is missing and rows sum to less than 1.",
    ko="소프트맥스 뒤에 미래를 지워, 그 몫이 빠지고 행의 합이 1보다 작습니다.",
)
def weights_masked_afterwards(scores, d_k):
    return torch.softmax(scores / math.sqrt(d_k), dim=-1).tril()


@mistake(
    "causal_attention_weights",
    hint="The diagonal is hidden too, so nothing is left of the first row (NaN).",
    ko="대각선까지 가려 첫 행에 남는 것이 없습니다(NaN).",
)
def weights_diagonal_hidden(scores, d_k):
    return shared(scores, torch.ones_like(scores).triu() > 0, math.sqrt(d_k))


@mistake(
    "causal_attention_weights",
    marks="slip",
    hint="Every token still sees one token of the future.",
    ko="모든 토큰이 아직 미래의 토큰 하나를 봅니다.",
)
def weights_one_step_leak(scores, d_k):
    return shared(scores, torch.ones_like(scores).triu(2) > 0, math.sqrt(d_k))


@mistake(
    "causal_attention_weights",
    hint="Minus infinity was filled in after the softmax; hide the scores before it.",
    ko="소프트맥스 뒤에 음의 무한대를 채웠습니다. 그 전에 점수를 가리세요.",
)
def weights_infinity_afterwards(scores, d_k):
    return torch.softmax(scores / math.sqrt(d_k), dim=-1).masked_fill(future_of(scores), float("-inf"))


@mistake(
    "causal_attention_weights",
    hint="The diagonal is hidden too, with a fill that leaves the first row even shares: a token sees itself.",
    ko="대각선까지 가렸습니다. 토큰은 자신을 봅니다.",
)
def weights_diagonal_hidden_by_1e9(scores, d_k):
    hidden = torch.ones_like(scores, dtype=torch.bool).triu(0)
    return torch.softmax(scores.masked_fill(hidden, -1e9) / math.sqrt(d_k), dim=-1)


@mistake(
    "causal_attention_weights",
    hint="Only a window of the last three tokens is visible; a token sees itself and all tokens before it.",
    ko="가까운 토큰 셋만 보입니다. 토큰은 자신과 그 앞의 모든 토큰을 봅니다.",
)
def weights_window_of_three(scores, d_k):
    return shared(scores, torch.ones_like(scores).tril().triu(-2) == 0, math.sqrt(d_k))


@mistake(
    "causal_attention_weights",
    hint="The past is hidden and the future is not: the mask is transposed.",
    ko="과거를 가리고 미래를 보입니다. 마스크가 전치되었습니다.",
)
def weights_past_hidden(scores, d_k):
    return shared(scores, future_of(scores).mT, math.sqrt(d_k))


@mistake(
    "causal_attention_weights",
    hint="The mask is used the other way round: what should be visible is hidden.",
    ko="마스크를 반대로 썼습니다. 보여야 할 곳이 가려졌습니다.",
)
def weights_mask_inverted(scores, d_k):
    return shared(scores, ~future_of(scores), math.sqrt(d_k))


@mistake(
    "causal_attention_weights",
    hint="The triangle is mirrored: its edge runs from the upper right to the lower left.",
    ko="삼각형이 좌우로 뒤집혔습니다. 경계가 오른쪽 위에서 왼쪽 아래로 갑니다.",
)
def weights_mirrored(scores, d_k):
    return shared(scores, future_of(scores).flip(-1), math.sqrt(d_k))


@mistake(
    "causal_attention_weights",
    hint="The hidden scores became 0, and the exponential of 0 is 1: they still get weight.",
    ko="가려진 점수가 0이 되었습니다. 0의 지수는 1이라 여전히 가중치를 받습니다.",
    twins=("weights_fill_of_minus_tiny",),
)
def weights_zeros_for_hidden(scores, d_k):
    return torch.softmax(scores.tril() / math.sqrt(d_k), dim=-1)


@mistake(
    "causal_attention_weights",
    hint="The fill is tiny instead of hugely negative: -1e-9 is nearly 0.",
    ko="채운 수가 아주 큰 음수가 아니라 아주 작은 수입니다. -1e-9는 거의 0입니다.",
    twins=("weights_zeros_for_hidden",),
)
def weights_fill_of_minus_tiny(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(d_k), fill=-1e-9)


@mistake(
    "causal_attention_weights",
    hint="The fill is not low enough: a visible score may lie far below it.",
    ko="채운 수가 충분히 작지 않습니다. 보이는 점수가 그보다 훨씬 작을 수 있습니다.",
)
def weights_fill_of_minus_100(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(d_k), fill=-100.0)


@mistake(
    "causal_attention_weights",
    hint="A fixed number is subtracted from the hidden scores, so a large one is still seen; replace them instead.",
    ko="가려질 점수에서 정해진 수를 빼서, 큰 점수는 여전히 보입니다. 빼지 말고 바꾸어 넣으세요.",
)
def weights_100_subtracted(scores, d_k):
    return torch.softmax((scores - 100.0 * future_of(scores)) / math.sqrt(d_k), dim=-1)


@mistake(
    "causal_attention_weights",
    hint="A small number is added to the sum that shares the weights anew; where the visible ones are tiny, it is most "
    "of the divisor, and rows no longer sum to 1.",
    ko="다시 나눌 합에 작은 수를 더했습니다. 보이는 가중치가 아주 작으면 그 수가 나누는 값의 대부분이 되어 행의 합이 1이 "
    "아닙니다.",
)
def weights_shared_anew_with_a_small_number(scores, d_k):
    weights = torch.softmax(scores / math.sqrt(d_k), dim=-1).tril()
    return weights / (weights.sum(dim=-1, keepdim=True) + 1e-12)


@mistake(
    "causal_attention_weights",
    hint="The sign is wrong: plus infinity takes all the weight (and gives NaN).",
    ko="부호가 반대입니다. 양의 무한대는 가중치를 모두 가져갑니다(NaN이 됩니다).",
)
def weights_plus_infinity(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(d_k), fill=float("inf"))


@mistake(
    "causal_attention_weights",
    hint="0 times infinity is NaN, so multiplying a mask with infinity spoils every row: replace, don't multiply.",
    ko="0 곱하기 무한대는 NaN이라, 마스크에 무한대를 곱하면 모든 행이 망가집니다. 곱하지 말고 바꾸어 넣으세요.",
)
def weights_zero_times_infinity(scores, d_k):
    return torch.softmax((scores + future_of(scores) * float("-inf")) / math.sqrt(d_k), dim=-1)


@mistake(
    "causal_attention_weights",
    hint="Every score of 0 was taken for a hidden one; ask for the position, not for the value.",
    ko="점수가 0인 곳을 모두 가려진 곳으로 보았습니다. 값이 아니라 위치로 정하세요.",
)
def weights_zeros_taken_for_hidden(scores, d_k):
    return shared(scores, scores.tril() == 0, math.sqrt(d_k))


@mistake(
    "causal_attention_weights",
    marks="slip",
    hint="The columns sum to 1, not the rows: the softmax runs over the wrong axis.",
    ko="행이 아니라 열의 합이 1입니다. 소프트맥스의 축이 틀렸습니다.",
)
def weights_softmax_of_columns(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(d_k), dim=-2)


@mistake(
    "causal_attention_weights",
    hint="dim=1 is the last axis of a single matrix only; in a batch it is another one. Count axes from the end.",
    ko="dim=1은 행렬 하나일 때만 마지막 축입니다. 배치에서는 다른 축이니 뒤에서부터 세세요.",
)
def weights_softmax_along_dim_one(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(d_k), dim=1)


@mistake(
    "causal_attention_weights",
    hint="The softmax was taken twice, which flattens the weights.",
    ko="소프트맥스를 두 번 해서 가중치가 평평해졌습니다.",
)
def weights_softmax_twice(scores, d_k):
    once = torch.softmax(scores / math.sqrt(d_k), dim=-1)
    return shared(once, future_of(scores), 1)


@mistake(
    "causal_attention_weights",
    hint="These are logarithms of weights; the weights themselves are asked for.",
    ko="가중치의 로그입니다. 가중치 자체가 필요합니다.",
)
def weights_logarithms(scores, d_k):
    return torch.log_softmax(scores.masked_fill(future_of(scores), float("-inf")) / math.sqrt(d_k), dim=-1)


@mistake(
    "causal_attention_weights",
    hint="Only the first item of the batch is masked.",
    ko="배치의 첫 항목만 가려졌습니다.",
)
def weights_first_item_alone(scores, d_k):
    masked = scores.clone()
    first = masked if masked.dim() == 2 else masked[0]
    first.masked_fill_(future_of(first), float("-inf"))
    return torch.softmax(masked / math.sqrt(d_k), dim=-1)


@mistake(
    "causal_attention_weights",
    hint="The result of the first call is given again: compute it anew in every call.",
    ko="처음 계산한 결과를 다시 줍니다. 부를 때마다 새로 계산하세요.",
)
@first_kept
def weights_kept_from_the_first_call(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(d_k))


@mistake(
    "causal_attention_weights",
    hint="Axes of size 1 are dropped; the result has the shape of the scores.",
    ko="크기가 1인 축이 사라집니다. 결과의 모양은 점수와 같아야 합니다.",
)
def weights_squeezed(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(d_k)).squeeze()


@mistake(
    "causal_attention_weights",
    marks="point",
    hint="The caller's scores were masked in place (`masked_fill_`); work on a new tensor.",
    ko="부른 쪽의 점수를 제자리에서 가렸습니다(`masked_fill_`). 새 텐서로 계산하세요.",
)
def weights_masked_in_place(scores, d_k):
    return torch.softmax(scores.masked_fill_(future_of(scores), float("-inf")) / math.sqrt(d_k), dim=-1)


@mistake(
    "causal_attention_weights",
    hint="The caller's scores were divided in place (`/=`); work on a new tensor.",
    ko="부른 쪽의 점수를 제자리에서 나누었습니다(`/=`). 새 텐서로 계산하세요.",
)
def weights_scaled_in_place(scores, d_k):
    scores /= math.sqrt(d_k)
    return shared(scores, future_of(scores), 1)


@mistake(
    "causal_attention_weights",
    marks="point",
    hint="The result is cut off from the scores (detach, .data, no_grad): no gradient can flow back.",
    ko="결과가 점수와 끊겨(detach, .data, no_grad) 그래디언트가 흐르지 않습니다.",
)
def weights_detached(scores, d_k):
    return shared(scores.data, future_of(scores), math.sqrt(d_k))


@mistake(
    "causal_attention_weights",
    hint="A plain exponential overflows where scores are large, and is 0 in a whole row where they are far below zero: "
    "subtract each row's largest visible score first.",
    ko="점수가 크면 지수 함수가 넘치고, 아주 작으면 한 행이 모두 0이 됩니다. 먼저 각 행에서 보이는 점수의 최댓값을 빼세요.",
)
def weights_by_plain_exponential(scores, d_k):
    exponentials = (scores / math.sqrt(d_k)).exp().tril()
    return exponentials / exponentials.sum(dim=-1, keepdim=True)


@mistake(
    "causal_attention_weights",
    hint="The fill is not low enough: a visible score may lie below -1000.",
    ko="채운 수가 충분히 작지 않습니다. 보이는 점수가 -1000보다 작을 수 있습니다.",
)
def weights_fill_of_minus_1000(scores, d_k):
    return shared(scores, future_of(scores), math.sqrt(d_k), fill=-1000.0)


@mistake(
    "causal_attention_weights",
    hint="The mask that is added is float32, so scores in half precision become float32 too; give it their dtype.",
    ko="더한 마스크가 float32라서 반정밀도 점수도 float32가 됩니다. 마스크에 점수의 dtype을 주세요.",
)
def weights_mask_of_float32_added(scores, d_k):
    T = scores.shape[-1]
    return torch.softmax((scores + torch.full((T, T), float("-inf")).triu(1)) / math.sqrt(d_k), dim=-1)


@mistake(
    "causal_attention_weights",
    hint="The softmax runs in float32, which costs scores in float64 half of their digits.",
    ko="소프트맥스를 float32로 계산하여, float64 점수는 자릿수의 절반을 잃습니다.",
)
def weights_through_float32(scores, d_k):
    return shared(scores.float(), future_of(scores), math.sqrt(d_k)).to(scores.dtype)


@mistake(
    "causal_attention_weights",
    hint="The scores are never used: all tokens that are visible share evenly.",
    ko="점수를 쓰지 않았습니다. 보이는 토큰이 모두 똑같이 나누어 가집니다.",
    marks="trivial",
)
def weights_even_shares(scores, d_k):
    return torch.softmax(torch.zeros_like(scores).masked_fill(future_of(scores), float("-inf")), dim=-1)


@mistake(
    "causal_attention_weights",
    hint="These are the scores as they came.",
    ko="받은 점수 그대로입니다.",
    marks="trivial",
)
def weights_scores_returned(scores, d_k):
    return scores.clone()


@mistake(
    "causal_attention_weights",
    hint="The result is always float32; keep the dtype of the scores.",
    ko="결과가 항상 float32입니다. 점수의 dtype을 지키세요.",
)
def weights_into_float32(scores, d_k):
    return shared(scores.float(), future_of(scores), math.sqrt(d_k))


@right("causal_attention_weights", why="scaled first, a fill of -1e9")
def weights_fill_of_minus_1e9(scores, d_k):
    return torch.softmax((scores / d_k**0.5).masked_fill(future_of(scores), -1e9), dim=-1)


@right("causal_attention_weights", why="softmax first, then struck out and shared anew")
def weights_shared_anew(scores, d_k):
    weights = F.softmax(scores / math.sqrt(d_k), dim=-1).tril()
    return weights / weights.sum(dim=-1, keepdim=True)


@right("causal_attention_weights", why="an exponential of its own, less the largest visible score of each row")
def weights_by_exponential(scores, d_k):
    scaled = scores.masked_fill(future_of(scores), -1e30) / math.sqrt(d_k)
    exponentials = (scaled - scaled.max(dim=-1, keepdim=True).values).exp()
    return exponentials / exponentials.sum(dim=-1, keepdim=True)


@right("causal_attention_weights", why="a loop over the rows")
def weights_by_rows(scores, d_k):
    weights = torch.zeros_like(scores)
    for i in range(scores.shape[-1]):
        weights[..., i, : i + 1] = torch.softmax(scores[..., i, : i + 1] / math.sqrt(d_k), dim=-1)
    return weights


@right("causal_attention_weights", why="an additive mask of the smallest number, the root as a tensor")
def weights_by_smallest_number(scores, d_k):
    T = scores.shape[-1]
    mask = torch.full((T, T), torch.finfo(scores.dtype).min, dtype=scores.dtype, device=scores.device).triu(1)
    return torch.softmax(scores / torch.sqrt(torch.tensor(d_k, dtype=scores.dtype, device=scores.device)) + mask, -1)


@right("causal_attention_weights", why="log_softmax, float64 inside, the transposed problem")
def weights_by_log_softmax(scores, d_k):
    columns = scores.double().transpose(-2, -1) * d_k**-0.5
    hidden = torch.ones_like(columns, dtype=torch.bool).tril(-1)
    return columns.masked_fill(hidden, -torch.inf).log_softmax(dim=-2).exp().mT.to(scores.dtype)


# --- dropout_weights --------------------------------------------------------------------------------------------------


@mistake(
    "dropout_weights",
    marks="slip",
    hint="The mask is used the other way round: what it keeps was dropped.",
    ko="마스크를 반대로 썼습니다. 남겨야 할 것을 떨어뜨렸습니다.",
)
def drop_inverted(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask == 0) / (1 - p)


@mistake(
    "dropout_weights",
    marks="slip",
    hint="The kept weights are not scaled up, so a row becomes smaller on average.",
    ko="남긴 가중치를 키우지 않아 행이 평균적으로 작아집니다.",
)
def drop_not_scaled(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask != 0)


@mistake(
    "dropout_weights",
    marks="slip",
    hint="The kept weights are divided by p, the share that is dropped; think of the share that is kept.",
    ko="남긴 가중치를 떨어뜨리는 비율 p로 나누었습니다. 남기는 비율을 생각하세요.",
)
def drop_divided_by_p(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask != 0) / p


@mistake(
    "dropout_weights",
    marks="slip",
    hint="The kept weights were made smaller (multiplied by 1 - p); they have to grow.",
    ko="남긴 가중치가 작아졌습니다(1 - p를 곱했습니다). 커져야 합니다.",
)
def drop_multiplied(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask != 0) * (1 - p)


@mistake(
    "dropout_weights",
    hint="The scale is the root of 1 - p; divide by 1 - p itself.",
    ko="1 - p의 제곱근으로 나누었습니다. 1 - p로 나누세요.",
)
def drop_by_root(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask != 0) / math.sqrt(1 - p)


@mistake(
    "dropout_weights",
    hint="What is kept was divided by 1 - p twice.",
    ko="남은 값을 1 - p로 두 번 나누었습니다.",
)
def drop_scaled_twice(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask != 0) / (1 - p) ** 2


@mistake(
    "dropout_weights",
    hint="Dropped weights are minus infinity; they have to be 0.",
    ko="떨어진 가중치가 음의 무한대입니다. 0이어야 합니다.",
)
def drop_to_minus_infinity(attn_weights, keep_mask, p):
    return attn_weights.masked_fill(keep_mask == 0, float("-inf")) / (1 - p)


@mistake(
    "dropout_weights",
    hint="After the scaling the rows were divided by their sum again; leave them.",
    ko="키운 뒤 행을 다시 합으로 나누었습니다. 그대로 두세요.",
)
def drop_scaled_and_renormalised(attn_weights, keep_mask, p):
    kept = attn_weights * (keep_mask != 0) / (1 - p)
    return kept / (kept.sum(-1, keepdim=True) + 1e-9)


@mistake(
    "dropout_weights",
    hint="The factor is always that of p = 0.5; take it from the argument.",
    ko="항상 p = 0.5일 때의 배율입니다. 인자에서 구하세요.",
)
def drop_always_half(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask != 0) * 2


@mistake(
    "dropout_weights",
    hint="The factor is 1 + p, which is not what makes up for the dropped share.",
    ko="1 + p를 곱했습니다. 떨어뜨린 몫을 메우는 배율이 아닙니다.",
)
def drop_one_plus_p(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask != 0) * (1 + p)


@mistake(
    "dropout_weights",
    hint="The rows were made to sum to 1 again; dropout divides by 1 - p only, whatever the rows sum to then.",
    ko="행의 합을 다시 1로 만들었습니다. 드롭아웃은 합이 얼마이든 1 - p로 나눌 뿐입니다.",
)
def drop_renormalised(attn_weights, keep_mask, p):
    kept = attn_weights * (keep_mask != 0)
    return kept / kept.sum(dim=-1, keepdim=True)


@mistake(
    "dropout_weights",
    hint="The scaling uses the share that this mask happens to keep; use p.",
    ko="이 마스크가 우연히 남긴 비율로 나누었습니다. p를 쓰세요.",
)
def drop_by_share_of_mask(attn_weights, keep_mask, p):
    kept = keep_mask != 0
    return attn_weights * kept / kept.to(attn_weights.dtype).mean()


@mistake(
    "dropout_weights",
    marks="trivial",
    hint="The mask plays no part: every weight is scaled up.",
    ko="마스크가 쓰이지 않았습니다. 모든 가중치가 커졌습니다.",
)
def drop_nothing(attn_weights, keep_mask, p):
    return attn_weights / (1 - p)


@mistake(
    "dropout_weights",
    hint="The weights are dropped at random; here the mask has been drawn already and is given to you.",
    ko="가중치를 무작위로 떨어뜨렸습니다. 여기서는 이미 뽑은 마스크가 주어집니다.",
    twins=("changing_result",),
)
def drop_at_random(attn_weights, keep_mask, p):
    return F.dropout(attn_weights, p)


@mistake(
    "dropout_weights",
    hint="The given mask is used, and then dropout is drawn once more.",
    ko="주어진 마스크를 쓴 뒤 드롭아웃을 한 번 더 뽑았습니다.",
    twins=("changing_result",),
)
def drop_twice(attn_weights, keep_mask, p):
    return F.dropout(attn_weights * (keep_mask != 0), p)


@mistake(
    "dropout_weights",
    hint="The weights are multiplied with the numbers of the mask; a 2 only means kept and must not double anything.",
    ko="가중치에 마스크의 숫자를 곱했습니다. 2는 남긴다는 뜻일 뿐이니 두 배가 되면 안 됩니다.",
)
def drop_numbers_multiplied(attn_weights, keep_mask, p):
    return attn_weights * keep_mask.to(attn_weights.dtype) / (1 - p)


@mistake(
    "dropout_weights",
    hint="The mask of the note is taken as the factor, without p: bools and ones leave the weights unscaled.",
    ko="p 없이 노트의 마스크를 배율로 썼습니다. bool이나 1이면 가중치가 커지지 않습니다.",
)
def drop_mask_as_factor(attn_weights, keep_mask, p):
    return attn_weights * keep_mask.to(attn_weights.dtype)


@mistake(
    "dropout_weights",
    hint="Only 1 (or True) is taken for kept; every number but 0 means kept.",
    ko="1(또는 True)만 남긴다고 보았습니다. 0이 아닌 수는 모두 남긴다는 뜻입니다.",
)
def drop_all_but_one(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask == 1) / (1 - p)


@mistake(
    "dropout_weights",
    hint="Negative numbers are taken for dropped; every number but 0 means kept.",
    ko="음수를 떨어뜨린다고 보았습니다. 0이 아닌 수는 모두 남긴다는 뜻입니다.",
)
def drop_negative_numbers(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask > 0) / (1 - p)


@mistake(
    "dropout_weights",
    hint="Fractions are cut to 0 on the way to whole numbers; every number but 0 means kept.",
    ko="소수가 정수로 바뀌며 0이 됩니다. 0이 아닌 수는 모두 남긴다는 뜻입니다.",
)
def drop_fractions(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask.int() != 0) / (1 - p)


@mistake(
    "dropout_weights",
    hint="`~` turns bools only; the numbers 0 and 1 become -1 and -2. Compare the mask with 0.",
    ko="`~`는 bool에서만 뜻대로 됩니다. 숫자 0과 1은 -1과 -2가 됩니다. 마스크를 0과 비교하세요.",
)
def drop_bools_alone(attn_weights, keep_mask, p):
    return attn_weights.masked_fill(~keep_mask, 0) / (1 - p)


@mistake(
    "dropout_weights",
    hint="With p = 0 the mask is passed over; it decides in every case.",
    ko="p가 0이면 마스크를 건너뜁니다. 어느 경우에나 마스크가 정합니다.",
)
def drop_nothing_for_p_zero(attn_weights, keep_mask, p):
    if p == 0:
        return attn_weights.clone()
    return attn_weights * (keep_mask != 0) / (1 - p)


@mistake(
    "dropout_weights",
    hint="The first item's mask is used for the whole batch.",
    ko="첫 항목의 마스크를 배치 전체에 썼습니다.",
)
def drop_mask_of_first_item(attn_weights, keep_mask, p):
    if keep_mask.dim() > 2:
        keep_mask = keep_mask[:1]
    return attn_weights * (keep_mask != 0) / (1 - p)


@mistake(
    "dropout_weights",
    hint="The mask is transposed: entry [i, j] of the weights belongs to entry [i, j] of the mask.",
    ko="마스크가 전치되었습니다. 가중치의 [i, j]는 마스크의 [i, j]를 따릅니다.",
)
def drop_mask_transposed(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask.mT != 0) / (1 - p)


@mistake(
    "dropout_weights",
    hint="The future is hidden as well; here the mask alone decides.",
    ko="미래까지 가렸습니다. 여기서는 마스크만 정합니다.",
)
def drop_the_future_too(attn_weights, keep_mask, p):
    return (attn_weights * (keep_mask != 0) / (1 - p)).tril()


@mistake(
    "dropout_weights",
    hint="The result of the first call is given again: compute it anew in every call.",
    ko="처음 계산한 결과를 다시 줍니다. 부를 때마다 새로 계산하세요.",
)
@first_kept
def drop_kept_from_the_first_call(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask != 0) / (1 - p)


@mistake(
    "dropout_weights",
    hint="Axes of size 1 are dropped; the result has the shape of the weights.",
    ko="크기가 1인 축이 사라집니다. 결과의 모양은 가중치와 같아야 합니다.",
)
def drop_squeezed(attn_weights, keep_mask, p):
    return (attn_weights * (keep_mask != 0) / (1 - p)).squeeze()


@mistake(
    "dropout_weights",
    marks="point",
    hint="The caller's weights were changed (`*=`, `masked_fill_`); work on a new tensor.",
    ko="부른 쪽의 가중치가 바뀌었습니다(`*=`, `masked_fill_`). 새 텐서로 계산하세요.",
)
def drop_in_place(attn_weights, keep_mask, p):
    return attn_weights.masked_fill_(keep_mask == 0, 0) / (1 - p)


@mistake(
    "dropout_weights",
    hint="The caller's mask was changed; work on a new tensor.",
    ko="부른 쪽의 마스크가 바뀌었습니다. 새 텐서로 계산하세요.",
)
def drop_mask_in_place(attn_weights, keep_mask, p):
    keep_mask[keep_mask != 0] = 1
    return attn_weights * (keep_mask != 0) / (1 - p)


@mistake(
    "dropout_weights",
    marks="point",
    hint="The result is cut off from the weights (detach, .data, no_grad): no gradient can flow back.",
    ko="결과가 가중치와 끊겨(detach, .data, no_grad) 그래디언트가 흐르지 않습니다.",
)
def drop_detached(attn_weights, keep_mask, p):
    return attn_weights.detach() * (keep_mask != 0) / (1 - p)


@mistake(
    "dropout_weights",
    hint="The result takes the dtype of the mask; keep that of the weights.",
    ko="결과가 마스크의 dtype을 따릅니다. 가중치의 dtype을 지키세요.",
)
def drop_dtype_of_the_mask(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask != 0).to(keep_mask.dtype) / (1 - p)


@mistake(
    "dropout_weights",
    hint="The mask is made float32, so weights in half precision become float32 too; give it their dtype.",
    ko="마스크를 float32로 바꾸어 반정밀도 가중치도 float32가 됩니다. 마스크에 가중치의 dtype을 주세요.",
)
def drop_mask_of_float32(attn_weights, keep_mask, p):
    return attn_weights * (keep_mask != 0).float() / (1 - p)


@mistake(
    "dropout_weights",
    hint="The weights go through float32 on their way, which costs those in float64 half of their digits.",
    ko="가중치가 중간에 float32를 거쳐, float64 가중치는 자릿수의 절반을 잃습니다.",
)
def drop_through_float32(attn_weights, keep_mask, p):
    return (attn_weights.float() * (keep_mask != 0) / (1 - p)).to(attn_weights.dtype)


@mistake(
    "dropout_weights",
    marks="trivial",
    hint="This is the mask, divided by 1 - p; the weights are never used.",
    ko="마스크를 1 - p로 나눈 것입니다. 가중치를 쓰지 않았습니다.",
)
def drop_mask_alone(attn_weights, keep_mask, p):
    return torch.zeros_like(attn_weights) + (keep_mask != 0) / (1 - p)


@mistake(
    "dropout_weights",
    hint="The result is always float32; keep the dtype of the weights.",
    ko="결과가 항상 float32입니다. 가중치의 dtype을 지키세요.",
)
def drop_into_float32(attn_weights, keep_mask, p):
    return attn_weights.float() * (keep_mask != 0) / (1 - p)


@right("dropout_weights", why="where")
def drop_by_where(attn_weights, keep_mask, p):
    return torch.where(keep_mask != 0, attn_weights / (1 - p), 0.0)


@right("dropout_weights", why="masked_fill and a factor")
def drop_by_fill(attn_weights, keep_mask, p):
    return attn_weights.masked_fill(keep_mask == 0, 0.0) * (1 / (1 - p))


@right("dropout_weights", why="bool() in all cases, in the dtype of the weights, float64 inside")
def drop_by_bool(attn_weights, keep_mask, p):
    factor = keep_mask.bool().double() / (1.0 - p)
    return (attn_weights.double() * factor).to(attn_weights.dtype)


@right("dropout_weights", why="in place on a copy, with indices")
def drop_on_a_copy(attn_weights, keep_mask, p):
    result = attn_weights.clone()
    result[torch.logical_not(keep_mask)] = 0
    return result.div_(1 - p)


@right("dropout_weights", why="entry by entry, and a callable object")
@Answering
def drop_entry_by_entry(attn_weights, keep_mask, p):
    pairs = zip(attn_weights.flatten(), keep_mask.flatten(), strict=True)
    kept = [weight / (1 - p) if keep else torch.zeros_like(weight) for weight, keep in pairs]
    return torch.stack(kept).reshape(attn_weights.shape)


# --- CausalAttention --------------------------------------------------------------------------------------------------


@helper
def layers_of(module, x):
    """Return queries, keys and values of a sequence that is not too long."""
    if x.shape[1] > len(module.mask):
        raise ValueError("too many tokens")
    return module.W_query(x), module.W_key(x), module.W_value(x)


@helper
def hidden_of(module, scores):
    """Return the part of the module's mask that fits the scores; a new mask where they are too long for it."""
    T = scores.shape[-1]
    return module.mask[:T, :T] if len(module.mask) >= T else torch.ones_like(scores, dtype=torch.bool).triu(1)


@helper
def finished(module, scores, values, hidden=None, fill=float("-inf")):
    """Return the output for scaled scores, the module's mask if no other is given."""
    T = scores.shape[-1]
    hidden = module.mask[:T, :T] if hidden is None else hidden
    return module.dropout(torch.softmax(scores.masked_fill(hidden, fill), dim=-1)) @ values


@mistake(
    "CausalAttention",
    hint="The size is kept by the class, so the module that was made last decides for all; keep it in self.",
    ko="크기를 클래스에 두어, 마지막에 만든 모듈의 크기가 모두에게 쓰입니다. self에 두세요.",
    twins=("scaling_divisor",),
)
class module_size_shared_by_all(solution.CausalAttention):
    size = 1

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        type(self).size = d_out

    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return finished(self, queries @ keys.mT / math.sqrt(type(self).size), values)


@mistake(
    "CausalAttention",
    hint="A probability above one half is cut down to it; hand it on as it is given.",
    ko="0.5보다 큰 확률을 0.5로 줄였습니다. 받은 그대로 넘기세요.",
)
class module_half_at_most(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, min(dropout, 0.5), qkv_bias)


@mistake(
    "CausalAttention",
    marks="slip",
    hint="The scores are not divided by the root of d_out.",
    ko="점수를 d_out의 제곱근으로 나누지 않았습니다.",
)
class module_no_scaling(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / 1
        return finished(self, scores, values)


@mistake(
    "CausalAttention",
    marks="slip",
    hint="The scores are divided by d_out itself; take its root.",
    ko="점수를 d_out 자체로 나누었습니다. 제곱근을 쓰세요.",
)
class module_by_d_out(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / keys.shape[-1]
        return finished(self, scores, values)


@mistake(
    "CausalAttention",
    hint="The scores are divided by the root of d_in; queries and keys have d_out features.",
    ko="점수를 d_in의 제곱근으로 나누었습니다. 쿼리와 키의 특징은 d_out개입니다.",
)
class module_by_root_of_d_in(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(x.shape[-1])
        return finished(self, scores, values)


@mistake(
    "CausalAttention",
    hint="The scores are divided by the root of the number of tokens; it is the features of a key that count.",
    ko="점수를 토큰 수의 제곱근으로 나누었습니다. 키의 특징 수를 쓰세요.",
)
class module_by_root_of_tokens(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(x.shape[1])
        return finished(self, scores, values)


@mistake(
    "CausalAttention",
    hint="The scores are divided by the root of the context length; it is the features of a key that count.",
    ko="점수를 context_length의 제곱근으로 나누었습니다. 키의 특징 수를 쓰세요.",
)
class module_by_root_of_context_length(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(len(self.mask))
        return finished(self, scores, values)


@mistake(
    "CausalAttention",
    hint="The root was rounded to a whole number.",
    ko="제곱근이 정수로 반올림되었습니다.",
)
class module_by_whole_root(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.isqrt(keys.shape[-1])
        return finished(self, scores, values)


@mistake(
    "CausalAttention",
    hint="The scores are multiplied by the root of d_out; divide by it.",
    ko="점수에 d_out의 제곱근을 곱했습니다. 나누세요.",
)
class module_multiplied(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / keys.shape[-1] ** -0.5
        return finished(self, scores, values)


@mistake(
    "CausalAttention",
    hint="The values are divided instead of the scores.",
    ko="점수 대신 값(value)을 나누었습니다.",
)
class module_values_scaled(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return finished(self, queries @ keys.mT, values / math.sqrt(keys.shape[-1]))


@mistake(
    "CausalAttention",
    marks="slip",
    hint="Nothing is hidden: the mask is never used.",
    ko="가려진 것이 없습니다. 마스크를 쓰지 않았습니다.",
)
class module_not_masked(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, torch.zeros_like(scores) > 0)


@mistake(
    "CausalAttention",
    hint="The diagonal is hidden too, so nothing is left for the first token (NaN).",
    ko="대각선까지 가려 첫 토큰에게 남는 것이 없습니다(NaN).",
)
class module_diagonal_hidden(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, torch.ones_like(scores).triu() > 0)


@mistake(
    "CausalAttention",
    hint="The diagonal is hidden too, with a fill that leaves the first token even shares: a token sees itself.",
    ko="대각선까지 가려 첫 토큰이 모든 토큰을 고르게 봅니다. 토큰은 자신을 봅니다.",
)
class module_diagonal_hidden_by_1e9(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, torch.ones_like(scores).triu() > 0, fill=-1e9)


@mistake(
    "CausalAttention",
    marks="slip",
    hint="Every token still sees one token of the future.",
    ko="모든 토큰이 아직 미래의 토큰 하나를 봅니다.",
)
class module_one_step_leak(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores).triu(2))


@mistake(
    "CausalAttention",
    hint="The past is hidden and the future is not: the mask is transposed.",
    ko="과거를 가리고 미래를 보입니다. 마스크가 전치되었습니다.",
)
class module_past_hidden(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores).mT)


@mistake(
    "CausalAttention",
    hint="The mask is used the other way round: what should be visible is hidden.",
    ko="마스크를 반대로 썼습니다. 보여야 할 곳이 가려졌습니다.",
)
class module_mask_inverted(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, ~hidden_of(self, scores))


@mistake(
    "CausalAttention",
    hint="The triangle is mirrored: its edge runs from the upper right to the lower left.",
    ko="삼각형이 좌우로 뒤집혔습니다. 경계가 오른쪽 위에서 왼쪽 아래로 갑니다.",
)
class module_mask_mirrored(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores).flip(-1))


@mistake(
    "CausalAttention",
    hint="The fill is nearly 0 (-1e-9 for -1e9), so hidden tokens still get weight.",
    ko="채운 수가 거의 0이라(-1e9가 아니라 -1e-9) 가려진 토큰이 여전히 가중치를 받습니다.",
)
class module_fill_of_minus_tiny(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores), fill=-1e-9)


@mistake(
    "CausalAttention",
    hint="The fill is not low enough: a visible score may lie far below it.",
    ko="채운 수가 충분히 작지 않습니다. 보이는 점수가 그보다 훨씬 작을 수 있습니다.",
)
class module_fill_of_minus_100(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores), fill=-100.0)


@mistake(
    "CausalAttention",
    hint="A fill of -1000 is not low enough: visible scores can lie below it. Use minus infinity.",
    ko="-1000은 충분히 작지 않습니다. 보이는 점수가 더 작을 수 있으니 음의 무한대를 쓰세요.",
)
class module_fill_of_minus_1000(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, fill=-1e3)


@mistake(
    "CausalAttention",
    marks="slip",
    hint="The layer was given the probability to keep, 1 - dropout; nn.Dropout takes the one to drop.",
    ko="nn.Dropout에 남길 확률(1 - dropout)을 주었습니다. 떨어뜨릴 확률을 주어야 합니다.",
)
class module_keep_probability(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, 1 - dropout, qkv_bias)


@mistake(
    "CausalAttention",
    hint="Dropout works in eval instead of in training: `training=` was given the opposite.",
    ko="학습이 아니라 eval에서 떨어뜨립니다. `training=`에 반대를 넘겼습니다.",
    twins=("changing_result", "module_drops_in_eval"),
)
class module_drops_in_eval_only(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        weights = torch.softmax(scores.masked_fill(self.mask[: x.shape[1], : x.shape[1]], -torch.inf), dim=-1)
        return F.dropout(weights, self.dropout.p, not self.training) @ values


@mistake(
    "CausalAttention",
    hint="In eval the weights are multiplied by 1 - dropout; training has made up for it already, eval leaves them alone.",
    ko="eval에서 가중치에 1 - dropout을 곱했습니다. 학습 때 이미 키웠으므로 eval에서는 그대로 둡니다.",
)
class module_shrinks_in_eval(solution.CausalAttention):
    def forward(self, x):
        result = super().forward(x)
        return result if self.training else result * (1 - self.dropout.p)


@mistake(
    "CausalAttention",
    hint="The keys of the first call are kept; compute them from the new input.",
    ko="첫 호출의 키를 간직했습니다. 새 입력으로 계산하세요.",
)
class module_keys_kept(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        if not hasattr(self, "kept"):
            self.kept = keys
        return finished(self, queries @ self.kept.mT / math.sqrt(keys.shape[-1]), values)


@mistake(
    "CausalAttention",
    hint="The tokens are added to the result; this module has no residual path.",
    ko="결과에 토큰을 더했습니다. 이 모듈에는 잔차 경로가 없습니다.",
)
class module_residual(solution.CausalAttention):
    def forward(self, x):
        return super().forward(x) + x


@mistake(
    "CausalAttention",
    hint="The scores were averaged over the batch, so items see each other.",
    ko="점수를 배치 방향으로 평균하여 항목들이 서로를 봅니다.",
)
class module_scores_averaged(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores.mean(0, keepdim=True).expand_as(scores), values)


@mistake(
    "CausalAttention",
    hint="`masked_fill` wants a mask of bools; register the buffer with dtype=torch.bool or turn it with .bool().",
    ko="`masked_fill`에는 bool 마스크가 필요합니다. dtype=torch.bool로 등록하거나 .bool()로 바꾸세요.",
)
class module_mask_of_numbers(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.mask = torch.ones(context_length, context_length).triu(1)


@mistake(
    "CausalAttention",
    hint="The sign is wrong: plus infinity takes all the weight (and gives NaN).",
    ko="부호가 반대입니다. 양의 무한대는 가중치를 모두 가져갑니다(NaN이 됩니다).",
)
class module_plus_infinity(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores), fill=float("inf"))


@mistake(
    "CausalAttention",
    hint="Every number is NaN. A mask that is multiplied with infinity does that (0 times infinity is NaN: replace, "
    "don't multiply), and so does a division of the scores or weights by 0.",
    ko="모든 값이 NaN입니다. 마스크에 무한대를 곱하거나(0 곱하기 무한대는 NaN이니, 곱하지 말고 바꾸어 넣으세요) 점수나 "
    "가중치를 0으로 나누면 그렇게 됩니다.",
)
class module_zero_times_infinity(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        scores = scores + hidden_of(self, scores) * float("-inf")
        return finished(self, scores, values)


@mistake(
    "CausalAttention",
    hint="Every score of 0 was taken for a hidden one; ask for the position, not for the value.",
    ko="점수가 0인 곳을 모두 가려진 곳으로 보았습니다. 값이 아니라 위치로 정하세요.",
)
class module_zeros_taken_for_hidden(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, scores.tril() == 0)


@mistake(
    "CausalAttention",
    hint="The future is struck out after the softmax, so its share is missing: rows sum to less than 1.",
    ko="소프트맥스 뒤에 미래를 지워, 그 몫이 빠지고 행의 합이 1보다 작습니다.",
)
class module_masked_afterwards(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return self.dropout(torch.softmax(scores, dim=-1).tril()) @ values


@mistake(
    "CausalAttention",
    hint="Only the first item of the batch is masked.",
    ko="배치의 첫 항목만 가려졌습니다.",
)
class module_first_item_alone(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        hidden = hidden_of(self, scores)
        hidden[1:] = False
        return finished(self, scores, values, hidden)


@mistake(
    "CausalAttention",
    hint="The whole mask is used, so sequences shorter than the context length fail: cut it to T rows and columns.",
    ko="마스크 전체를 써서 context_length보다 짧은 문장에서 오류가 납니다. T행 T열로 자르세요.",
    twins=("module_mask_rows_only",),
)
class module_mask_not_sliced(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, self.mask)


@mistake(
    "CausalAttention",
    hint="The mask is cut to T rows but keeps all its columns.",
    ko="마스크를 T행으로 잘랐지만 열은 그대로입니다.",
    twins=("module_mask_not_sliced",),
)
class module_mask_rows_only(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, self.mask[: x.shape[1]])


@mistake(
    "CausalAttention",
    hint="The mask was cut from the wrong corner: rows from its end and columns from its beginning hide nothing.",
    ko="마스크를 잘못된 모서리에서 잘랐습니다. 끝의 행과 처음의 열에는 가려진 곳이 없습니다.",
)
class module_mask_from_the_end(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        T = x.shape[1]
        return finished(self, scores, values, self.mask[-T:, :T])


@mistake(
    "CausalAttention",
    hint="The mask is cut to the size of the batch, the first axis; the tokens are the second.",
    ko="마스크를 첫 축인 배치의 크기로 잘랐습니다. 토큰은 둘째 축입니다.",
)
class module_mask_of_the_batch(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        B = x.shape[0]
        return finished(self, scores, values, self.mask[:B, :B])


@mistake(
    "CausalAttention",
    hint="The mask of the first sequence is kept and used for later ones of another length.",
    ko="첫 문장의 마스크를 남겨 두고 길이가 다른 뒤의 문장에도 썼습니다.",
)
class module_mask_kept(solution.CausalAttention):
    kept = None

    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        if self.kept is None:
            self.kept = self.mask[: x.shape[1], : x.shape[1]]
        return finished(self, scores, values, self.kept)


@mistake(
    "CausalAttention",
    hint="The mask is a plain attribute, so `.to()` leaves it behind; make it a buffer.",
    ko="마스크가 보통 속성이라 `.to()`가 옮기지 않습니다. 버퍼로 만드세요.",
)
class module_mask_as_attribute(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        mask = self.mask
        del self.mask
        self.mask = mask


@mistake(
    "CausalAttention",
    hint="The mask is a parameter; nothing about it is learned, so it belongs into a buffer.",
    ko="마스크가 매개변수입니다. 학습할 것이 없으니 버퍼여야 합니다.",
)
class module_mask_as_parameter(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        del self.mask
        self.mask = nn.Parameter(torch.ones(context_length, context_length).triu(1))

    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        T = x.shape[1]
        return finished(self, scores, values, self.mask[:T, :T] > 0)


@mistake(
    "CausalAttention",
    hint="A buffer is there, but the module keeps it on the device where it was made.",
    ko="버퍼는 있지만, 모듈이 버퍼를 처음 만든 장치에 붙들어 둡니다.",
)
class module_mask_stays_behind(solution.CausalAttention):
    def _apply(self, function, recurse=True):
        mask = self.mask
        super()._apply(function, recurse)
        self.mask = mask
        return self


@mistake(
    "CausalAttention",
    hint="There is a buffer, but forward uses another mask, which `.to()` leaves behind: take it from the buffer.",
    ko="버퍼는 있지만 forward가 다른 마스크를 쓰고, 그것은 `.to()`가 옮기지 않습니다. 버퍼에서 가져오세요.",
)
class module_mask_beside_the_buffer(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.hidden = self.mask.clone()

    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        T = x.shape[1]
        return finished(self, queries @ keys.mT / math.sqrt(keys.shape[-1]), values, self.hidden[:T, :T])


@mistake(
    "CausalAttention",
    hint="The mask is used in training only; in eval the future is seen.",
    ko="마스크를 학습 중에만 썼습니다. eval에서는 미래가 보입니다.",
)
class module_mask_in_training_only(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores) & self.training)


@mistake(
    "CausalAttention",
    hint="The mask is used in eval only; in training the future is seen.",
    ko="마스크를 eval에서만 썼습니다. 학습 중에는 미래가 보입니다.",
)
class module_mask_in_eval_only(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores) & (not self.training))


@mistake(
    "CausalAttention",
    hint="The mask is forgotten where dropout is active.",
    ko="드롭아웃이 켜져 있을 때 마스크를 빠뜨렸습니다.",
)
class module_mask_lost_with_dropout(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores) & (not self.training or self.dropout.p == 0))


@mistake(
    "CausalAttention",
    hint="Queries and keys are swapped: row i of the scores belongs to query i.",
    ko="쿼리와 키가 바뀌었습니다. 점수의 i번째 행은 i번째 쿼리의 것입니다.",
)
class module_queries_and_keys_swapped(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return finished(self, keys @ queries.mT / math.sqrt(keys.shape[-1]), values)


@mistake(
    "CausalAttention",
    hint="The keys come from W_query as well; W_key plays no part.",
    ko="키도 W_query로 만들었습니다. W_key가 쓰이지 않습니다.",
    twins=("module_one_layer",),
)
class module_keys_from_queries(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return finished(self, queries @ queries.mT / math.sqrt(keys.shape[-1]), values)


@mistake(
    "CausalAttention",
    marks="slip",
    hint="One layer serves as W_query and W_key; three layers of their own are asked for.",
    ko="한 층을 W_query와 W_key로 함께 썼습니다. 세 층이 따로 있어야 합니다.",
    twins=("module_keys_from_queries",),
)
class module_one_layer(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.W_key = self.W_query


@mistake(
    "CausalAttention",
    marks="slip",
    hint="The keys were averaged where the values belong: W_value plays no part.",
    ko="값이 들어갈 자리에 키를 썼습니다. W_value가 쓰이지 않습니다.",
)
class module_keys_as_values(solution.CausalAttention):
    def forward(self, x):
        queries, keys, _ = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, keys)


@mistake(
    "CausalAttention",
    hint="The scores compare the tokens themselves; the queries and keys are made of them by W_query and W_key.",
    ko="토큰 자체를 비교했습니다. 쿼리와 키는 W_query와 W_key로 만듭니다.",
)
class module_tokens_unprojected(solution.CausalAttention):
    def forward(self, x):
        _, keys, values = layers_of(self, x)
        return finished(self, x @ x.mT / math.sqrt(keys.shape[-1]), values)


@mistake(
    "CausalAttention",
    hint="The weights are transposed before they meet the values.",
    ko="가중치를 전치해서 값에 곱했습니다.",
)
class module_weights_transposed(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        weights = torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1)
        return self.dropout(weights.mT) @ values


@mistake(
    "CausalAttention",
    marks="slip",
    hint="The softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
class module_softmax_of_columns(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        weights = torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=1)
        return self.dropout(weights) @ values


@mistake(
    "CausalAttention",
    marks="trivial",
    hint="Every token averages what it sees evenly; queries and keys play no part.",
    ko="모든 토큰이 보이는 것을 똑같이 평균합니다. 쿼리와 키가 쓰이지 않습니다.",
)
class module_even_shares(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return finished(self, 0 * (queries @ keys.mT), values)


@mistake(
    "CausalAttention",
    hint="The items of the batch were joined to one long sequence and see each other.",
    ko="배치의 항목들이 한 문장으로 이어져 서로를 봅니다.",
)
class module_batch_mixed(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        B, T, d_out = values.shape
        queries, keys, values = (part.reshape(1, B * T, d_out) for part in (queries, keys, values))
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores)).reshape(B, T, d_out)


@mistake(
    "CausalAttention",
    hint="Every item gets the weights of the first one.",
    ko="모든 항목이 첫 항목의 가중치를 씁니다.",
)
class module_first_item_for_all(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries[:1] @ keys[:1].mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values)


@mistake(
    "CausalAttention",
    hint="Output and weights are returned as a pair; the output alone is asked for.",
    ko="출력과 가중치를 함께 반환합니다. 출력만 반환하세요.",
)
class module_with_weights(solution.CausalAttention):
    def forward(self, x):
        output = super().forward(x)
        return output, torch.eye(x.shape[1])


@mistake(
    "CausalAttention",
    hint="Axes of size 1 are dropped; the output is (B, T, d_out) also for a batch of one.",
    ko="크기가 1인 축이 사라집니다. 배치가 하나여도 출력은 (B, T, d_out)입니다.",
)
class module_squeezed(solution.CausalAttention):
    def forward(self, x):
        return super().forward(x).squeeze()


@mistake(
    "CausalAttention",
    hint="The layers always have a bias; hand `qkv_bias` on to nn.Linear.",
    ko="층에 항상 편향이 있습니다. `qkv_bias`를 nn.Linear에 넘기세요.",
    unnamed="What was not asked for is drawn at random, so the numbers look like those of any wrong answer.",
)
class module_always_with_bias(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=True):
        super().__init__(d_in, d_out, context_length, dropout, True)


@mistake(
    "CausalAttention",
    hint="The argument `qkv_bias` is ignored: the layers never have a bias.",
    ko="`qkv_bias` 인자를 쓰지 않아 층에 편향이 없습니다.",
)
class module_never_with_bias(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, False)


@mistake(
    "CausalAttention",
    hint="Only queries and keys get a bias; all three layers are asked for.",
    ko="쿼리와 키에만 편향이 있습니다. 세 층 모두에 있어야 합니다.",
)
class module_bias_not_of_values(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=False)


@mistake(
    "CausalAttention",
    hint="There are more parameters than asked for, of a layer or by themselves; state_dict holds them, used or not.",
    ko="요구한 것보다 매개변수가 더 있습니다. 층의 것이든 따로 둔 것이든, 쓰지 않아도 state_dict에 들어갑니다.",
)
class module_extra_layer(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)


@mistake(
    "CausalAttention",
    hint="The output goes through one more layer, which belongs to multi-head attention.",
    ko="출력이 층을 하나 더 지납니다. 그것은 멀티헤드 어텐션의 것입니다.",
    unnamed="What was not asked for is drawn at random, so the numbers look like those of any wrong answer.",
)
class module_output_projected(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        return self.out_proj(super().forward(x))


@mistake(
    "CausalAttention",
    hint="Plain tensors are no parameters: an optimiser, `.to()` and state_dict do not see them. Use nn.Linear.",
    ko="보통 텐서는 매개변수가 아닙니다. 옵티마이저, `.to()`, state_dict가 보지 못합니다. nn.Linear를 쓰세요.",
)
class module_plain_tensors(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        del self.W_query, self.W_key, self.W_value
        matrices = torch.randn(3, d_in, d_out)
        self.W_query, self.W_key, self.W_value = ((lambda x, i=i: x @ matrices[i]) for i in range(3))


@mistake(
    "CausalAttention",
    hint="The layers are matrices x is multiplied with; nn.Linear layers of these names are asked for.",
    ko="층이 x에 곱하는 행렬입니다. 그 이름의 nn.Linear 층이어야 합니다.",
)
class module_matrices_as_parameters(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Parameter(torch.rand(d_in, d_out)) for _ in range(3))
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length, dtype=torch.bool).triu(1))

    def forward(self, x):
        queries, keys, values = x @ self.W_query, x @ self.W_key, x @ self.W_value
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values)


@mistake(
    "CausalAttention",
    hint="The attention weights are never dropped.",
    ko="어텐션 가중치를 떨어뜨리지 않습니다.",
)
class module_no_dropout(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.dropout = nn.Identity()


@mistake(
    "CausalAttention",
    marks="point",
    hint="Weights are dropped in eval too: F.dropout needs `training=self.training`; nn.Dropout sees to it itself.",
    ko="eval에서도 가중치를 떨어뜨립니다. F.dropout에는 `training=self.training`이 필요합니다.",
    twins=("changing_result",),
)
class module_drops_in_eval(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        weights = torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1)
        return F.dropout(weights, self.dropout.p) @ values


@mistake(
    "CausalAttention",
    hint="The share that is dropped is 1 - dropout; `dropout` is the share to drop.",
    ko="떨어뜨리는 비율이 1 - dropout입니다. `dropout`이 떨어뜨릴 비율입니다.",
)
class module_keeps_what_it_should_drop(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.dropout = nn.Dropout(1 - dropout if dropout else 0)


@mistake(
    "CausalAttention",
    hint="The argument `dropout` is not handed on, so another probability is used.",
    ko="dropout 인자를 넘기지 않아 다른 확률이 쓰입니다.",
)
class module_ignores_probability(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.dropout = nn.Dropout(0.5 if dropout else 0)


@mistake(
    "CausalAttention",
    hint="Dropout is on the scores, before the softmax; a score of 0 is not a weight of 0.",
    ko="드롭아웃이 소프트맥스 전의 점수에 걸렸습니다. 점수 0은 가중치 0이 아닙니다.",
)
class module_drops_scores(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = self.dropout(queries @ keys.mT / math.sqrt(keys.shape[-1]))
        return torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1) @ values


@mistake(
    "CausalAttention",
    hint="After dropout the rows are made to sum to 1 again; leave them as dropout made them.",
    ko="드롭아웃 뒤에 행의 합을 다시 1로 만들었습니다. 드롭아웃이 만든 대로 두세요.",
)
class module_drops_and_shares_anew(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        weights = torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1)
        weights = self.dropout(weights)
        return weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-9) @ values


@mistake(
    "CausalAttention",
    hint="After dropout the rows are divided by their sums again, which is 0 / 0 where all of a row was dropped.",
    ko="드롭아웃 뒤에 행을 다시 합으로 나누었습니다. 모두 지워진 행에서는 0 / 0이 됩니다.",
)
class module_drops_and_divides_again(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        weights = self.dropout(torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1))
        return weights / weights.sum(dim=-1, keepdim=True) @ values


@mistake(
    "CausalAttention",
    hint="The kept weights do not grow: dropout divides them by 1 - p.",
    ko="남긴 가중치가 커지지 않습니다. 드롭아웃은 1 - p로 나눕니다.",
)
class module_drops_without_scaling(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        weights = torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1)
        return self.dropout(weights) * (1 - self.dropout.p if self.training else 1) @ values


@mistake(
    "CausalAttention",
    hint="Dropout is on the output, not on the weights.",
    ko="드롭아웃이 가중치가 아니라 출력에 걸렸습니다.",
)
class module_drops_output(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        weights = torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1)
        return self.dropout(weights @ values)


@mistake(
    "CausalAttention",
    hint="Dropout acts twice, on the weights two times over or on the weights and on the output; once is asked for.",
    ko="드롭아웃이 두 번 걸립니다. 가중치에 두 번이거나, 가중치와 출력에 한 번씩입니다. 가중치에 한 번만 걸려야 합니다.",
)
class module_drops_output_too(solution.CausalAttention):
    def forward(self, x):
        return self.dropout(super().forward(x))


@mistake(
    "CausalAttention",
    hint="Dropout acts twice, on the weights two times over or on the weights and on the output; once is asked for.",
    ko="드롭아웃이 두 번 걸립니다. 가중치에 두 번이거나, 가중치와 출력에 한 번씩입니다. 가중치에 한 번만 걸려야 합니다.",
    twins=("module_drops_output_too",),
)
class module_drops_weights_twice(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.dropout = nn.Sequential(nn.Dropout(dropout), nn.Dropout(dropout))


@mistake(
    "CausalAttention",
    hint="The weights that stay are multiplied by a wrong factor; dropout divides them by 1 - p.",
    ko="남은 가중치에 다른 수를 곱했습니다. 드롭아웃은 1 - p로 나눕니다.",
)
class module_drops_and_shrinks(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        weights = torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1)
        if self.training:
            weights = weights * (torch.rand_like(weights) > self.dropout.p) * (1 - self.dropout.p)
        return weights @ values


@mistake(
    "CausalAttention",
    hint="Dropout is on the values, not on the weights.",
    ko="드롭아웃이 가중치가 아니라 값(value)에 걸렸습니다.",
)
class module_drops_values(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        weights = torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1)
        return weights @ self.dropout(values)


@mistake(
    "CausalAttention",
    hint="Dropout is on the tokens that come in, not on the weights.",
    ko="드롭아웃이 가중치가 아니라 들어오는 토큰에 걸렸습니다.",
)
class module_drops_tokens(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, self.dropout(x))
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        weights = torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1)
        return weights @ values


@mistake(
    "CausalAttention",
    hint="One draw serves all queries, so whole columns are dropped; every weight is to be drawn for itself.",
    ko="한 번의 추첨이 모든 쿼리에 쓰여 열이 통째로 사라집니다. 가중치마다 따로 뽑으세요.",
)
class module_drops_whole_keys(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        weights = torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1)
        return weights * self.dropout(torch.ones_like(weights[:, :1])) @ values


@mistake(
    "CausalAttention",
    hint="One draw serves all keys, so whole rows are dropped; every weight is to be drawn for itself.",
    ko="한 번의 추첨이 모든 키에 쓰여 행이 통째로 사라집니다. 가중치마다 따로 뽑으세요.",
)
class module_drops_whole_queries(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        weights = torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1)
        return weights * self.dropout(torch.ones_like(weights[..., :1])) @ values


@mistake(
    "CausalAttention",
    hint="All items drop the same weights; the draw has to cover the batch axis too.",
    ko="모든 항목이 같은 가중치를 떨어뜨립니다. 추첨이 배치 축까지 덮어야 합니다.",
)
class module_same_draw_for_batch(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        weights = torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1)
        return weights * self.dropout(torch.ones_like(weights[:1])) @ values


@mistake(
    "CausalAttention",
    hint="The seed is set in forward, so every call drops the same weights.",
    ko="forward 안에서 시드를 정해 부를 때마다 같은 가중치가 사라집니다.",
)
class module_same_draw_in_every_call(solution.CausalAttention):
    def forward(self, x):
        torch.manual_seed(123)
        return super().forward(x)


@mistake(
    "CausalAttention",
    hint="After a time in eval nothing is dropped any more, although the module trains again.",
    ko="eval을 거친 뒤에는 다시 학습 중이어도 아무것도 떨어뜨리지 않습니다.",
)
class module_dropout_sticks_after_eval(solution.CausalAttention):
    def forward(self, x):
        if not self.training:
            self.dropout.p = 0.0
        return super().forward(x)


@mistake(
    "CausalAttention",
    hint="A sequence that is too long ends in another error; check its length yourself and raise ValueError.",
    ko="너무 긴 문장이 다른 오류로 끝납니다. 길이를 직접 확인하고 ValueError를 일으키세요.",
)
class module_length_not_checked(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values)


@mistake(
    "CausalAttention",
    hint="An assert raises AssertionError; here a ValueError is asked for.",
    ko="assert는 AssertionError를 일으킵니다. 여기서는 ValueError가 필요합니다.",
)
class module_length_asserted(solution.CausalAttention):
    def forward(self, x):
        assert x.shape[1] <= len(self.mask), "too long"
        return super().forward(x)


@mistake(
    "CausalAttention",
    hint="Tokens that are too many are cut off silently; raise ValueError instead.",
    ko="너무 많은 토큰을 말없이 잘랐습니다. 대신 ValueError를 일으키세요.",
)
class module_long_sequences_cut(solution.CausalAttention):
    def forward(self, x):
        return super().forward(x[:, : len(self.mask)])


@mistake(
    "CausalAttention",
    hint="Sequences longer than the context length are treated like others; raise ValueError instead.",
    ko="context_length보다 긴 문장도 그대로 계산합니다. 대신 ValueError를 일으키세요.",
)
class module_long_sequences_taken(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores))


@mistake(
    "CausalAttention",
    hint="A sequence of exactly context_length tokens is refused, though it is allowed.",
    ko="정확히 context_length개의 토큰은 허용되는데도 거부합니다.",
)
class module_full_length_refused(solution.CausalAttention):
    def forward(self, x):
        if x.shape[1] >= len(self.mask):
            raise ValueError("too many tokens")
        return super().forward(x)


@mistake(
    "CausalAttention",
    hint="The length is checked in training only.",
    ko="길이를 학습 중에만 확인합니다.",
)
class module_length_checked_in_training_only(solution.CausalAttention):
    def forward(self, x):
        if self.training:
            return super().forward(x)
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores))


@mistake(
    "CausalAttention",
    hint="The first axis, the batch, is held against the context length; the tokens are the second.",
    ko="첫 축인 배치를 context_length와 비교했습니다. 토큰은 둘째 축입니다.",
)
class module_batch_checked_for_length(solution.CausalAttention):
    def forward(self, x):
        if x.shape[0] > len(self.mask):
            raise ValueError("too many tokens")
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores))


@mistake(
    "CausalAttention",
    marks="point",
    hint="The input was changed in place; the caller's tensor has to stay as it was.",
    ko="입력을 제자리에서 바꾸었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
)
class module_input_in_place(solution.CausalAttention):
    def forward(self, x):
        output = super().forward(x)
        with torch.no_grad():
            x -= x.mean()
        return output


@mistake(
    "CausalAttention",
    marks="point",
    hint="The output is cut off from the input and the layers (detach, .data, no_grad): nothing can be learned.",
    ko="출력이 입력과 층에서 끊겨(detach, .data, no_grad) 아무것도 학습되지 않습니다.",
)
class module_detached(solution.CausalAttention):
    def forward(self, x):
        return super().forward(x).detach()


@mistake(
    "CausalAttention",
    hint="In eval the output is cut off from its inputs; switching gradients off is the caller's choice.",
    ko="eval에서 출력이 입력과 끊깁니다. 그래디언트를 끄는 것은 부르는 쪽이 정합니다.",
)
class module_detached_in_eval(solution.CausalAttention):
    def forward(self, x):
        output = super().forward(x)
        return output if self.training else output.detach()


@mistake(
    "CausalAttention",
    hint="The weights are cut off (detach, .data, NumPy), so W_query and W_key never learn.",
    ko="가중치가 끊겨(detach, .data, NumPy) W_query와 W_key가 학습되지 않습니다.",
)
class module_weights_detached(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = (queries @ keys.mT).detach() / math.sqrt(keys.shape[-1])
        return finished(self, scores, values)


@mistake(
    "CausalAttention",
    hint="The weights are cut off (detach, .data, NumPy) where dropout is active, so W_query and W_key never learn.",
    ko="드롭아웃이 켜져 있으면 가중치가 끊겨(detach, .data, NumPy) W_query와 W_key가 학습되지 않습니다.",
)
class module_weights_detached_with_dropout(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        if self.training and self.dropout.p > 0:
            scores = scores.detach()
        return finished(self, scores, values)


@mistake(
    "CausalAttention",
    hint="The values are cut off (detach, .data, NumPy), so W_value never learns.",
    ko="값(value)이 끊겨(detach, .data, NumPy) W_value가 학습되지 않습니다.",
)
class module_values_detached(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return finished(self, queries @ keys.mT / math.sqrt(keys.shape[-1]), values.detach())


@mistake(
    "CausalAttention",
    hint="The keys are cut off (detach, .data, NumPy), so W_key never learns.",
    ko="키가 끊겨(detach, .data, NumPy) W_key가 학습되지 않습니다.",
)
class module_keys_detached(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return finished(self, queries @ keys.detach().mT / math.sqrt(keys.shape[-1]), values)


@mistake(
    "CausalAttention",
    hint="The queries are cut off (detach, .data, NumPy), so W_query never learns.",
    ko="쿼리가 끊겨(detach, .data, NumPy) W_query가 학습되지 않습니다.",
)
class module_queries_detached(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return finished(self, queries.detach() @ keys.mT / math.sqrt(keys.shape[-1]), values)


@mistake(
    "CausalAttention",
    hint="All layers learn, but a part of the way back to x is cut off: is one of them given x.detach()?",
    ko="층은 모두 학습되지만 x로 돌아가는 길의 일부가 끊겼습니다. x.detach()를 받는 층이 있는지 보세요.",
)
class module_keys_of_detached_tokens(solution.CausalAttention):
    def forward(self, x):
        queries, _, values = layers_of(self, x)
        keys = self.W_key(x.detach())
        return finished(self, queries @ keys.mT / math.sqrt(keys.shape[-1]), values)


@mistake(
    "CausalAttention",
    hint="A plain exponential overflows where scores are large, and is 0 in a whole row where they are far below zero: "
    "subtract each row's largest visible score first.",
    ko="점수가 크면 지수 함수가 넘치고, 아주 작으면 한 행이 모두 0이 됩니다. 먼저 각 행에서 보이는 점수의 최댓값을 빼세요.",
)
class module_plain_exponential(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        exponentials = scores.masked_fill(hidden_of(self, scores), float("-inf")).exp()
        return self.dropout(exponentials / exponentials.sum(dim=-1, keepdim=True)) @ values


@mistake(
    "CausalAttention",
    hint="The softmax runs in float32, which costs a module in float64 half of its digits.",
    ko="소프트맥스를 float32로 계산하여, float64로 바꾼 모듈은 자릿수의 절반을 잃습니다.",
)
class module_softmax_in_float32(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        masked = scores.masked_fill(hidden_of(self, scores), float("-inf"))
        return self.dropout(torch.softmax(masked, dim=-1, dtype=torch.float32).to(x.dtype)) @ values


@mistake(
    "CausalAttention",
    hint="Each token gives its own value alone: none looks at another one.",
    ko="토큰마다 자신의 값만 나옵니다. 다른 토큰을 보지 않습니다.",
    marks="trivial",
)
class module_each_token_alone(solution.CausalAttention):
    def forward(self, x):
        return layers_of(self, x)[2]


@mistake(
    "CausalAttention",
    hint="The output is always float32; keep the dtype of the module.",
    ko="출력이 항상 float32입니다. 모듈의 dtype을 지키세요.",
)
class module_into_float32(solution.CausalAttention):
    def forward(self, x):
        return super().forward(x).float()


@mistake(
    "CausalAttention",
    hint="The output of the first call is given again: compute it anew in every call.",
    ko="처음 계산한 출력을 다시 줍니다. 부를 때마다 새로 계산하세요.",
    twins=("earlier_result",),
)
class module_kept_from_the_first_call(solution.CausalAttention):
    kept = None

    def forward(self, x):
        if self.kept is None or self.kept.shape[:2] != x.shape[:2]:
            self.kept = super().forward(x)
        return self.kept


@mistake(
    "CausalAttention",
    hint="The layers' matrices are copied when the module is made, so what is loaded or learned later has no effect.",
    ko="만들 때 층의 행렬을 복사해 두어, 나중에 불러오거나 학습한 값이 쓰이지 않습니다.",
)
class module_matrices_kept(solution.CausalAttention):
    copies = None

    def forward(self, x):
        if self.copies is None:
            self.copies = [layer.weight.detach().clone() for layer in (self.W_query, self.W_key, self.W_value)]
        queries, keys, values = (x @ matrix.T for matrix in self.copies)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values)


@mistake(
    "CausalAttention",
    marks="library",
    hint="The attention is the library's; write it out.",
    ko="라이브러리의 어텐션입니다. 직접 쓰세요.",
)
class module_by_library(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        p = self.dropout.p if self.training else 0.0
        return F.scaled_dot_product_attention(queries, keys, values, is_causal=True, dropout_p=p)


@right("CausalAttention", why="a mask of ones that marks what is visible, not in state_dict, layers in another order")
class module_visible_mask(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.register_buffer("tril", torch.tril(torch.ones(context_length, context_length)), persistent=False)
        self.W_value = nn.Linear(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, qkv_bias)
        self.W_query = nn.Linear(d_in, d_out, qkv_bias)
        self.p = dropout

    def forward(self, x):
        T = x.shape[1]
        if self.tril.size(0) < T:
            raise ValueError(f"at most {self.tril.size(0)} tokens")
        scores = torch.bmm(self.W_query(x), self.W_key(x).transpose(1, 2)) * self.W_key.out_features**-0.5
        weights = F.softmax(scores.masked_fill(self.tril[:T, :T] == 0, -1e9), dim=-1)
        return torch.bmm(F.dropout(weights, p=self.p, training=self.training), self.W_value(x))


@right("CausalAttention", why="an additive mask with a batch axis, einsum, an error class of its own")
class module_additive_mask(nn.Module):
    class TooLong(ValueError):
        pass

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.context_length, self.scale = context_length, math.sqrt(d_out)
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3))
        self.attn_dropout = nn.Dropout(p=dropout)
        self.register_buffer("bias", torch.full((1, context_length, context_length), -torch.inf).triu(diagonal=1))

    def forward(self, x):
        tokens = x.size(-2)
        if tokens > self.context_length:
            raise self.TooLong(tokens)
        scores = torch.einsum("bid,bjd->bij", self.W_query(x) / self.scale, self.W_key(x))
        weights = (scores + self.bias[:, :tokens, :tokens]).softmax(dim=-1)
        return torch.einsum("bij,bjd->bid", self.attn_dropout(weights), self.W_value(x))


@right(
    "CausalAttention", why="in place on its own scores, as the note does it; the length and other numbers as buffers"
)
class module_in_place(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
        self.register_buffer("limit", torch.tensor(context_length))

    def forward(self, x):
        num_tokens = x.shape[1]
        if num_tokens > self.limit:
            raise ValueError("too many tokens")
        keys, queries, values = self.W_key(x), self.W_query(x), self.W_value(x)
        attn_scores = queries @ keys.transpose(1, 2)
        attn_scores.masked_fill_(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
        return self.dropout(torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)) @ values


@right("CausalAttention", why="a loop over the items and tokens, the mask inside a part of its own")
class module_by_loop(nn.Module):
    class Mask(nn.Module):
        def __init__(self, context_length):
            super().__init__()
            position = torch.arange(context_length)
            self.register_buffer("visible", position[:, None] >= position[None, :])

    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.causal = self.Mask(context_length)
        self.layers = [nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)]
        self.W_query, self.W_key, self.W_value = self.layers
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        if len(x[0]) > len(self.causal.visible):
            raise ValueError("too many tokens")
        items = []
        for item in x:
            queries, keys, values = (layer(item) for layer in self.layers)
            rows = []
            for t, query in enumerate(queries):
                seen = self.causal.visible[t, : len(item)]
                weights = torch.zeros(len(item), dtype=x.dtype, device=x.device)
                weights[seen] = torch.softmax(keys[seen] @ query / math.sqrt(len(query)), dim=0)
                rows.append(self.drop(weights) @ values)
            items.append(torch.stack(rows))
        return torch.stack(items)


@right("CausalAttention", why="softmax first, then struck out and shared anew, dropout by a drawn mask, float64 inside")
class module_shared_anew(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            self.add_module(name, nn.Linear(d_in, d_out, bias=qkv_bias))
        self.keep = 1 - dropout
        self.register_buffer("visible", torch.ones(context_length, context_length, dtype=torch.int8).tril())

    def forward(self, x):
        T = x.shape[1]
        if self.visible.shape[0] < T:
            raise ValueError("too many tokens")
        queries, keys, values = (layer(x).double() for layer in (self.W_query, self.W_key, self.W_value))
        weights = torch.softmax(queries @ keys.mT / math.sqrt(keys.shape[-1]), dim=-1) * self.visible[:T, :T]
        weights = weights / weights.sum(dim=-1, keepdim=True)
        if self.training:
            weights = weights * (torch.rand_like(weights) < self.keep) / self.keep
        return (weights @ values).to(x.dtype)
