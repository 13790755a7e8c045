"""Wrong answers to `CausalAttention`, each with the hint that a student with this answer gets."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake, solution


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


@helper
class Steps(solution.CausalAttention):
    """The right answer up to the scaled scores; a mistake finishes it."""

    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return self.finish(queries @ keys.mT / math.sqrt(keys.shape[-1]), values)


@mistake(hint="Divide the scores by the root of d_out.", ko="점수를 d_out의 제곱근으로 나누세요.", marks="slip")
class module_no_scaling(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return finished(self, queries @ keys.mT, values)


@mistake(
    hint="Divide by the root of the key size, not by it.", ko="키 크기가 아니라 그 제곱근으로 나누세요.", marks="slip"
)
class module_by_the_size(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return finished(self, queries @ keys.mT / keys.shape[-1], values)


@mistake(hint="Nothing is hidden: the mask is never used.", ko="마스크를 쓰지 않았습니다.", marks="slip")
class module_not_masked(Steps):
    def finish(self, scores, values):
        return finished(self, scores, values, torch.zeros_like(scores) > 0)


@mistake(hint="The diagonal is hidden too: row 0 is NaN.", ko="대각선까지 가려 첫 행이 NaN입니다.")
class module_diagonal_hidden(Steps):
    def finish(self, scores, values):
        return finished(self, scores, values, torch.ones_like(scores).triu() > 0)


@mistake(hint="Every token still sees one token of the future.", ko="아직 미래의 토큰 하나를 봅니다.", marks="slip")
class module_one_step_leak(Steps):
    def finish(self, scores, values):
        return finished(self, scores, values, hidden_of(self, scores).triu(2))


@mistake(hint="The past is hidden: the mask is transposed.", ko="마스크가 전치되어 과거를 가립니다.")
class module_past_hidden(Steps):
    def finish(self, scores, values):
        return finished(self, scores, values, hidden_of(self, scores).mT)


@mistake(hint="Only the first item of the batch is masked.", ko="배치의 첫 항목만 가려졌습니다.")
class module_first_item_alone(Steps):
    def finish(self, scores, values):
        hidden = hidden_of(self, scores)
        hidden[1:] = False
        return finished(self, scores, values, hidden)


@mistake(hint="Cut the mask to T rows and T columns.", ko="마스크를 T행 T열로 자르세요.")
class module_mask_not_sliced(Steps):
    def finish(self, scores, values):
        return finished(self, scores, values, self.mask)


@mistake(hint="The mask is a parameter; make it a buffer.", ko="마스크는 매개변수가 아니라 버퍼입니다.")
class module_mask_as_parameter(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        del self.mask
        self.mask = nn.Parameter(torch.ones(context_length, context_length).triu(1))

    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, self.mask[: x.shape[1], : x.shape[1]] > 0)


@mistake(hint="The mask is used in training only.", ko="마스크를 학습 중에만 썼습니다.")
class module_mask_in_training_only(Steps):
    def finish(self, scores, values):
        return finished(self, scores, values, hidden_of(self, scores) & self.training)


@mistake(hint="Queries and keys are swapped: rows are queries.", ko="쿼리와 키가 바뀌었습니다. 행이 쿼리입니다.")
class module_queries_and_keys_swapped(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return finished(self, keys @ queries.mT / math.sqrt(keys.shape[-1]), values)


@mistake(hint="The keys are where the values belong.", ko="값의 자리에 키를 썼습니다.", marks="slip")
class module_keys_as_values(solution.CausalAttention):
    def forward(self, x):
        queries, keys, _ = layers_of(self, x)
        return finished(self, queries @ keys.mT / math.sqrt(keys.shape[-1]), keys)


@mistake(hint="One layer is used in all three roles.", ko="층 하나를 세 역할에 모두 썼습니다.", marks="slip")
class module_one_layer_in_all_roles(solution.CausalAttention):
    def forward(self, x):
        values = layers_of(self, x)[2]
        return finished(self, values @ values.mT / math.sqrt(values.shape[-1]), values)


@mistake(hint="Take the softmax over keys, not queries.", ko="소프트맥스는 쿼리가 아니라 키 방향입니다.", marks="slip")
class module_softmax_of_columns(Steps):
    def finish(self, scores, values):
        return self.dropout(torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=1)) @ values


@mistake(hint="Queries and keys play no part.", ko="쿼리와 키가 쓰이지 않습니다.", marks="trivial")
class module_even_shares(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return finished(self, 0 * (queries @ keys.mT), values)


@mistake(marks="point", hint="The attention weights are never dropped.", ko="어텐션 가중치를 떨어뜨리지 않습니다.")
class module_no_dropout(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.dropout = nn.Identity()


@mistake(
    marks="point",
    hint="Weights are dropped in eval too: F.dropout needs `training=self.training`; nn.Dropout sees to it itself.",
    ko="eval에서도 가중치를 떨어뜨립니다. F.dropout에는 `training=self.training`이 필요합니다.",
)
class module_drops_in_eval(Steps):
    def finish(self, scores, values):
        weights = torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1)
        return F.dropout(weights, self.dropout.p) @ values


@mistake(marks="point", hint="The argument `dropout` is not handed on.", ko="dropout 인자를 넘기지 않습니다.")
class module_ignores_probability(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.dropout = nn.Dropout(0.5 if dropout else 0)


@mistake(
    marks="point",
    hint="Dropout is on the scores, not on the weights.",
    ko="가중치가 아니라 점수에 dropout을 걸었습니다.",
)
class module_drops_scores(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = self.dropout(queries @ keys.mT / math.sqrt(keys.shape[-1]))
        return torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1) @ values


@mistake(hint="With a seed in forward, every call drops the same.", ko="forward의 시드 때문에 매번 똑같이 떨어집니다.")
class module_same_draw_in_every_call(solution.CausalAttention):
    def forward(self, x):
        torch.manual_seed(123)
        return super().forward(x)


@mistake(hint="Too long a sequence has to raise ValueError.", ko="너무 길면 ValueError를 일으키세요.")
class module_length_not_checked(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        return finished(self, queries @ keys.mT / math.sqrt(keys.shape[-1]), values)


@mistake(hint="The input is changed: make a new tensor.", ko="입력을 바꾸었습니다. 새 텐서를 만드세요.", marks="point")
class module_input_in_place(solution.CausalAttention):
    def forward(self, x):
        output = super().forward(x)
        with torch.no_grad():
            x -= x.mean()
        return output


@mistake(hint="The output is detached: no gradient flows back.", ko="detach로 그래디언트가 끊겼습니다.", marks="point")
class module_detached(solution.CausalAttention):
    def forward(self, x):
        return super().forward(x).detach()


@mistake(hint="The softmax in float32 costs float64 its digits.", ko="float32 소프트맥스는 자릿수를 잃습니다.")
class module_softmax_in_float32(Steps):
    def finish(self, scores, values):
        masked = scores.masked_fill(hidden_of(self, scores), float("-inf"))
        return self.dropout(torch.softmax(masked, dim=-1, dtype=torch.float32).to(values.dtype)) @ values


@mistake(hint="The attention is the library's; write it out.", ko="라이브러리 대신 직접 쓰세요.", marks="library")
class module_by_library(solution.CausalAttention):
    def forward(self, x):
        p = self.dropout.p * self.training
        return F.scaled_dot_product_attention(*layers_of(self, x), is_causal=True, dropout_p=p)


@mistake(hint="Divide the scores by the root, not the values.", ko="값이 아니라 점수를 나누세요.")
class module_values_divided(Steps):
    def finish(self, scores, values):
        return finished(self, scores * math.sqrt(values.shape[-1]), values / math.sqrt(values.shape[-1]))


@mistake(hint="The mask hides what should be visible: invert it.", ko="보여야 할 곳을 가렸습니다. 반대로 하세요.")
class module_mask_inverted(Steps):
    def finish(self, scores, values):
        return finished(self, scores, values, ~hidden_of(self, scores))


@mistake(hint="A hidden score of 0 still gets weight: use -inf.", ko="점수 0도 가중치를 받습니다. -inf를 쓰세요.")
class module_hidden_scores_of_zero(Steps):
    def finish(self, scores, values):
        return finished(self, scores, values, fill=0.0)


@mistake(hint="Visible scores can be below the fill value: use -inf.", ko="더 작은 점수도 있습니다. -inf를 쓰세요.")
class module_fill_of_minus_5(Steps):
    def finish(self, scores, values):
        return finished(self, scores, values, fill=-5.0)


@mistake(marks="point", hint="Visible scores can be lower: use -inf.", ko="더 작은 점수도 있습니다. -inf를 쓰세요.")
class module_fill_of_minus_100(Steps):
    def finish(self, scores, values):
        return finished(self, scores, values, fill=-100.0)


@mistake(hint="Hide scores before the softmax, so rows sum to 1.", ko="행의 합이 1이 되게 소프트맥스 전에 가리세요.")
class module_masked_afterwards(Steps):
    def finish(self, scores, values):
        return self.dropout(torch.softmax(scores, dim=-1).masked_fill(hidden_of(self, scores), 0)) @ values


@mistake(hint="The probability is that of dropping, not of keeping.", ko="남길 확률이 아니라 떨어뜨릴 확률입니다.")
class module_keeps_instead_of_drops(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, 1 - dropout, qkv_bias)


@mistake(
    marks="point",
    hint="Leave the rows as dropout gives them: don't rescale.",
    ko="dropout 뒤의 행을 다시 나누지 마세요.",
)
class module_renormalises(Steps):
    def finish(self, scores, values):
        weights = self.dropout(torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1))
        return weights / weights.sum(dim=-1, keepdim=True) @ values


@mistake(
    marks="point", hint="Drop weights only, not values or results.", ko="값이나 결과가 아니라 가중치만 떨어뜨리세요."
)
class module_drops_the_output(Steps):
    def finish(self, scores, values):
        weights = torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1)
        return self.dropout(weights @ values)


@mistake(hint="The weights are transposed: rows are queries.", ko="가중치가 전치되었습니다. 행이 쿼리입니다.")
class module_weights_transposed(Steps):
    def finish(self, scores, values):
        weights = torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1)
        return self.dropout(weights).mT @ values


@mistake(hint="A second softmax flattens the weights.", ko="소프트맥스를 두 번 해 가중치가 평평합니다.")
class module_double_softmax(Steps):
    def finish(self, scores, values):
        weights = torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1)
        return self.dropout(torch.softmax(weights, dim=-1)) @ values


@mistake(hint="All earlier tokens are visible, not just a window.", ko="앞의 토큰이 모두 보여야 합니다.")
class module_window_of_three(Steps):
    def finish(self, scores, values):
        return finished(self, scores, values, torch.ones_like(scores).tril().triu(-2) == 0)


@mistake(hint="The mask is a plain attribute; make it a buffer.", ko="마스크를 버퍼로 만드세요.")
class module_plain_mask(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        del self.mask
        self.mask = torch.ones(context_length, context_length).triu(1) > 0


@mistake(
    hint="The mask is made anew in every call; use the buffer.", ko="마스크를 부를 때마다 새로 만듭니다. 버퍼를 쓰세요."
)
class module_buffer_unused(Steps):
    def finish(self, scores, values):
        return finished(self, scores, values, torch.ones_like(scores, dtype=torch.bool).triu(1))
