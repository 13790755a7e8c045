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
def softmax_of(Q, K, mask, divisor=None, dim=-1, fill=float("-inf")):
    return torch.softmax(hide(Q @ K.mT / (math.sqrt(Q.shape[-1]) if divisor is None else divisor), mask, fill), dim=dim)


@helper
def layers_of(module, x):
    return tuple(heads_of(layer(x), module.num_heads) for layer in (module.W_q, module.W_k, module.W_v))


@helper
def finish(module, weights, values):
    return module.W_o(joined(weights @ values)), weights


@helper
class Steps(solution.MultiHeadSelfAttention):
    """The right answer up to the heads; a mistake attends in them."""

    def forward(self, x, mask=None):
        return self.attend(*layers_of(self, x), mask)


@mistake(hint="Divide by the root of head_dim, not of d_model.", ko="head_dim의 제곱근으로 나누세요.", marks="slip")
class mhsa_by_root_of_d_model(Steps):
    def attend(self, q, k, v, mask):
        return finish(self, self.dropout(softmax_of(q, k, mask, math.sqrt(self.W_q.in_features))), v)


@mistake(
    hint="Divide by the root of head_dim, not by head_dim.",
    ko="head_dim이 아니라 그 제곱근으로 나누세요.",
    marks="slip",
)
class mhsa_by_head_dim(Steps):
    def attend(self, q, k, v, mask):
        return finish(self, self.dropout(softmax_of(q, k, mask, self.head_dim)), v)


@mistake(hint="Divide the scores by the root of head_dim.", ko="점수를 head_dim의 제곱근으로 나누세요.", marks="slip")
class mhsa_no_scaling(Steps):
    def attend(self, q, k, v, mask):
        return finish(self, self.dropout(softmax_of(q, k, mask, 1)), v)


