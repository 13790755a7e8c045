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


@mistake(
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
    hint="A probability above one half is cut down to it; hand it on as it is given.",
    ko="0.5보다 큰 확률을 0.5로 줄였습니다. 받은 그대로 넘기세요.",
)
class module_half_at_most(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, min(dropout, 0.5), qkv_bias)


@mistake(
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
    hint="The scores are divided by the root of d_in; queries and keys have d_out features.",
    ko="점수를 d_in의 제곱근으로 나누었습니다. 쿼리와 키의 특징은 d_out개입니다.",
)
class module_by_root_of_d_in(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(x.shape[-1])
        return finished(self, scores, values)


@mistake(
    hint="The scores are divided by the root of the number of tokens; it is the features of a key that count.",
    ko="점수를 토큰 수의 제곱근으로 나누었습니다. 키의 특징 수를 쓰세요.",
)
class module_by_root_of_tokens(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(x.shape[1])
        return finished(self, scores, values)


@mistake(
    hint="The scores are divided by the root of the context length; it is the features of a key that count.",
    ko="점수를 context_length의 제곱근으로 나누었습니다. 키의 특징 수를 쓰세요.",
)
class module_by_root_of_context_length(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(len(self.mask))
        return finished(self, scores, values)


@mistake(
    hint="The root was rounded to a whole number.",
    ko="제곱근이 정수로 반올림되었습니다.",
)
class module_by_whole_root(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.isqrt(keys.shape[-1])
        return finished(self, scores, values)


@mistake(
    hint="The scores are multiplied by the root of d_out; divide by it.",
    ko="점수에 d_out의 제곱근을 곱했습니다. 나누세요.",
)
class module_multiplied(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / keys.shape[-1] ** -0.5
        return finished(self, scores, values)


@mistake(
    hint="The values are divided instead of the scores.",
    ko="점수 대신 값(value)을 나누었습니다.",
)
class module_values_scaled(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return finished(self, queries @ keys.mT, values / math.sqrt(keys.shape[-1]))


@mistake(
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
    hint="The diagonal is hidden too, so nothing is left for the first token (NaN).",
    ko="대각선까지 가려 첫 토큰에게 남는 것이 없습니다(NaN).",
)
class module_diagonal_hidden(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, torch.ones_like(scores).triu() > 0)


@mistake(
    hint="The diagonal is hidden too, with a fill that leaves the first token even shares: a token sees itself.",
    ko="대각선까지 가려 첫 토큰이 모든 토큰을 고르게 봅니다. 토큰은 자신을 봅니다.",
)
class module_diagonal_hidden_by_1e9(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, torch.ones_like(scores).triu() > 0, fill=-1e9)


@mistake(
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
    hint="The past is hidden and the future is not: the mask is transposed.",
    ko="과거를 가리고 미래를 보입니다. 마스크가 전치되었습니다.",
)
class module_past_hidden(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores).mT)


@mistake(
    hint="The mask is used the other way round: what should be visible is hidden.",
    ko="마스크를 반대로 썼습니다. 보여야 할 곳이 가려졌습니다.",
)
class module_mask_inverted(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, ~hidden_of(self, scores))


@mistake(
    hint="The triangle is mirrored: its edge runs from the upper right to the lower left.",
    ko="삼각형이 좌우로 뒤집혔습니다. 경계가 오른쪽 위에서 왼쪽 아래로 갑니다.",
)
class module_mask_mirrored(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores).flip(-1))


@mistake(
    hint="The fill is nearly 0 (-1e-9 for -1e9), so hidden tokens still get weight.",
    ko="채운 수가 거의 0이라(-1e9가 아니라 -1e-9) 가려진 토큰이 여전히 가중치를 받습니다.",
)
class module_fill_of_minus_tiny(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores), fill=-1e-9)


@mistake(
    hint="The fill is not low enough: a visible score may lie far below it.",
    ko="채운 수가 충분히 작지 않습니다. 보이는 점수가 그보다 훨씬 작을 수 있습니다.",
)
class module_fill_of_minus_100(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores), fill=-100.0)


@mistake(
    hint="A fill of -1000 is not low enough: visible scores can lie below it. Use minus infinity.",
    ko="-1000은 충분히 작지 않습니다. 보이는 점수가 더 작을 수 있으니 음의 무한대를 쓰세요.",
)
class module_fill_of_minus_1000(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, fill=-1e3)


@mistake(
    marks="slip",
    hint="The layer was given the probability to keep, 1 - dropout; nn.Dropout takes the one to drop.",
    ko="nn.Dropout에 남길 확률(1 - dropout)을 주었습니다. 떨어뜨릴 확률을 주어야 합니다.",
)
class module_keep_probability(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, 1 - dropout, qkv_bias)


@mistake(
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
    hint="In eval the weights are multiplied by 1 - dropout; training has made up for it already, eval leaves them alone.",
    ko="eval에서 가중치에 1 - dropout을 곱했습니다. 학습 때 이미 키웠으므로 eval에서는 그대로 둡니다.",
)
class module_shrinks_in_eval(solution.CausalAttention):
    def forward(self, x):
        result = super().forward(x)
        return result if self.training else result * (1 - self.dropout.p)


@mistake(
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
    hint="The tokens are added to the result; this module has no residual path.",
    ko="결과에 토큰을 더했습니다. 이 모듈에는 잔차 경로가 없습니다.",
)
class module_residual(solution.CausalAttention):
    def forward(self, x):
        return super().forward(x) + x


@mistake(
    hint="The scores were averaged over the batch, so items see each other.",
    ko="점수를 배치 방향으로 평균하여 항목들이 서로를 봅니다.",
)
class module_scores_averaged(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores.mean(0, keepdim=True).expand_as(scores), values)


@mistake(
    hint="`masked_fill` wants a mask of bools; register the buffer with dtype=torch.bool or turn it with .bool().",
    ko="`masked_fill`에는 bool 마스크가 필요합니다. dtype=torch.bool로 등록하거나 .bool()로 바꾸세요.",
)
class module_mask_of_numbers(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.mask = torch.ones(context_length, context_length).triu(1)


@mistake(
    hint="The sign is wrong: plus infinity takes all the weight (and gives NaN).",
    ko="부호가 반대입니다. 양의 무한대는 가중치를 모두 가져갑니다(NaN이 됩니다).",
)
class module_plus_infinity(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores), fill=float("inf"))


@mistake(
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
    hint="Every score of 0 was taken for a hidden one; ask for the position, not for the value.",
    ko="점수가 0인 곳을 모두 가려진 곳으로 보았습니다. 값이 아니라 위치로 정하세요.",
)
class module_zeros_taken_for_hidden(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, scores.tril() == 0)


@mistake(
    hint="The future is struck out after the softmax, so its share is missing: rows sum to less than 1.",
    ko="소프트맥스 뒤에 미래를 지워, 그 몫이 빠지고 행의 합이 1보다 작습니다.",
)
class module_masked_afterwards(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return self.dropout(torch.softmax(scores, dim=-1).tril()) @ values


@mistake(
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
    hint="The mask is used in training only; in eval the future is seen.",
    ko="마스크를 학습 중에만 썼습니다. eval에서는 미래가 보입니다.",
)
class module_mask_in_training_only(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores) & self.training)


@mistake(
    hint="The mask is used in eval only; in training the future is seen.",
    ko="마스크를 eval에서만 썼습니다. 학습 중에는 미래가 보입니다.",
)
class module_mask_in_eval_only(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores) & (not self.training))


@mistake(
    hint="The mask is forgotten where dropout is active.",
    ko="드롭아웃이 켜져 있을 때 마스크를 빠뜨렸습니다.",
)
class module_mask_lost_with_dropout(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores) & (not self.training or self.dropout.p == 0))


