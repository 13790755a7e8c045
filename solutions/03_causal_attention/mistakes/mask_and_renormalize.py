"""Wrong answers to `mask_and_renormalize`, each with the hint that a student with this answer gets."""

import torch

from grader.course.variants import mistake


@mistake(
    marks="slip",
    hint="The future is struck out, but the rows no longer sum to 1: divide each by what is left of it.",
    ko="미래는 지웠지만 행의 합이 1이 아닙니다. 각 행을 남은 합으로 나누세요.",
)
def renormalize_forgotten(attn_weights):
    return attn_weights.tril()


@mistake(
    marks="trivial",
    hint="Nothing is struck out: the weights are returned as they came.",
    ko="지운 것이 없습니다. 받은 가중치가 그대로 나왔습니다.",
)
def renormalize_nothing_done(attn_weights):
    return attn_weights.clone()


@mistake(
    hint="The rows are divided by their sums, but no weight was struck out before.",
    ko="행을 합으로 나누었지만, 그 전에 지운 가중치가 없습니다.",
)
def renormalize_not_masked(attn_weights):
    return attn_weights / attn_weights.sum(dim=-1, keepdim=True)


@mistake(
    hint="The sums are those of the whole rows, which are 1 already; sum up what is left after the striking out.",
    ko="전체 행의 합은 이미 1입니다. 지운 다음 남은 것의 합을 구하세요.",
)
def renormalize_by_whole_rows(attn_weights):
    return attn_weights.tril() / attn_weights.sum(dim=-1, keepdim=True)


@mistake(
    marks="slip",
    hint="The columns sum to 1 now, not the rows: the sum runs over the wrong axis.",
    ko="행이 아니라 열의 합이 1입니다. 합을 구하는 축이 틀렸습니다.",
)
def renormalize_columns(attn_weights):
    visible = attn_weights.tril()
    return visible / visible.sum(dim=-2, keepdim=True)


@mistake(
    hint="dim=1 is the last axis of a single matrix only; in a batch it is another one. Count axes from the end.",
    ko="dim=1은 행렬 하나일 때만 마지막 축입니다. 배치에서는 다른 축이니 뒤에서부터 세세요.",
)
def renormalize_along_dim_one(attn_weights):
    visible = attn_weights.tril()
    return visible / visible.sum(dim=1, keepdim=True)


@mistake(
    hint="The sums lost their axis, so they divide columns instead of rows: keep the axis.",
    ko="합에서 축이 사라져 행이 아니라 열을 나눕니다. 축을 남겨 두세요.",
)
def renormalize_keepdim_forgotten(attn_weights):
    visible = attn_weights.tril()
    return visible / visible.sum(dim=-1)


@mistake(
    hint="Everything is divided by one sum, that of the whole tensor; each row has its own.",
    ko="텐서 전체의 합 하나로 나누었습니다. 행마다 자기 합이 있습니다.",
)
def renormalize_by_one_sum(attn_weights):
    visible = attn_weights.tril()
    return visible / visible.sum()


@mistake(
    hint="Each row's largest weight became 1; it is the sum that has to be 1.",
    ko="행마다 가장 큰 가중치가 1이 되었습니다. 합이 1이어야 합니다.",
)
def renormalize_by_maximum(attn_weights):
    visible = attn_weights.tril()
    return visible / visible.amax(dim=-1, keepdim=True)


@mistake(
    hint="A second softmax gives even the zeros a share (e to the 0 is 1); dividing by the sum is enough.",
    ko="소프트맥스를 또 하면 0에도 몫이 생깁니다(e의 0승은 1). 합으로 나누면 됩니다.",
)
def renormalize_by_softmax(attn_weights):
    return torch.softmax(attn_weights.tril(), dim=-1)


@mistake(
    marks="slip",
    hint="The past is struck out and the future is left: the wrong triangle.",
    ko="과거를 지우고 미래를 남겼습니다. 삼각형이 반대입니다.",
)
def renormalize_past_hidden(attn_weights):
    visible = attn_weights.triu()
    return visible / visible.sum(dim=-1, keepdim=True)


@mistake(
    marks="slip",
    hint="The diagonal is struck out too, so nothing is left of the first row (0 / 0 is NaN).",
    ko="대각선까지 지워 첫 행에 남는 것이 없습니다(0 / 0은 NaN입니다).",
)
def renormalize_diagonal_hidden(attn_weights):
    visible = attn_weights.tril(-1)
    return visible / visible.sum(dim=-1, keepdim=True)


@mistake(hint="Every token still sees one token of the future.", ko="아직 미래의 토큰 하나를 봅니다.", marks="slip")
def renormalize_one_step_leak(attn_weights):
    visible = attn_weights.tril(1)
    return visible / visible.sum(dim=-1, keepdim=True)


