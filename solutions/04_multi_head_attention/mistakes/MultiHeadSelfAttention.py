"""Wrong answers to `MultiHeadSelfAttention`, each with the hint that a student with this answer gets."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake, solution


@helper
def hide(scores, mask, fill=float("-inf")):
    return scores if mask is None else scores.masked_fill(mask == 0, fill)


@helper
def heads_of(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return x.unflatten(-1, (num_heads, -1)).transpose(-3, -2)


@helper
def joined(heads):
    return heads.transpose(-3, -2).flatten(-2)


@helper
def future_of(scores, diagonal=1):
    T = scores.shape[-1]
    return torch.ones(T, T, dtype=torch.bool, device=scores.device).triu(diagonal)


@helper
def softmax_of(Q, K, mask, divisor=None):
    return torch.softmax(hide(Q @ K.mT / (math.sqrt(Q.shape[-1]) if divisor is None else divisor), mask), dim=-1)


@helper
def layers_of(module, x):
    return tuple(heads_of(layer(x), module.num_heads) for layer in (module.W_q, module.W_k, module.W_v))


@helper
def finish(module, weights, values):
    return module.W_o(joined(weights @ values)), weights


@mistake(
    marks="slip",
    hint="The scores are divided by the root of d_model; inside a head only head_dim features are compared.",
    ko="점수를 d_model의 제곱근으로 나누었습니다. 한 헤드 안에서는 head_dim개의 특징만 비교됩니다.",
)
class mhsa_by_root_of_d_model(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, k, mask, math.sqrt(x.shape[-1]))), v)


@mistake(
    marks="slip",
    hint="The scores are not divided by the root of head_dim.",
    ko="점수를 head_dim의 제곱근으로 나누지 않았습니다.",
)
class mhsa_no_scaling(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, k, mask, 1)), v)


@mistake(
    hint="The scores are divided by the root of the number of heads; take the features of a head.",
    ko="점수를 헤드 수의 제곱근으로 나누었습니다. 한 헤드의 특징 수를 쓰세요.",
)
class mhsa_by_root_of_heads(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, k, mask, math.sqrt(self.num_heads))), v)


@mistake(
    hint="The features were reshaped straight to (B, H, T, head_dim), which mixes tokens: cut first, then swap axes.",
    ko="특징을 (B, H, T, head_dim)으로 바로 reshape하여 토큰이 섞였습니다. 먼저 나누고 축을 바꾸세요.",
)
class mhsa_split_straight_to_heads(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        shape = (x.shape[0], self.num_heads, x.shape[1], self.head_dim)
        q, k, v = (layer(x).reshape(shape) for layer in (self.W_q, self.W_k, self.W_v))
        return finish(self, self.dropout(softmax_of(q, k, mask)), v)


@mistake(
    marks="slip",
    hint="The heads were merged without moving them next to the features first.",
    ko="헤드 축을 특징 축 옆으로 옮기지 않고 합쳤습니다.",
)
class mhsa_merge_without_transposing(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = self.dropout(softmax_of(q, k, mask))
        return self.W_o((weights @ v).reshape(x.shape)), weights


@mistake(
    hint="Split and merge undo each other but both skip the swap of axes: the heads hold mixed tokens in between.",
    ko="나누기와 합치기가 서로 되돌리지만 둘 다 축을 바꾸지 않아, 그 사이 헤드에 토큰이 섞여 있습니다.",
)
class mhsa_both_without_transposing(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        shape = (x.shape[0], self.num_heads, x.shape[1], self.head_dim)
        q, k, v = (layer(x).reshape(shape) for layer in (self.W_q, self.W_k, self.W_v))
        weights = self.dropout(softmax_of(q, k, mask))
        return self.W_o((weights @ v).reshape(x.shape)), weights


@mistake(
    hint="One layer serves as W_q and W_k; three layers of their own are asked for.",
    ko="한 층을 W_q와 W_k로 함께 썼습니다. 세 층이 따로 있어야 합니다.",
    twins=("mhsa_keys_from_W_q",),
)
class mhsa_one_projection(solution.MultiHeadSelfAttention):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, dropout)
        self.W_k = self.W_q


@mistake(
    hint="The keys come from W_q as well; W_k plays no part.",
    ko="키도 W_q로 만들었습니다. W_k가 쓰이지 않습니다.",
    twins=("mhsa_one_projection",),
)
class mhsa_keys_from_W_q(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, _, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, q, mask)), v)


@mistake(
    hint="The keys were averaged where the values belong: W_v plays no part.",
    ko="값이 들어갈 자리에 키를 썼습니다. W_v가 쓰이지 않습니다.",
)
class mhsa_keys_as_values(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, _ = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, k, mask)), k)


@mistake(
    hint="Queries and keys are swapped: row i of the weights belongs to query i.",
    ko="쿼리와 키가 바뀌었습니다. 가중치의 i번째 행은 i번째 쿼리의 것입니다.",
)
class mhsa_queries_and_keys_swapped(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(k, q, mask)), v)


@mistake(
    hint="The output projection W_o is there but never used.",
    ko="출력 투영 W_o를 만들었지만 쓰지 않았습니다.",
)
class mhsa_no_output_projection(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = self.dropout(softmax_of(q, k, mask))
        return joined(weights @ v), weights


@mistake(
    hint="The layers have a bias; `bias=False` is asked for.",
    ko="층에 편향이 있습니다. `bias=False`여야 합니다.",
    unnamed="What was not asked for is drawn at random, so the numbers look like those of any wrong answer.",
)
class mhsa_with_bias(solution.MultiHeadSelfAttention):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, dropout)
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))


@mistake(
    hint="There are more parameters than asked for, of a layer or by themselves; state_dict holds them, used or not.",
    ko="요구한 것보다 매개변수가 더 있습니다. 층의 것이든 따로 둔 것이든, 쓰지 않아도 state_dict에 들어갑니다.",
)
class mhsa_extra_layer(solution.MultiHeadSelfAttention):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, dropout)
        self.norm = nn.LayerNorm(d_model)


@mistake(
    hint="Plain tensors are no parameters: an optimiser, `.to()` and state_dict do not see them. Use nn.Linear.",
    ko="보통 텐서는 매개변수가 아닙니다. 옵티마이저, `.to()`, state_dict가 보지 못합니다. nn.Linear를 쓰세요.",
)
class mhsa_plain_tensors(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("not divisible")
        self.num_heads = num_heads
        self.dropout = nn.Dropout(dropout)
        self.matrices = [torch.randn(d_model, d_model, requires_grad=True) for _ in range(4)]

    def forward(self, x, mask=None):
        q, k, v = (heads_of(x @ matrix, self.num_heads) for matrix in self.matrices[:3])
        weights = self.dropout(softmax_of(q, k, mask))
        return joined(weights @ v) @ self.matrices[3], weights


@mistake(
    marks="slip",
    hint="The softmax runs over the heads; it belongs on the keys, the last axis.",
    ko="소프트맥스를 헤드 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
class mhsa_softmax_over_heads(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        scores = hide(q @ k.mT / math.sqrt(self.head_dim), mask, -1e9)
        return finish(self, self.dropout(torch.softmax(scores, dim=1)), v)


@mistake(
    hint="The softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
class mhsa_softmax_over_queries(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        scores = hide(q @ k.mT / math.sqrt(self.head_dim), mask, -1e9)
        return finish(self, self.dropout(torch.softmax(scores, dim=2)), v)


@mistake(marks="slip", hint="The mask is never used.", ko="마스크를 쓰지 않았습니다.")
class mhsa_mask_ignored(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, k, None)), v)


@mistake(
    hint="The mask is used the other way round: 0 or False means hidden here.",
    ko="마스크를 반대로 썼습니다. 여기서는 0이나 False가 가려짐을 뜻합니다.",
)
class mhsa_mask_inverted(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, k, None if mask is None else mask == 0)), v)


@mistake(
    hint="The mask lies on the query axis, so whole rows are hidden (NaN): its last axis is that of the keys.",
    ko="마스크가 쿼리 축에 걸려 행 전체가 가려집니다(NaN). 마스크의 마지막 축은 키의 축입니다.",
)
class mhsa_mask_on_queries(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, k, None if mask is None else mask.mT)), v)


@mistake(
    hint="With items and heads folded into one axis, repeating the mask gives an item another item's mask.",
    ko="항목과 헤드를 한 축으로 접은 뒤 마스크를 반복하면 다른 항목의 마스크가 쓰입니다.",
)
class mhsa_mask_of_another_item(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        B, T, _ = x.shape
        q, k, v = (tensor.reshape(B * self.num_heads, T, self.head_dim) for tensor in layers_of(self, x))
        if mask is not None:
            mask = mask.expand(B, 1, T, T)[:, 0].repeat(self.num_heads, 1, 1)
        weights = self.dropout(softmax_of(q, k, mask)).reshape(B, self.num_heads, T, T)
        return finish(self, weights, v.reshape(B, self.num_heads, T, self.head_dim))


@mistake(
    hint="The first item's mask is used for the whole batch.",
    ko="첫 항목의 마스크를 배치 전체에 썼습니다.",
)
class mhsa_mask_of_first_item(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(
            self, self.dropout(softmax_of(q, k, mask if mask is None else mask[:1] if mask.dim() > 2 else mask)), v
        )


@mistake(
    hint="`~mask` works on bools only; a mask of the numbers 0 and 1 has to work as well.",
    ko="`~mask`는 bool에서만 됩니다. 0과 1로 된 마스크도 되어야 합니다.",
)
class mhsa_mask_bool_only(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        scores = q @ k.mT / math.sqrt(self.head_dim)
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        return finish(self, self.dropout(torch.softmax(scores, dim=-1)), v)


@mistake(
    hint="Only masks with four axes work; a mask (T, T) has to work as well.",
    ko="축이 네 개인 마스크만 됩니다. (T, T) 마스크도 되어야 합니다.",
)
class mhsa_mask_needs_four_axes(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        if mask is not None:
            _, _, rows, columns = mask.shape
            mask = mask.expand(len(x), self.num_heads, rows, columns)
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, k, mask)), v)


@mistake(
    marks="point",
    hint="Weights are dropped in eval too: F.dropout needs `training=self.training`; nn.Dropout sees to it itself.",
    ko="eval에서도 가중치를 떨어뜨립니다. F.dropout에는 `training=self.training`이 필요합니다.",
    twins=("changing_result",),
)
class mhsa_drops_in_eval(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, F.dropout(softmax_of(q, k, mask), self.dropout.p), v)


@mistake(
    hint="The mask is used in training only; in eval hidden keys are seen.",
    ko="마스크를 학습 중에만 썼습니다. eval에서는 가려진 키가 보입니다.",
)
class mhsa_mask_in_training_only(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        return super().forward(x, mask if self.training else None)


@mistake(
    hint="The mask is forgotten where dropout is active.",
    ko="dropout이 켜져 있을 때 마스크를 빠뜨렸습니다.",
)
class mhsa_mask_lost_with_dropout(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        return super().forward(x, None if self.training and self.dropout.p else mask)


@mistake(
    marks="point",
    hint="The input was changed in place; the caller's tensor has to stay as it was.",
    ko="입력을 제자리에서 바꾸었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
)
class mhsa_input_in_place(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        results = super().forward(x, mask)
        with torch.no_grad():
            x += results[0]
        return results


@mistake(
    hint="The attention weights are never dropped.",
    ko="어텐션 가중치를 떨어뜨리지 않습니다.",
)
class mhsa_no_dropout(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, softmax_of(q, k, mask), v)


@mistake(
    hint="The argument `dropout` is not handed on, so another probability is used.",
    ko="dropout 인자를 넘기지 않아 다른 확률이 쓰입니다.",
)
class mhsa_ignores_probability(solution.MultiHeadSelfAttention):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, dropout=0.5 if dropout else 0.0)


@mistake(
    hint="Dropout is on the scores, before the softmax; a score of 0 is not a weight of 0.",
    ko="dropout이 소프트맥스 전의 점수에 걸렸습니다. 점수 0은 가중치 0이 아닙니다.",
)
class mhsa_drops_scores(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        scores = self.dropout(q @ k.mT / math.sqrt(self.head_dim))
        return finish(self, torch.softmax(hide(scores, mask), dim=-1), v)


@mistake(
    hint="The weights are returned as they were before dropout; return those that made the output.",
    ko="dropout 전의 가중치를 돌려줍니다. 출력을 만든 가중치를 돌려주세요.",
)
class mhsa_returns_undropped(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = softmax_of(q, k, mask)
        return finish(self, self.dropout(weights), v)[0], weights


@mistake(
    hint="All heads drop the same weights; the draw has to cover the head axis too.",
    ko="모든 헤드가 같은 가중치를 떨어뜨립니다. 추첨이 헤드 축까지 덮어야 합니다.",
)
class mhsa_same_draw_for_heads(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = softmax_of(q, k, mask)
        return finish(self, weights * self.dropout(torch.ones_like(weights[:, :1])), v)


@mistake(
    hint="The weights were averaged over the heads; return every head's own, (B, H, T, T).",
    ko="가중치를 헤드에 대해 평균했습니다. 헤드마다의 가중치 (B, H, T, T)를 돌려주세요.",
)
class mhsa_weights_averaged(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return output, weights.mean(dim=1)


@mistake(
    hint="Only the output is returned; return the weights as well.",
    ko="출력만 돌려줍니다. 가중치도 함께 돌려주세요.",
)
class mhsa_output_only(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        return super().forward(x, mask)[0]


@mistake(
    hint="The weights that are returned are cut off (detach): a loss on them reaches no parameter.",
    ko="돌려준 가중치가 계산 그래프에서 끊겼습니다(detach). 가중치에 대한 손실이 매개변수에 닿지 않습니다.",
)
class mhsa_weights_detached(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return output, weights.detach()


@mistake(
    hint="Features that cannot be shared equally must be refused when the module is made, by ValueError or assert.",
    ko="나누어떨어지지 않는 특징 수는 모듈을 만들 때 ValueError나 assert로 거절해야 합니다.",
)
class mhsa_no_divisibility_check(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, k, mask)), v)


@mistake(
    hint="Items of the batch see each other: the batch was folded into the tokens.",
    ko="배치의 항목들이 서로를 봅니다. 배치 축이 토큰 축에 합쳐졌습니다.",
)
class mhsa_batch_mixed(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x.reshape(1, -1, x.shape[-1]))
        return output.reshape(x.shape), weights


@mistake(
    hint="The result is always float32; keep the dtype of the input (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
class mhsa_into_float32(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        results = super().forward(x, mask)
        output, weights = (torch.zeros(result.shape) for result in results)
        output[:], weights[:] = results
        return output, weights


@mistake(
    hint="The matrices of the first call are kept, so weights that are loaded or trained later have no effect.",
    ko="첫 호출의 행렬을 간직해 두어, 나중에 불러오거나 학습한 가중치가 효과가 없습니다.",
)
class mhsa_matrices_cached(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        if not hasattr(self, "fused"):
            self.fused = torch.cat([layer.weight for layer in (self.W_q, self.W_k, self.W_v)]).clone()
        q, k, v = (heads_of(part, self.num_heads) for part in (x @ self.fused.T).chunk(3, dim=-1))
        return finish(self, self.dropout(softmax_of(q, k, mask)), v)


@mistake(
    marks="library",
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
)
class mhsa_by_library(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        if self.training and self.dropout.p:
            return super().forward(x, mask)
        q, k, v = layers_of(self, x)
        context = F.scaled_dot_product_attention(q, k, v, attn_mask=None if mask is None else mask.bool())
        return self.W_o(joined(context)), softmax_of(q, k, mask)


@mistake(
    hint="A fill of -100 is not low enough: visible scores can lie below it. Use -inf.",
    ko="-100은 충분히 작지 않습니다. 보이는 점수가 더 작을 수 있으니 -inf를 쓰세요.",
)
class mhsa_fill_of_minus_100(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        scores = hide(q @ k.mT / math.sqrt(self.head_dim), mask, -100.0)
        return finish(self, self.dropout(torch.softmax(scores, dim=-1)), v)


@mistake(
    hint="A mask of an earlier call is used again where none is given; keep nothing between two calls.",
    ko="마스크를 주지 않았는데 앞선 호출의 마스크를 다시 씁니다. 호출 사이에 아무것도 남겨 두지 마세요.",
    twins=("earlier_result",),
)
class mhsa_mask_kept(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        if mask is not None:
            self.kept = mask
        kept = getattr(self, "kept", None)
        return super().forward(x, kept if kept is not None and kept.shape[-1] == x.shape[1] else mask)


@mistake(
    hint="The mask was changed in place; the caller's mask has to stay as it was.",
    ko="마스크를 제자리에서 바꾸었습니다. 부른 쪽의 마스크는 그대로여야 합니다.",
)
class mhsa_mask_in_place(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        results = super().forward(x, mask)
        if mask is not None:
            mask.zero_()
        return results


@mistake(
    hint="An axis was added to the caller's mask itself: use `unsqueeze` without the underscore.",
    ko="부른 쪽의 마스크 자체에 축을 더했습니다. 밑줄이 없는 `unsqueeze`를 쓰세요.",
)
class mhsa_mask_reshaped_in_place(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        while mask is not None and mask.dim() < 4:
            mask.unsqueeze_(0)
        return super().forward(x, mask)


@mistake(
    hint="Masks of some dtypes are ignored; `mask == 0` works for every one of them.",
    ko="어떤 dtype의 마스크는 무시됩니다. `mask == 0`은 모든 dtype에서 됩니다.",
)
class mhsa_mask_of_few_dtypes(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        known = mask is not None and mask.dtype in (torch.bool, torch.float32, torch.int64)
        return super().forward(x, mask if known else None)


@mistake(
    hint="Whole rows of weights are dropped together; every weight is dropped for itself.",
    ko="가중치의 한 행이 통째로 떨어집니다. 가중치는 하나씩 따로 떨어뜨려야 합니다.",
)
class mhsa_drops_whole_rows(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = softmax_of(q, k, mask)
        return finish(self, weights * self.dropout(torch.ones_like(weights[..., :1])), v)


@mistake(
    hint="All items drop the same weights; the draw has to cover the batch axis too.",
    ko="모든 항목이 같은 가중치를 떨어뜨립니다. 추첨이 배치 축까지 덮어야 합니다.",
)
class mhsa_same_draw_for_batch(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = softmax_of(q, k, mask)
        return finish(self, weights * self.dropout(torch.ones_like(weights[:1])), v)


@mistake(
    hint="Only the returned weights went through dropout; the output has to be made with the same ones.",
    ko="돌려주는 가중치에만 dropout을 걸었습니다. 출력도 같은 가중치로 만들어야 합니다.",
)
class mhsa_drops_returned_only(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        output, weights = finish(self, softmax_of(q, k, mask), v)
        return output, self.dropout(weights)


@mistake(
    hint="Two draws of dropout were made, one for the output and one for the returned weights: draw once, use it twice.",
    ko="출력과 돌려주는 가중치에 dropout을 따로 뽑았습니다. 한 번 뽑아 두 곳에 쓰세요.",
)
class mhsa_drops_two_ways(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = softmax_of(q, k, mask)
        return finish(self, self.dropout(weights), v)[0], self.dropout(weights)


@mistake(
    hint="Queries of an earlier call with the same shape are used again; compute them from the new input.",
    ko="모양이 같으면 예전 호출의 쿼리를 다시 씁니다. 새 입력으로 계산하세요.",
    twins=("changing_result",),
)
class mhsa_queries_kept(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        if getattr(self, "kept", None) is None or self.kept.shape != q.shape or self.kept.dtype != q.dtype:
            self.kept = q
        return finish(self, self.dropout(softmax_of(self.kept, k, mask)), v)


@mistake(
    hint="In eval the input is cut off (detach): eval turns dropout off and nothing else.",
    ko="eval에서 입력이 끊깁니다(detach). eval은 dropout만 끄고 다른 것은 바꾸지 않습니다.",
)
class mhsa_detached_in_eval(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        return super().forward(x if self.training else x.detach(), mask)


@mistake(
    hint="The split takes every H-th feature; head h owns a block of neighbouring ones.",
    ko="나눌 때 H칸씩 건너뛴 특징을 모았습니다. 헤드 h는 이웃한 특징을 갖습니다.",
)
class mhsa_split_interleaved(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        layers = (self.W_q, self.W_k, self.W_v)
        q, k, v = (layer(x).unflatten(-1, (-1, self.num_heads)).movedim(-1, -3) for layer in layers)
        return finish(self, self.dropout(softmax_of(q, k, mask)), v)


@mistake(
    hint="`view` cannot follow a swap of axes, as the numbers still lie in the old order: use contiguous or reshape.",
    ko="축을 바꾼 뒤에는 값이 옛 순서로 놓여 있어 `view`를 쓸 수 없습니다. contiguous나 reshape을 쓰세요.",
)
class mhsa_view_on_swapped(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = self.dropout(softmax_of(q, k, mask))
        return self.W_o((weights @ v).transpose(1, 2).view(x.shape)), weights


@mistake(
    hint="The merge interleaves the heads feature by feature; the features of one head stay together.",
    ko="합칠 때 헤드를 특징 하나씩 번갈아 놓았습니다. 한 헤드의 특징은 모여 있어야 합니다.",
)
class mhsa_merge_interleaved(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = self.dropout(softmax_of(q, k, mask))
        return self.W_o((weights @ v).permute(0, 2, 3, 1).reshape(x.shape)), weights


@mistake(
    hint="The heads are merged in reverse order: head 0 comes first.",
    ko="헤드를 거꾸로 이었습니다. 0번 헤드가 먼저입니다.",
)
class mhsa_heads_reversed(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = self.dropout(softmax_of(q, k, mask))
        return self.W_o(joined((weights @ v).flip(1))), weights


@mistake(
    hint="Only the first head's weights are returned; return every head's own, (B, H, T, T).",
    ko="첫 헤드의 가중치만 돌려줍니다. 모든 헤드의 가중치 (B, H, T, T)를 돌려주세요.",
)
class mhsa_weights_of_first_head(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return output, weights[:, 0]


@mistake(
    hint="The two results are swapped: the output comes first, then the weights.",
    ko="두 결과의 순서가 바뀌었습니다. 출력이 먼저, 가중치가 다음입니다.",
)
class mhsa_results_swapped(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return weights, output


@mistake(
    hint="The second result holds the scores; the weights, after the softmax, are asked for.",
    ko="둘째 결과가 점수입니다. 소프트맥스를 적용한 가중치가 필요합니다.",
)
class mhsa_scores_shown(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, _ = layers_of(self, x)
        return super().forward(x, mask)[0], hide(q @ k.mT / math.sqrt(self.head_dim), mask)


@mistake(
    hint="The probability is taken for that of keeping, so with 0 everything is dropped: it is that of dropping.",
    ko="dropout을 남길 확률로 썼으므로 0이면 모두 버려집니다. 버릴 확률로 쓰세요.",
)
class mhsa_keep_probability_handed_on(solution.MultiHeadSelfAttention):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads)
        self.dropout = nn.Dropout(1 - dropout)


@mistake(
    hint="The rows were made to sum to one again after dropout; leave them as dropout gives them.",
    ko="dropout 뒤에 행의 합을 다시 1로 맞추었습니다. dropout이 준 그대로 두세요.",
)
class mhsa_renormalises(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = self.dropout(softmax_of(q, k, mask))
        return finish(self, weights / weights.sum(-1, keepdim=True).clamp(min=1e-9), v)


@mistake(
    hint="-1e-9 is almost zero, not almost minus infinity: look at the sign of the exponent.",
    ko="-1e-9는 마이너스 무한대가 아니라 거의 0입니다. 지수의 부호를 보세요.",
    twins=("mhsa_mask_multiplied",),
)
class mhsa_tiny_fill(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        scores = hide(q @ k.mT / math.sqrt(self.head_dim), mask, -1e-9)
        return finish(self, self.dropout(torch.softmax(scores, dim=-1)), v)


@mistake(
    hint="A hidden score of 0 is still exponentiated to 1: hide with -inf, not with a product.",
    ko="가린 점수가 0이면 지수 함수를 거쳐 1이 됩니다. 곱하지 말고 -inf로 가리세요.",
    twins=("mhsa_tiny_fill",),
)
class mhsa_mask_multiplied(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        scores = q @ k.mT / math.sqrt(self.head_dim)
        return finish(self, self.dropout(torch.softmax(scores if mask is None else scores * mask, dim=-1)), v)


@mistake(
    hint="Adding the mask raises the visible scores by one and hides nothing.",
    ko="마스크를 더하면 보이는 점수가 1씩 커질 뿐 아무것도 가려지지 않습니다.",
)
class mhsa_mask_added(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        scores = q @ k.mT / math.sqrt(self.head_dim)
        return finish(self, self.dropout(torch.softmax(scores if mask is None else scores + mask, dim=-1)), v)


@mistake(
    hint="An axis for the heads is added to masks that have it already; (B, 1, ...) broadcasts as it is.",
    ko="이미 헤드 축이 있는 마스크에 축을 더했습니다. (B, 1, ...)은 그대로 브로드캐스트됩니다.",
)
class mhsa_mask_axis_added(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        return super().forward(x, None if mask is None else mask.unsqueeze(1))


@mistake(
    hint="Two axes are added to masks that have them already; the mask broadcasts as it is.",
    ko="이미 축이 있는 마스크에 축을 둘 더했습니다. 마스크는 그대로 브로드캐스트됩니다.",
)
class mhsa_mask_two_axes_added(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        return super().forward(x, None if mask is None else mask.unsqueeze(1).unsqueeze(2))


@mistake(
    hint="Only the first head is masked; the mask is the same for every head.",
    ko="첫 헤드만 가렸습니다. 마스크는 모든 헤드에 똑같이 적용합니다.",
)
class mhsa_mask_of_first_head(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = torch.cat([softmax_of(q, k, mask)[:, :1], softmax_of(q, k, None)[:, 1:]], dim=1)
        return finish(self, self.dropout(weights), v)


@mistake(
    hint="Weights set to zero after the softmax leave rows that do not sum to one: hide the scores before it.",
    ko="소프트맥스 뒤에 가중치를 0으로 만들면 행의 합이 1이 아닙니다. 그 전에 점수를 가리세요.",
)
class mhsa_mask_after_softmax(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = softmax_of(q, k, None)
        return finish(self, self.dropout(weights if mask is None else weights * (mask != 0)), v)


@mistake(
    hint="The outputs of hidden tokens are set to zero too; the mask hides keys, not queries.",
    ko="가려진 토큰의 출력까지 0으로 만들었습니다. 마스크는 쿼리가 아니라 키를 가립니다.",
)
class mhsa_hidden_queries_zeroed(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = self.dropout(softmax_of(q, k, mask))
        merged = joined(weights @ v)
        if mask is not None and mask.dim() == 4 and mask.shape[2] == 1:
            merged = merged * (mask[:, 0, 0, :, None] != 0)
        return self.W_o(merged), weights


@mistake(
    hint="Later keys are hidden whatever the mask says; hide only what the mask hides.",
    ko="마스크와 상관없이 뒤에 오는 키를 가렸습니다. 마스크가 가리는 것만 가리세요.",
)
class mhsa_always_causal(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        scores = hide(q @ k.mT / math.sqrt(self.head_dim), mask)
        weights = torch.softmax(scores.masked_fill(future_of(scores), float("-inf")), dim=-1)
        return finish(self, self.dropout(weights), v)


@mistake(
    hint="The input was added to the output; that residual belongs to the block around the attention.",
    ko="출력에 입력을 더했습니다. 그 잔차 연결은 어텐션 바깥의 블록에 속합니다.",
)
class mhsa_residual_added(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return x + output, weights


@mistake(
    hint="The output is normalised; that belongs to the block around the attention.",
    ko="출력을 정규화했습니다. 정규화는 어텐션 바깥의 블록에 속합니다.",
)
class mhsa_output_normalised(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return F.layer_norm(output, output.shape[-1:]), weights


@mistake(
    hint="Tokens stand before the batch in the output; the batch axis stays first.",
    ko="출력에서 토큰이 배치보다 앞에 있습니다. 배치 축이 먼저입니다.",
)
class mhsa_tokens_before_batch(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return output.transpose(0, 1), weights


@mistake(
    hint="W_o is applied twice.",
    ko="W_o를 두 번 적용했습니다.",
)
class mhsa_output_projected_twice(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return self.W_o(output), weights


@mistake(
    hint="The sigmoid looks at each score alone. The weights of one query share a sum of 1: that is the softmax.",
    ko="시그모이드는 점수 하나만 봅니다. 한 쿼리의 가중치는 합이 1이어야 하므로 소프트맥스를 쓰세요.",
)
class mhsa_sigmoid(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(torch.sigmoid(hide(q @ k.mT / math.sqrt(self.head_dim), mask))), v)


@mistake(
    hint="The weights shrink in eval; nn.Dropout has already scaled those that stay in training.",
    ko="eval에서 가중치가 줄어듭니다. nn.Dropout이 학습 중에 남은 가중치를 이미 키웠습니다.",
)
class mhsa_shrinks_in_eval(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = softmax_of(q, k, mask)
        return finish(self, self.dropout(weights if self.training else weights * (1 - self.dropout.p)), v)


@mistake(
    hint="The scores are cut off (detach, .data, NumPy) where there is a mask, so no gradient reaches W_q, W_k.",
    ko="마스크가 있으면 점수가 끊겨(detach, .data, NumPy) W_q, W_k에 기울기가 닿지 않습니다.",
)
class mhsa_cut_off_with_a_mask(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = softmax_of(q, k, mask)
        return finish(self, self.dropout(weights if mask is None else weights.detach()), v)


@mistake(
    hint="The scores are cut off (detach, .data, NumPy) where dropout is active, so no gradient reaches W_q, W_k.",
    ko="dropout이 켜져 있으면 점수가 끊겨(detach, .data, NumPy) W_q, W_k에 기울기가 닿지 않습니다.",
)
class mhsa_cut_off_with_dropout(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = softmax_of(q, k, mask)
        if self.training and self.dropout.p > 0:
            weights = self.dropout(weights.detach())
        return finish(self, weights, v)


@mistake(
    hint="Dropout acts twice on the weights, so more of them fall than asked; once is asked for.",
    ko="dropout이 가중치에 두 번 걸려 요구한 것보다 많이 떨어집니다. 한 번만 거세요.",
)
class mhsa_dropped_again(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(self.dropout(softmax_of(q, k, mask))), v)


@mistake(
    hint="A probability above one half is cut down to it; hand it on as it is given.",
    ko="0.5보다 큰 확률을 0.5로 줄였습니다. 받은 그대로 넘기세요.",
)
class mhsa_half_at_most(solution.MultiHeadSelfAttention):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, min(dropout, 0.5))


@mistake(
    hint="The weights that stay are multiplied by a wrong factor; dropout divides them by 1 - dropout.",
    ko="남은 가중치에 다른 수를 곱했습니다. dropout은 1 - dropout으로 나눕니다.",
)
class mhsa_survivors_shrunk(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = softmax_of(q, k, mask)
        if self.training:
            weights = weights * (torch.rand_like(weights) > self.dropout.p) * (1 - self.dropout.p)
        return finish(self, weights, v)


@mistake(
    hint="Whole heads are dropped; every weight is dropped for itself (F.dropout2d and its like drop whole planes).",
    ko="헤드가 통째로 떨어집니다. 가중치는 하나씩 따로 떨어뜨려야 합니다(F.dropout2d 등은 한 면을 통째로 떨어뜨립니다).",
)
class mhsa_drops_whole_heads(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, F.dropout2d(softmax_of(q, k, mask), self.dropout.p, self.training), v)


@mistake(
    hint="The number of heads is kept by the class, so the module that was made last decides for all; keep it in self.",
    ko="헤드의 수를 클래스에 두어, 마지막에 만든 모듈의 것이 모두에게 쓰입니다. self에 두세요.",
    unnamed="It gives the right answer where no other module was made, as where the mistakes are tried.",
)
class mhsa_heads_shared_by_all(solution.MultiHeadSelfAttention):
    heads = 1

    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, dropout)
        type(self).heads = num_heads

    def forward(self, x, mask=None):
        self.num_heads = type(self).heads
        self.head_dim = x.shape[-1] // self.num_heads
        return super().forward(x, mask)


@mistake(
    hint="A plain exponential overflows where scores are large, and is 0 in a whole row where they are far below zero: "
    "subtract each row's largest visible score first.",
    ko="점수가 크면 지수 함수가 넘치고, 아주 작으면 한 행이 모두 0이 됩니다. 먼저 각 행에서 보이는 점수의 최댓값을 빼세요.",
)
class mhsa_plain_exponentials(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        exponentials = (q @ k.mT / math.sqrt(q.shape[-1])).exp()
        exponentials = exponentials if mask is None else exponentials * (mask != 0)
        return finish(self, self.dropout(exponentials / exponentials.sum(-1, keepdim=True)), v)


@mistake(
    hint="A mask of pairs (T, T) is taken for one of items where there are as many items as tokens.",
    ko="항목 수가 쿼리 수와 같으면 쿼리와 키의 쌍에 대한 마스크를 항목에 대한 것으로 봅니다.",
)
class mhsa_pairs_taken_for_items(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        if mask is not None and mask.dim() == 2 and len(mask) == len(x):
            mask = mask[:, None, None]
        return super().forward(x, mask)


@mistake(
    hint="Dropout on the output drops, but what it keeps is not divided by 1 - dropout.",
    ko="출력에 쓴 dropout이 남긴 값을 1 - dropout으로 나누지 않았습니다.",
)
class mhsa_output_dropped_unscaled(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return self.dropout(torch.ones_like(output)).bool() * output, weights


@mistake(
    hint="Queries and keys are never compared: every value gets the same weight.",
    ko="쿼리와 키를 비교하지 않았습니다. 모든 값이 같은 가중치를 받습니다.",
    marks="trivial",
)
class mhsa_even_shares(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = torch.softmax(hide(torch.zeros_like(q @ k.mT), mask), dim=-1)
        return finish(self, self.dropout(weights), v)


@mistake(
    hint="Each token looks at itself alone.",
    ko="토큰마다 자신만 봅니다.",
    marks="trivial",
)
class mhsa_each_token_alone(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, _, v = layers_of(self, x)
        return finish(self, torch.eye(x.shape[1], dtype=x.dtype).expand(q.shape[0], q.shape[1], -1, -1), v)