@mistake(
    hint="Queries and keys are swapped: row i of the scores belongs to query i.",
    ko="쿼리와 키가 바뀌었습니다. 점수의 i번째 행은 i번째 쿼리의 것입니다.",
)
class module_queries_and_keys_swapped(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return finished(self, keys @ queries.mT / math.sqrt(keys.shape[-1]), values)


@mistake(
    hint="The keys come from W_query as well; W_key plays no part.",
    ko="키도 W_query로 만들었습니다. W_key가 쓰이지 않습니다.",
    twins=("module_one_layer",),
)
class module_keys_from_queries(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return finished(self, queries @ queries.mT / math.sqrt(keys.shape[-1]), values)


@mistake(
    hint="One layer serves as W_query and W_key; three layers of their own are asked for.",
    ko="한 층을 W_query와 W_key로 함께 썼습니다. 세 층이 따로 있어야 합니다.",
    twins=("module_keys_from_queries",),
)
class module_one_layer(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.W_key = self.W_query


@mistake(
    hint="The keys were averaged where the values belong: W_value plays no part.",
    ko="값이 들어갈 자리에 키를 썼습니다. W_value가 쓰이지 않습니다.",
)
class module_keys_as_values(solution.CausalAttention):
    def forward(self, x):
        queries, keys, _ = layers_of(self, x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, keys)


@mistake(
    hint="The scores compare the tokens themselves; the queries and keys are made of them by W_query and W_key.",
    ko="토큰 자체를 비교했습니다. 쿼리와 키는 W_query와 W_key로 만듭니다.",
)
class module_tokens_unprojected(solution.CausalAttention):
    def forward(self, x):
        _, keys, values = layers_of(self, x)
        return finished(self, x @ x.mT / math.sqrt(keys.shape[-1]), values)


@mistake(
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
    marks="trivial",
    hint="Every token averages what it sees evenly; queries and keys play no part.",
    ko="모든 토큰이 보이는 것을 똑같이 평균합니다. 쿼리와 키가 쓰이지 않습니다.",
)
class module_even_shares(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return finished(self, 0 * (queries @ keys.mT), values)


@mistake(
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
    hint="Every item gets the weights of the first one.",
    ko="모든 항목이 첫 항목의 가중치를 씁니다.",
)
class module_first_item_for_all(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = queries[:1] @ keys[:1].mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values)


@mistake(
    hint="Output and weights are returned as a pair; the output alone is asked for.",
    ko="출력과 가중치를 함께 반환합니다. 출력만 반환하세요.",
)
class module_with_weights(solution.CausalAttention):
    def forward(self, x):
        output = super().forward(x)
        return output, torch.eye(x.shape[1])


@mistake(
    hint="Axes of size 1 are dropped; the output is (B, T, d_out) also for a batch of one.",
    ko="크기가 1인 축이 사라집니다. 배치가 하나여도 출력은 (B, T, d_out)입니다.",
)
class module_squeezed(solution.CausalAttention):
    def forward(self, x):
        return super().forward(x).squeeze()


@mistake(
    hint="The layers always have a bias; hand `qkv_bias` on to nn.Linear.",
    ko="층에 항상 편향이 있습니다. `qkv_bias`를 nn.Linear에 넘기세요.",
    unnamed="What was not asked for is drawn at random, so the numbers look like those of any wrong answer.",
)
class module_always_with_bias(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=True):
        super().__init__(d_in, d_out, context_length, dropout, True)


@mistake(
    hint="The argument `qkv_bias` is ignored: the layers never have a bias.",
    ko="`qkv_bias` 인자를 쓰지 않아 층에 편향이 없습니다.",
)
class module_never_with_bias(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, False)


@mistake(
    hint="Only queries and keys get a bias; all three layers are asked for.",
    ko="쿼리와 키에만 편향이 있습니다. 세 층 모두에 있어야 합니다.",
)
class module_bias_not_of_values(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=False)


@mistake(
    hint="There are more parameters than asked for, of a layer or by themselves; state_dict holds them, used or not.",
    ko="요구한 것보다 매개변수가 더 있습니다. 층의 것이든 따로 둔 것이든, 쓰지 않아도 state_dict에 들어갑니다.",
)
class module_extra_layer(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)


@mistake(
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
    hint="The attention weights are never dropped.",
    ko="어텐션 가중치를 떨어뜨리지 않습니다.",
)
class module_no_dropout(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.dropout = nn.Identity()


@mistake(
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
    hint="The share that is dropped is 1 - dropout; `dropout` is the share to drop.",
    ko="떨어뜨리는 비율이 1 - dropout입니다. `dropout`이 떨어뜨릴 비율입니다.",
)
class module_keeps_what_it_should_drop(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.dropout = nn.Dropout(1 - dropout if dropout else 0)


@mistake(
    hint="The argument `dropout` is not handed on, so another probability is used.",
    ko="dropout 인자를 넘기지 않아 다른 확률이 쓰입니다.",
)
class module_ignores_probability(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.dropout = nn.Dropout(0.5 if dropout else 0)


@mistake(
    hint="Dropout is on the scores, before the softmax; a score of 0 is not a weight of 0.",
    ko="드롭아웃이 소프트맥스 전의 점수에 걸렸습니다. 점수 0은 가중치 0이 아닙니다.",
)
class module_drops_scores(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = self.dropout(queries @ keys.mT / math.sqrt(keys.shape[-1]))
        return torch.softmax(scores.masked_fill(hidden_of(self, scores), float("-inf")), dim=-1) @ values


@mistake(
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
    hint="Dropout acts twice, on the weights two times over or on the weights and on the output; once is asked for.",
    ko="드롭아웃이 두 번 걸립니다. 가중치에 두 번이거나, 가중치와 출력에 한 번씩입니다. 가중치에 한 번만 걸려야 합니다.",
)
class module_drops_output_too(solution.CausalAttention):
    def forward(self, x):
        return self.dropout(super().forward(x))


@mistake(
    hint="Dropout acts twice, on the weights two times over or on the weights and on the output; once is asked for.",
    ko="드롭아웃이 두 번 걸립니다. 가중치에 두 번이거나, 가중치와 출력에 한 번씩입니다. 가중치에 한 번만 걸려야 합니다.",
    twins=("module_drops_output_too",),
)
class module_drops_weights_twice(solution.CausalAttention):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__(d_in, d_out, context_length, dropout, qkv_bias)
        self.dropout = nn.Sequential(nn.Dropout(dropout), nn.Dropout(dropout))


@mistake(
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
    hint="The seed is set in forward, so every call drops the same weights.",
    ko="forward 안에서 시드를 정해 부를 때마다 같은 가중치가 사라집니다.",
)
class module_same_draw_in_every_call(solution.CausalAttention):
    def forward(self, x):
        torch.manual_seed(123)
        return super().forward(x)


@mistake(
    hint="After a time in eval nothing is dropped any more, although the module trains again.",
    ko="eval을 거친 뒤에는 다시 학습 중이어도 아무것도 떨어뜨리지 않습니다.",
)
class module_dropout_sticks_after_eval(solution.CausalAttention):
    def forward(self, x):
        if not self.training:
            self.dropout.p = 0.0
        return super().forward(x)


@mistake(
    hint="A sequence that is too long ends in another error; check its length yourself and raise ValueError.",
    ko="너무 긴 문장이 다른 오류로 끝납니다. 길이를 직접 확인하고 ValueError를 일으키세요.",
)
class module_length_not_checked(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values)


@mistake(
    hint="An assert raises AssertionError; here a ValueError is asked for.",
    ko="assert는 AssertionError를 일으킵니다. 여기서는 ValueError가 필요합니다.",
)
class module_length_asserted(solution.CausalAttention):
    def forward(self, x):
        assert x.shape[1] <= len(self.mask), "too long"
        return super().forward(x)


@mistake(
    hint="Tokens that are too many are cut off silently; raise ValueError instead.",
    ko="너무 많은 토큰을 말없이 잘랐습니다. 대신 ValueError를 일으키세요.",
)
class module_long_sequences_cut(solution.CausalAttention):
    def forward(self, x):
        return super().forward(x[:, : len(self.mask)])


@mistake(
    hint="Sequences longer than the context length are treated like others; raise ValueError instead.",
    ko="context_length보다 긴 문장도 그대로 계산합니다. 대신 ValueError를 일으키세요.",
)
class module_long_sequences_taken(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return finished(self, scores, values, hidden_of(self, scores))


@mistake(
    hint="A sequence of exactly context_length tokens is refused, though it is allowed.",
    ko="정확히 context_length개의 토큰은 허용되는데도 거부합니다.",
)
class module_full_length_refused(solution.CausalAttention):
    def forward(self, x):
        if x.shape[1] >= len(self.mask):
            raise ValueError("too many tokens")
        return super().forward(x)


@mistake(
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
    marks="point",
    hint="The output is cut off from the input and the layers (detach, .data, no_grad): nothing can be learned.",
    ko="출력이 입력과 층에서 끊겨(detach, .data, no_grad) 아무것도 학습되지 않습니다.",
)
class module_detached(solution.CausalAttention):
    def forward(self, x):
        return super().forward(x).detach()


@mistake(
    hint="In eval the output is cut off from its inputs; switching gradients off is the caller's choice.",
    ko="eval에서 출력이 입력과 끊깁니다. 그래디언트를 끄는 것은 부르는 쪽이 정합니다.",
)
class module_detached_in_eval(solution.CausalAttention):
    def forward(self, x):
        output = super().forward(x)
        return output if self.training else output.detach()


@mistake(
    hint="The weights are cut off (detach, .data, NumPy), so W_query and W_key never learn.",
    ko="가중치가 끊겨(detach, .data, NumPy) W_query와 W_key가 학습되지 않습니다.",
)
class module_weights_detached(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        scores = (queries @ keys.mT).detach() / math.sqrt(keys.shape[-1])
        return finished(self, scores, values)


@mistake(
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
    hint="The values are cut off (detach, .data, NumPy), so W_value never learns.",
    ko="값(value)이 끊겨(detach, .data, NumPy) W_value가 학습되지 않습니다.",
)
class module_values_detached(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return finished(self, queries @ keys.mT / math.sqrt(keys.shape[-1]), values.detach())


@mistake(
    hint="The keys are cut off (detach, .data, NumPy), so W_key never learns.",
    ko="키가 끊겨(detach, .data, NumPy) W_key가 학습되지 않습니다.",
)
class module_keys_detached(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return finished(self, queries @ keys.detach().mT / math.sqrt(keys.shape[-1]), values)


@mistake(
    hint="The queries are cut off (detach, .data, NumPy), so W_query never learns.",
    ko="쿼리가 끊겨(detach, .data, NumPy) W_query가 학습되지 않습니다.",
)
class module_queries_detached(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        return finished(self, queries.detach() @ keys.mT / math.sqrt(keys.shape[-1]), values)


@mistake(
    hint="All layers learn, but a part of the way back to x is cut off: is one of them given x.detach()?",
    ko="층은 모두 학습되지만 x로 돌아가는 길의 일부가 끊겼습니다. x.detach()를 받는 층이 있는지 보세요.",
)
class module_keys_of_detached_tokens(solution.CausalAttention):
    def forward(self, x):
        queries, _, values = layers_of(self, x)
        keys = self.W_key(x.detach())
        return finished(self, queries @ keys.mT / math.sqrt(keys.shape[-1]), values)


@mistake(
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
    hint="Each token gives its own value alone: none looks at another one.",
    ko="토큰마다 자신의 값만 나옵니다. 다른 토큰을 보지 않습니다.",
    marks="trivial",
)
class module_each_token_alone(solution.CausalAttention):
    def forward(self, x):
        return layers_of(self, x)[2]


@mistake(
    hint="The output is always float32; keep the dtype of the module.",
    ko="출력이 항상 float32입니다. 모듈의 dtype을 지키세요.",
)
class module_into_float32(solution.CausalAttention):
    def forward(self, x):
        return super().forward(x).float()


@mistake(
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
    marks="library",
    hint="The attention is the library's; write it out.",
    ko="라이브러리의 어텐션입니다. 직접 쓰세요.",
)
class module_by_library(solution.CausalAttention):
    def forward(self, x):
        queries, keys, values = layers_of(self, x)
        p = self.dropout.p if self.training else 0.0
        return F.scaled_dot_product_attention(queries, keys, values, is_causal=True, dropout_p=p)
