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
    hint="Queries and keys are swapped: row i of the weights belongs to query i.",
    ko="쿼리와 키가 바뀌었습니다. 가중치의 i번째 행은 i번째 쿼리의 것입니다.",
)
class mhsa_queries_and_keys_swapped(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(k, q, mask)), v)


@mistake(
    marks="slip",
    hint="The output projection W_o is there but never used.",
    ko="출력 투영 W_o를 만들었지만 쓰지 않았습니다.",
)
class mhsa_no_output_projection(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = self.dropout(softmax_of(q, k, mask))
        return joined(weights @ v), weights


@mistake(
    hint="There are more parameters than asked for, of a layer or by themselves; state_dict holds them, used or not.",
    ko="요구한 것보다 매개변수가 더 있습니다. 층의 것이든 따로 둔 것이든, 쓰지 않아도 state_dict에 들어갑니다.",
)
class mhsa_extra_layer(solution.MultiHeadSelfAttention):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, dropout)
        self.norm = nn.LayerNorm(d_model)


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


@mistake(marks="slip", hint="The mask is never used.", ko="마스크를 쓰지 않았습니다.")
class mhsa_mask_ignored(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, k, None)), v)


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
    hint="Dropout is on the scores, before the softmax; a score of 0 is not a weight of 0.",
    ko="dropout이 소프트맥스 전의 점수에 걸렸습니다. 점수 0은 가중치 0이 아닙니다.",
)
class mhsa_drops_scores(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        scores = self.dropout(q @ k.mT / math.sqrt(self.head_dim))
        return finish(self, torch.softmax(hide(scores, mask), dim=-1), v)


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
    hint="Queries and keys are never compared: every value gets the same weight.",
    ko="쿼리와 키를 비교하지 않았습니다. 모든 값이 같은 가중치를 받습니다.",
    marks="trivial",
)
class mhsa_even_shares(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = torch.softmax(hide(torch.zeros_like(q @ k.mT), mask), dim=-1)
        return finish(self, self.dropout(weights), v)