@mistake(hint="Cut the features into heads first, then swap axes.", ko="먼저 헤드로 나누고 축을 바꾸세요.")
class mhsa_split_straight_to_heads(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        shape = (x.shape[0], self.num_heads, x.shape[1], self.head_dim)
        q, k, v = (layer(x).reshape(shape) for layer in (self.W_q, self.W_k, self.W_v))
        return finish(self, self.dropout(softmax_of(q, k, mask)), v)


@mistake(hint="Move the heads next to the features first.", ko="먼저 헤드를 특징 옆으로 옮기세요.", marks="slip")
class mhsa_merge_without_transposing(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        weights = self.dropout(softmax_of(q, k, mask))
        return self.W_o((weights @ v).reshape(x.shape)), weights


@mistake(hint="Queries and keys are swapped: rows are queries.", ko="쿼리와 키가 바뀌었습니다. 행이 쿼리입니다.")
class mhsa_queries_and_keys_swapped(Steps):
    def attend(self, q, k, v, mask):
        return finish(self, self.dropout(softmax_of(k, q, mask)), v)


@mistake(hint="The output projection W_o is never used.", ko="출력 투영 W_o를 쓰지 않았습니다.", marks="slip")
class mhsa_no_output_projection(Steps):
    def attend(self, q, k, v, mask):
        weights = self.dropout(softmax_of(q, k, mask))
        return joined(weights @ v), weights


@mistake(hint="There is a parameter or a layer too many.", ko="매개변수나 층이 더 있습니다.")
class mhsa_extra_layer(solution.MultiHeadSelfAttention):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, dropout)
        self.norm = nn.LayerNorm(d_model)


@mistake(hint="Take the softmax over keys, not heads.", ko="소프트맥스는 헤드가 아니라 키 방향입니다.", marks="slip")
class mhsa_softmax_over_heads(Steps):
    def attend(self, q, k, v, mask):
        return finish(self, self.dropout(softmax_of(q, k, mask, dim=1, fill=-1e9)), v)


@mistake(marks="slip", hint="The mask is never used.", ko="마스크를 쓰지 않았습니다.")
class mhsa_mask_ignored(Steps):
    def attend(self, q, k, v, mask):
        return finish(self, self.dropout(softmax_of(q, k, None)), v)


@mistake(
    marks="point",
    hint="Weights are dropped in eval too: F.dropout needs `training=self.training`; nn.Dropout sees to it itself.",
    ko="eval에서도 가중치를 떨어뜨립니다. F.dropout에는 `training=self.training`이 필요합니다.",
)
class mhsa_drops_in_eval(Steps):
    def attend(self, q, k, v, mask):
        return finish(self, F.dropout(softmax_of(q, k, mask), self.dropout.p), v)


@mistake(hint="The mask is forgotten where dropout is active.", ko="dropout이 켜져 있을 때 마스크를 빠뜨렸습니다.")
class mhsa_mask_lost_with_dropout(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        return super().forward(x, None if self.training and self.dropout.p else mask)


@mistake(hint="The input is changed: make a new tensor.", ko="입력을 바꾸었습니다. 새 텐서를 만드세요.", marks="point")
class mhsa_input_in_place(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        results = super().forward(x, mask)
        with torch.no_grad():
            x += results[0]
        return results


@mistake(marks="point", hint="The attention weights are never dropped.", ko="어텐션 가중치를 떨어뜨리지 않습니다.")
class mhsa_no_dropout(Steps):
    def attend(self, q, k, v, mask):
        return finish(self, softmax_of(q, k, mask), v)


@mistake(hint="Dropout is on the scores, not on the weights.", ko="가중치가 아니라 점수에 dropout을 걸었습니다.")
class mhsa_drops_scores(Steps):
    def attend(self, q, k, v, mask):
        return finish(self, torch.softmax(hide(self.dropout(q @ k.mT / math.sqrt(self.head_dim)), mask), dim=-1), v)


@mistake(hint="Every head has to drop weights of its own.", ko="헤드마다 따로 떨어뜨리세요.")
class mhsa_same_draw_for_heads(Steps):
    def attend(self, q, k, v, mask):
        weights = softmax_of(q, k, mask)
        return finish(self, weights * self.dropout(torch.ones_like(weights[:, :1])), v)


@mistake(hint="The returned weights are cut off (detach).", ko="돌려준 가중치가 끊겼습니다(detach).")
class mhsa_weights_detached(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        output, weights = super().forward(x, mask)
        return output, weights.detach()


@mistake(hint="Raise ValueError if features don't divide evenly.", ko="나누어떨어지지 않으면 ValueError를 내세요.")
class mhsa_no_divisibility_check(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        q, k, v = layers_of(self, x)
        return finish(self, self.dropout(softmax_of(q, k, mask)), v)


@mistake(hint="Always float32: keep the dtype of the input.", ko="항상 float32입니다. 입력의 dtype을 지키세요.")
class mhsa_into_float32(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        results = super().forward(x, mask)
        output, weights = (torch.zeros(result.shape) for result in results)
        output[:], weights[:] = results
        return output, weights


@mistake(hint="The first matrices are kept: training has no effect.", ko="처음 행렬을 간직해 학습이 효과가 없습니다.")
class mhsa_matrices_cached(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        if not hasattr(self, "fused"):
            self.fused = torch.cat([layer.weight for layer in (self.W_q, self.W_k, self.W_v)]).clone()
        q, k, v = (heads_of(part, self.num_heads) for part in (x @ self.fused.T).chunk(3, dim=-1))
        return finish(self, self.dropout(softmax_of(q, k, mask)), v)


@mistake(hint="The library does the attention; write it yourself.", ko="라이브러리 대신 직접 쓰세요.", marks="library")
class mhsa_by_library(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        if self.training and self.dropout.p:
            return super().forward(x, mask)
        q, k, v = layers_of(self, x)
        context = F.scaled_dot_product_attention(q, k, v, attn_mask=None if mask is None else mask.bool())
        return self.W_o(joined(context)), softmax_of(q, k, mask)


@mistake(hint="Queries and keys are never compared.", ko="쿼리와 키를 비교하지 않습니다.", marks="trivial")
class mhsa_even_shares(Steps):
    def attend(self, q, k, v, mask):
        return finish(self, self.dropout(softmax_of(0 * q, k, mask)), v)


@mistake(hint="Divide the scores by the root, not the values.", ko="값이 아니라 점수를 나누세요.")
class mhsa_values_divided(Steps):
    def attend(self, q, k, v, mask):
        return finish(self, self.dropout(softmax_of(q, k, mask, 1)), v / math.sqrt(self.head_dim))


@mistake(hint="Take the softmax over keys, not queries.", ko="소프트맥스는 쿼리가 아니라 키 방향입니다.")
class mhsa_softmax_over_queries(Steps):
    def attend(self, q, k, v, mask):
        return finish(self, self.dropout(softmax_of(q, k, mask, dim=-2)), v)


@mistake(hint="0 or False means hidden here.", ko="0이나 False가 가려진 곳입니다.")
class mhsa_mask_inverted(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        return super().forward(x, None if mask is None else mask == 0)


@mistake(marks="point", hint="Visible scores can be lower: use -inf.", ko="더 작은 점수도 있습니다. -inf를 쓰세요.")
class mhsa_fill_of_minus_100(Steps):
    def attend(self, q, k, v, mask):
        return finish(self, self.dropout(torch.softmax(hide(q @ k.mT / self.head_dim**0.5, mask, -100.0), dim=-1)), v)


@mistake(hint="The tokens are moved to the CPU.", ko="토큰을 CPU로 옮겼습니다.", marks="device")
class mhsa_tokens_on_the_cpu(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        return super().forward(x.cpu(), mask)


@mistake(hint="A hidden score of 0 still gets weight: use -inf.", ko="점수 0도 가중치를 받습니다. -inf를 쓰세요.")
class mhsa_hidden_scores_of_zero(Steps):
    def attend(self, q, k, v, mask):
        return finish(self, self.dropout(torch.softmax(hide(q @ k.mT / self.head_dim**0.5, mask, 0.0), dim=-1)), v)


@mistake(hint="The mask hides keys, not queries.", ko="마스크는 쿼리가 아니라 키를 가립니다.")
class mhsa_mask_transposed(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        return super().forward(x, None if mask is None else mask.mT)


@mistake(hint="Hide scores before the softmax, so rows sum to 1.", ko="행의 합이 1이 되게 소프트맥스 전에 가리세요.")
class mhsa_masked_afterwards(Steps):
    def attend(self, q, k, v, mask):
        return finish(self, self.dropout(hide(softmax_of(q, k, None), mask, 0.0)), v)


@mistake(hint="Hide what the mask says, not always the future.", ko="미래가 아니라 마스크대로 가리세요.")
class mhsa_always_causal(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        return super().forward(x, torch.ones(x.shape[1], x.shape[1], device=x.device).tril())


@mistake(hint="A head owns neighbouring features.", ko="헤드는 이웃한 특징을 가집니다.")
class mhsa_interleaved(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        q, k, v = (W(x).unflatten(-1, (-1, self.num_heads)).movedim(-1, 1) for W in (self.W_q, self.W_k, self.W_v))
        return finish(self, self.dropout(softmax_of(q, k, mask)), v)


@mistake(hint="The heads are reversed: head 0 comes first.", ko="순서가 거꾸로입니다. 0번이 먼저입니다.")
class mhsa_heads_reversed(Steps):
    def attend(self, q, k, v, mask):
        weights = self.dropout(softmax_of(q, k, mask))
        return self.W_o(joined((weights @ v).flip(1))), weights


@mistake(hint="The keys are where the values belong.", ko="값의 자리에 키를 썼습니다.")
class mhsa_keys_as_values(Steps):
    def attend(self, q, k, v, mask):
        return finish(self, self.dropout(softmax_of(q, k, mask)), k)


@mistake(hint="Queries and keys share a layer; each needs its own.", ko="쿼리와 키에 층이 하나씩 필요합니다.")
class mhsa_queries_with_queries(Steps):
    def attend(self, q, k, v, mask):
        return finish(self, self.dropout(softmax_of(q, q, mask)), v)


@mistake(hint="One layer is used in all three roles.", ko="층 하나를 세 역할에 모두 썼습니다.", marks="slip")
class mhsa_one_layer_in_all_roles(Steps):
    def attend(self, q, k, v, mask):
        return finish(self, self.dropout(softmax_of(v, v, mask)), v)


@mistake(hint="Every head needs its own weights, not their mean.", ko="평균이 아니라 헤드마다 자기 가중치를 쓰세요.")
class mhsa_one_averaged_weight(Steps):
    def attend(self, q, k, v, mask):
        return finish(self, self.dropout(softmax_of(q, k, mask).mean(1, True).expand(-1, q.shape[1], -1, -1)), v)