@mistake(
    marks="trivial",
    hint="The visible tokens share evenly; their weights, which say who matters more, are lost.",
    ko="보이는 토큰들이 똑같이 나누어 가집니다. 누가 더 중요한지 알려 주는 가중치가 사라졌습니다.",
)
def renormalize_even_shares(attn_weights):
    visible = torch.ones_like(attn_weights).tril() + 0 * attn_weights
    return visible / visible.sum(dim=-1, keepdim=True)


@mistake(hint="Only the first item of the batch is masked.", ko="배치의 첫 항목만 가려졌습니다.")
def renormalize_first_item_alone(attn_weights):
    visible = attn_weights.clone()
    first = visible if visible.dim() == 2 else visible[0]
    first.copy_(first.tril())
    return visible / visible.sum(dim=-1, keepdim=True)


@mistake(
    marks="point",
    hint="The caller's weights were changed (`*=`, `tril_`, an assignment to a part of them); work on a new tensor.",
    ko="부른 쪽의 가중치가 바뀌었습니다(`*=`, `tril_`, 일부에 값을 넣기). 새 텐서로 계산하세요.",
)
def renormalize_in_place(attn_weights):
    visible = attn_weights.tril_()
    return visible / visible.sum(dim=-1, keepdim=True)


@mistake(
    hint="The result is cut off from the weights (detach, .data, torch.tensor): no gradient can flow back.",
    ko="결과가 가중치와 끊겨(detach, .data, torch.tensor) 그래디언트가 흐르지 않습니다.",
    marks="point",
)
def renormalize_detached(attn_weights):
    visible = attn_weights.detach().tril()
    return visible / visible.sum(dim=-1, keepdim=True)


@mistake(
    hint="The sums are taken as constants (detach, no_grad); they depend on the weights too.",
    ko="합을 상수로 취급했습니다(detach, no_grad). 합도 가중치에 따라 달라집니다.",
)
def renormalize_sums_detached(attn_weights):
    visible = attn_weights.tril()
    return visible / visible.sum(dim=-1, keepdim=True).detach()


@mistake(
    hint="The mask of ones is float32, so weights in half precision become float32 too; give it their dtype.",
    ko="1로 된 마스크가 float32라서 반정밀도 가중치도 float32가 됩니다. 마스크에 가중치의 dtype을 주세요.",
)
def renormalize_mask_of_float32(attn_weights):
    visible = attn_weights * torch.ones(attn_weights.shape[-2:]).tril()
    return visible / visible.sum(dim=-1, keepdim=True)


@mistake(
    hint="The result depends only on the positions; the weights that were given are never used.",
    ko="결과가 위치로만 정해집니다. 받은 가중치를 쓰지 않았습니다.",
    marks="trivial",
)
def renormalize_identity(attn_weights):
    return torch.eye(attn_weights.shape[-1], dtype=attn_weights.dtype).expand(attn_weights.shape).clone()


@mistake(hint="Divide by the row sum; a softmax changes the shares.", ko="소프트맥스 대신 행의 합으로 나누세요.")
def renormalize_by_masked_softmax(attn_weights):
    hidden = torch.ones_like(attn_weights).triu(1) > 0
    return torch.softmax(attn_weights.masked_fill(hidden, float("-inf")), dim=-1)


@mistake(hint="Divide by the sum, not by the Euclidean length.", ko="유클리드 길이가 아니라 합으로 나누세요.")
def renormalize_by_length(attn_weights):
    return attn_weights.tril() / attn_weights.tril().norm(dim=-1, keepdim=True)


@mistake(hint="The triangle is mirrored left to right.", ko="삼각형이 좌우로 뒤집혔습니다.")
def renormalize_mirrored(attn_weights):
    visible = attn_weights.flip(-1).tril().flip(-1)
    return visible / visible.sum(dim=-1, keepdim=True)


@mistake(hint="Divide by the sum of what is left, not by its number.", ko="개수가 아니라 남은 합으로 나누세요.")
def renormalize_by_number(attn_weights):
    return attn_weights.tril() / torch.ones_like(attn_weights).tril().sum(dim=-1, keepdim=True)


@mistake(
    marks="device",
    hint="The mask is made on the CPU: give it device=attn_weights.device.",
    ko="마스크를 CPU에서 만들었습니다. device=attn_weights.device를 주세요.",
)
def renormalize_mask_on_the_cpu(attn_weights):
    visible = attn_weights * torch.ones(attn_weights.shape[-2:], dtype=attn_weights.dtype).tril()
    return visible / visible.sum(dim=-1, keepdim=True)


@mistake(
    hint="Even 1e-12 in the divisor is not small against tiny weights; a row never sums to 0 here.",
    ko="나누는 수에 더한 1e-12도 아주 작은 가중치에 비하면 작지 않습니다. 여기서 행의 합은 0이 되지 않습니다.",
    marks="point",
)
def renormalize_with_a_tiny_eps(attn_weights):
    left = attn_weights.tril()
    return left / (left.sum(dim=-1, keepdim=True) + 1e-12)
