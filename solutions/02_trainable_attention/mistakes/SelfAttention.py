"""Wrong answers to `SelfAttention`, each with the hint that a student with this answer gets."""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake, solution


@helper
def attend(queries, keys, values, divisor=None, dim=-1):
    root = math.sqrt(keys.shape[-1]) if divisor is None else divisor
    return torch.softmax(queries @ keys.transpose(-2, -1) / root, dim=dim) @ values


@helper
def weigh(queries, keys, divisor=None, dim=-1):
    root = math.sqrt(keys.shape[-1]) if divisor is None else divisor
    return torch.softmax(queries @ keys.transpose(-2, -1) / root, dim=dim)


@mistake(
    marks="slip",
    hint="The scores are not divided by the root of the key size.",
    ko="점수를 키 차원의 제곱근으로 나누지 않았습니다.",
)
class both_not_scaled(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, 1)
        return weights @ v, weights


@mistake(
    marks="slip",
    hint="The scores are divided by the key size itself; divide by its root.",
    ko="점수를 키 차원으로 나누었습니다. 그 제곱근으로 나누세요.",
)
class both_by_key_size(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, k.shape[-1])
        return weights @ v, weights


@mistake(
    marks="slip",
    hint="The scores are multiplied by the root and grow; divide by it.",
    ko="점수에 제곱근을 곱해 더 커졌습니다. 나누세요.",
)
class both_multiplied(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, k.shape[-1] ** -0.5)
        return weights @ v, weights


@mistake(
    hint="This is the root of the size of a token; the vectors that meet have the size of a key.",
    ko="토큰 크기의 제곱근입니다. 서로 만나는 벡터는 키의 크기를 가집니다.",
)
class both_by_root_of_features(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, math.sqrt(x.shape[-1]))
        return weights @ v, weights


@mistake(
    hint="This is the root of the number of tokens; take that of the key size.",
    ko="토큰 개수의 제곱근입니다. 키 차원의 제곱근을 쓰세요.",
)
class both_by_root_of_tokens(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, math.sqrt(x.shape[-2]))
        return weights @ v, weights


@mistake(
    hint="The root was cut to a whole number.",
    ko="제곱근을 정수로 잘랐습니다.",
)
class both_by_integer_root(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, math.isqrt(k.shape[-1]))
        return weights @ v, weights


@mistake(
    marks="slip",
    hint="The softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
class both_over_queries(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, dim=-2)
        return weights @ v, weights


@mistake(
    hint="The softmax runs over the first axis; it belongs on the keys, the last one.",
    ko="소프트맥스를 첫 축으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
    twins=(
        "both_over_queries",
        "both_axes_counted_from_the_front",
    ),
)
class both_over_first_axis(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, dim=0)
        return weights @ v, weights


@mistake(
    hint="Axis 1 is that of the keys only without a batch; count from the end.",
    ko="1번 축은 배치가 없을 때만 키의 축입니다. 뒤에서 세세요.",
    twins=("both_over_queries",),
)
class both_axes_counted_from_the_front(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, dim=1)
        return weights @ v, weights


@mistake(
    hint="Queries and keys are swapped: the rows of the scores belong to the queries.",
    ko="쿼리와 키가 바뀌었습니다. 점수의 행은 쿼리입니다.",
)
class both_queries_and_keys_swapped(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(k, q)
        return weights @ v, weights


@mistake(
    hint="The keys are compared with themselves; the queries play no part.",
    ko="키를 키와 비교했습니다. 쿼리가 쓰이지 않습니다.",
)
class both_keys_only(solution.SelfAttention):
    def forward(self, x):
        _q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(k, k)
        return weights @ v, weights


@mistake(
    hint="The queries are compared with themselves; the keys play no part.",
    ko="쿼리를 쿼리와 비교했습니다. 키가 쓰이지 않습니다.",
)
class both_queries_only(solution.SelfAttention):
    def forward(self, x):
        q, _k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, q)
        return weights @ v, weights


@mistake(
    hint="The keys are mixed instead of the values.",
    ko="값 대신 키를 섞었습니다.",
)
class both_keys_as_values(solution.SelfAttention):
    def forward(self, x):
        q, k, _v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k)
        return weights @ k, weights


@mistake(
    hint="The tokens themselves are mixed; they have to be projected to values first.",
    ko="토큰을 그대로 섞었습니다. 먼저 값으로 투영해야 합니다.",
)
class both_tokens_as_values(solution.SelfAttention):
    def forward(self, x):
        q, k, _v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k)
        return weights @ x, weights


@mistake(
    hint="The weights stand the wrong way round: row i belongs to query i.",
    ko="가중치가 전치되었습니다. i번째 행이 i번째 쿼리의 것입니다.",
)
class both_weights_transposed(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k)
        return weights.transpose(-2, -1) @ v, weights


@mistake(
    marks="trivial",
    hint="Every token gets the plain mean of the values; the weights play no part.",
    ko="모든 토큰이 값의 평균을 받습니다. 가중치가 쓰이지 않습니다.",
)
class both_mean_of_values(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, math.inf)
        return weights @ v, weights


@mistake(
    hint="The values are divided by the root; it belongs to the scores.",
    ko="값을 제곱근으로 나누었습니다. 점수를 나누어야 합니다.",
)
class both_values_scaled(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, 1)
        return weights @ (v / math.sqrt(k.shape[-1])), weights


@mistake(
    hint="The softmax was taken twice, which flattens the weights.",
    ko="소프트맥스를 두 번 해서 가중치가 평평해졌습니다.",
)
class both_softmax_twice(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = torch.softmax(weigh(q, k), dim=-1)
        return weights @ v, weights


@mistake(
    hint="The softmax is missing: scaled scores are no weights.",
    ko="소프트맥스가 빠졌습니다. 나눈 점수는 가중치가 아닙니다.",
)
class both_without_softmax(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        return weights @ v, weights


@mistake(
    marks="slip",
    hint="The future is hidden here, which is the next assignment's matter; every token sees all.",
    ko="미래를 가렸습니다. 그것은 다음 과제의 일입니다. 여기서는 모든 토큰이 모두를 봅니다.",
)
class both_causal(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k).tril() / weigh(q, k).tril().sum(-1, keepdim=True)
        return weights @ v, weights


@mistake(
    hint="`.T` turns all dimensions round, the leading ones too; swap the last two only.",
    ko="`.T`는 앞의 차원까지 모두 뒤집습니다. 마지막 두 차원만 바꾸세요.",
)
class both_turned_round(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=-1)
        return weights @ v, weights


@mistake(
    hint="`squeeze` removes every axis of size 1, also one that belongs to the result.",
    ko="`squeeze`는 크기가 1인 축을 모두 없앱니다. 결과에 필요한 축까지 없어집니다.",
)
class both_squeezed(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return attend(q, k, v).squeeze(), weigh(q, k).squeeze()


@mistake(
    hint="The projections of the values were added to the output; only the mixture is asked for.",
    ko="출력에 값의 투영을 더했습니다. 섞은 것만 필요합니다.",
)
class both_residual_added(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return attend(q, k, v) + v, weigh(q, k)


@mistake(
    marks="point",
    hint="The weights are cut off (detach, .data), so queries and keys never learn.",
    ko="가중치가 끊겨(detach, .data) 쿼리와 키가 학습되지 않습니다.",
)
class both_detached(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k).detach()
        return weights @ v, weights


@mistake(
    hint="The result is always float32; keep the dtype of the input (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
class both_into_float32(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return attend(q, k, v).float(), weigh(q, k).float()


@mistake(
    hint="All sequences of the batch were joined to one; each attends to itself alone.",
    ko="배치의 문장을 하나로 이었습니다. 문장마다 자기 안에서만 주의를 기울입니다.",
)
class both_sequences_mixed(solution.SelfAttention):
    def forward(self, x):
        tokens = x.reshape(1, -1, x.shape[-1])
        output, weights = super().forward(tokens)
        return output.reshape(*x.shape[:-1], -1), weights[0, : x.shape[-2], : x.shape[-2]].expand(
            *x.shape[:-1], x.shape[-2]
        )


@mistake(
    marks="library",
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
)
class both_by_library(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return F.scaled_dot_product_attention(q, k, v), weigh(q, k)


@mistake(
    hint="Some weights are dropped in training; this module has no dropout.",
    ko="학습 중에 가중치를 떨어뜨립니다. 이 모듈에는 dropout이 없습니다.",
    twins=("changing_result",),
)
class both_drops_in_training(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = F.dropout(weigh(q, k), 0.1, self.training)
        return weights @ v, weights


@mistake(
    hint="Some weights are dropped in evaluation; this module has no dropout.",
    ko="평가 중에 가중치를 떨어뜨립니다. 이 모듈에는 dropout이 없습니다.",
    twins=("changing_result",),
)
class both_drops_in_evaluation(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = F.dropout(weigh(q, k), 0.1, not self.training)
        return weights @ v, weights


@mistake(
    marks="point",
    hint="The input was changed in place; the caller's tensor has to stay as it was.",
    ko="입력을 제자리에서 바꾸었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
)
class both_input_in_place(solution.SelfAttention):
    def forward(self, x):
        results = super().forward(x)
        with torch.no_grad():
            x.mul_(2)
        return results


@mistake(
    hint="The result of an earlier call with the same shape is returned again; compute it from the new input.",
    ko="모양이 같으면 예전 호출의 결과를 다시 돌려줍니다. 새 입력으로 계산하세요.",
    twins=("earlier_result",),
)
class both_output_kept(solution.SelfAttention):
    def forward(self, x):
        if (
            getattr(self, "kept", None) is None
            or self.kept[0].shape[:-1] != x.shape[:-1]
            or self.kept[0].dtype != x.dtype
        ):
            self.kept = super().forward(x)
        return self.kept


@mistake(
    hint="The size is kept by the class, so the module that was made last decides for all; keep it in self.",
    ko="크기를 클래스에 두어, 마지막에 만든 모듈의 크기가 모두에게 쓰입니다. self에 두세요.",
    twins=("scaling_divisor",),
)
class both_size_shared_by_all(solution.SelfAttention):
    size = 1

    def __init__(self, embedding_dim, attention_dim):
        super().__init__(embedding_dim, attention_dim)
        type(self).size = attention_dim

    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, math.sqrt(type(self).size))
        return weights @ v, weights


@mistake(
    hint="In evaluation no gradient flows: leave no_grad to the caller.",
    ko="평가 중에 기울기가 흐르지 않습니다. no_grad는 부르는 쪽에 맡기세요.",
)
class both_no_grad_in_evaluation(solution.SelfAttention):
    def forward(self, x):
        with torch.set_grad_enabled(self.training):
            return super().forward(x)


@mistake(
    hint="There is a parameter or a layer more than asked for; even unused it is saved with the rest.",
    ko="요구하지 않은 매개변수나 층이 더 있습니다. 쓰지 않아도 함께 저장됩니다.",
)
class both_extra_layer(solution.SelfAttention):
    def __init__(self, embedding_dim, attention_dim):
        super().__init__(embedding_dim, attention_dim)
        self.out = nn.Linear(attention_dim, attention_dim)


@mistake(
    hint="Only the output is returned; the weights are asked for as well.",
    ko="출력만 돌려주었습니다. 가중치도 필요합니다.",
)
class both_output_only(solution.SelfAttention):
    def forward(self, x):
        return super().forward(x)[0]


@mistake(
    hint="Only the weights are returned; the output is asked for as well.",
    ko="가중치만 돌려주었습니다. 출력도 필요합니다.",
)
class both_weights_only(solution.SelfAttention):
    def forward(self, x):
        return super().forward(x)[1]


@mistake(
    hint="The two results stand in the wrong order: output first.",
    ko="두 결과의 순서가 바뀌었습니다. 출력이 먼저입니다.",
)
class both_weights_first(solution.SelfAttention):
    def forward(self, x):
        output, weights = super().forward(x)
        return weights, output


@mistake(
    hint="The second result holds the scores; the weights that made the output are asked for.",
    ko="둘째 결과가 점수입니다. 출력을 만든 가중치가 필요합니다.",
)
class both_scores_for_weights(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return attend(q, k, v), q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])


@mistake(
    hint="The weights that are returned are not those that made the output.",
    ko="돌려준 가중치가 출력을 만든 가중치가 아닙니다.",
)
class both_unscaled_weights_shown(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return attend(q, k, v), weigh(q, k, 1)


@mistake(
    hint="The weights are returned the wrong way round: row i belongs to query i.",
    ko="가중치를 전치해서 돌려주었습니다. i번째 행이 i번째 쿼리의 것입니다.",
)
class both_weights_shown_transposed(solution.SelfAttention):
    def forward(self, x):
        output, weights = super().forward(x)
        return output, weights.transpose(-2, -1)


@mistake(
    hint="The weights are rounded; return them as they are.",
    ko="가중치를 반올림했습니다. 있는 그대로 돌려주세요.",
)
class both_weights_rounded(solution.SelfAttention):
    def forward(self, x):
        output, weights = super().forward(x)
        return output, (weights * 100).round() / 100


@mistake(
    hint="The weights are averaged over the batch; every sequence keeps its own.",
    ko="가중치를 배치에 걸쳐 평균했습니다. 문장마다 따로 두어야 합니다.",
)
class both_weights_averaged(solution.SelfAttention):
    def forward(self, x):
        output, weights = super().forward(x)
        return output, weights.mean(0, keepdim=True) if x.dim() == 3 else weights


@mistake(
    hint="The weights that are returned are cut off; gradients have to flow from them too.",
    ko="돌려준 가중치가 끊겨 있습니다. 거기서도 기울기가 흘러야 합니다.",
)
class both_weights_shown_detached(solution.SelfAttention):
    def forward(self, x):
        output, weights = super().forward(x)
        return output, weights.detach()


@mistake(
    hint="The exponential of a score in the hundreds is infinite. Subtract each row's maximum first.",
    ko="점수가 수백이면 지수 함수가 무한대가 됩니다. 먼저 행마다 최댓값을 빼세요.",
)
class both_without_a_shift(solution.SelfAttention):
    def forward(self, x):
        queries, keys = self.q(x), self.k(x)
        powers = torch.exp(queries @ keys.mT / math.sqrt(keys.shape[-1]))
        weights = powers / powers.sum(dim=-1, keepdim=True)
        return weights @ self.v(x), weights


@mistake(
    marks="trivial",
    hint="Only zeros come back; nothing is computed yet.",
    ko="0만 돌려줍니다. 아직 아무것도 계산하지 않았습니다.",
)
class both_zeros(solution.SelfAttention):
    def forward(self, x):
        queries = self.q(x)
        return torch.zeros_like(queries), queries.new_zeros(*x.shape[:-1], x.shape[-2])


@mistake(
    hint="A batch axis is taken for granted; (T, embedding_dim) has to work as well.",
    ko="배치 축이 있다고 여겼습니다. (T, embedding_dim)도 되어야 합니다.",
)
class both_needs_a_batch(solution.SelfAttention):
    def forward(self, x):
        _B, _T, _embedding_dim = x.shape
        return super().forward(x)


@mistake(
    hint="Without a batch the results got a batch axis; take it away again.",
    ko="배치가 없을 때 결과에 배치 축이 생겼습니다. 다시 없애세요.",
)
class both_batch_axis_added(solution.SelfAttention):
    def forward(self, x):
        return super().forward(x if x.dim() == 3 else x.unsqueeze(0))


@mistake(
    hint="The layers have no bias; nn.Linear's usual bias is asked for.",
    ko="층에 편향이 없습니다. nn.Linear의 보통 편향이 필요합니다.",
)
class both_without_bias(solution.SelfAttention):
    def __init__(self, embedding_dim, attention_dim):
        nn.Module.__init__(self)
        self.q = nn.Linear(embedding_dim, attention_dim, bias=False)
        self.k = nn.Linear(embedding_dim, attention_dim, bias=False)
        self.v = nn.Linear(embedding_dim, attention_dim, bias=False)


@mistake(
    hint="The weights are used without their biases; call the layers.",
    ko="가중치만 쓰고 편향은 더하지 않았습니다. 층을 호출하세요.",
)
class both_bias_not_added(solution.SelfAttention):
    def forward(self, x):
        q, k, v = (x @ layer.weight.T for layer in (self.q, self.k, self.v))
        return attend(q, k, v), weigh(q, k)


@mistake(
    hint="The layers have other names; q, k and v are asked for.",
    ko="층의 이름이 다릅니다. q, k, v여야 합니다.",
)
class both_other_names(nn.Module):
    def __init__(self, embedding_dim, attention_dim):
        super().__init__()
        self.W_query = nn.Linear(embedding_dim, attention_dim)
        self.W_key = nn.Linear(embedding_dim, attention_dim)
        self.W_value = nn.Linear(embedding_dim, attention_dim)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return attend(q, k, v), weigh(q, k)


@mistake(
    hint="All three names mean one layer; each role has its own.",
    ko="세 이름이 한 층을 가리킵니다. 역할마다 자기 층이 있어야 합니다.",
)
class both_one_layer(solution.SelfAttention):
    def __init__(self, embedding_dim, attention_dim):
        super().__init__(embedding_dim, attention_dim)
        self.k = self.v = self.q


@mistake(
    hint="The layers lead to embedding_dim features; attention_dim is asked for.",
    ko="층이 embedding_dim개의 특징을 냅니다. attention_dim이어야 합니다.",
)
class both_square_layers(solution.SelfAttention):
    def __init__(self, embedding_dim, attention_dim):
        super().__init__(embedding_dim, embedding_dim)


@mistake(
    hint="The parameters are frozen (requires_grad=False), so they are never trained.",
    ko="매개변수가 고정되어(requires_grad=False) 학습되지 않습니다.",
)
class both_frozen(solution.SelfAttention):
    def __init__(self, embedding_dim, attention_dim):
        super().__init__(embedding_dim, attention_dim)
        self.requires_grad_(False)


@mistake(
    hint="A matrix of the first call is kept, so numbers that are loaded or trained later have no effect.",
    ko="첫 호출의 행렬을 간직해 두어, 나중에 불러오거나 학습한 값이 효과가 없습니다.",
)
class both_layer_cached(solution.SelfAttention):
    def forward(self, x):
        if not hasattr(self, "matrix"):
            self.matrix = self.v.weight.clone()
        weights = weigh(self.q(x), self.k(x))
        return weights @ (x @ self.matrix.to(x.dtype).T + self.v.bias), weights


@mistake(
    hint="The second result holds the plain dot products; the weights that made the output are asked for.",
    ko="둘째 결과가 내적입니다. 출력을 만든 가중치가 필요합니다.",
)
class both_dot_products_shown(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return attend(q, k, v), q @ k.transpose(-2, -1)


@mistake(
    hint="The outputs of all tokens were averaged; every token keeps its own.",
    ko="모든 토큰의 출력을 평균 냈습니다. 토큰마다 출력이 있어야 합니다.",
)
class both_output_averaged(solution.SelfAttention):
    def forward(self, x):
        output, weights = super().forward(x)
        return output.mean(-2), weights


@mistake(
    hint="The outputs of all tokens were added up; every token keeps its own.",
    ko="모든 토큰의 출력을 더했습니다. 토큰마다 출력이 있어야 합니다.",
)
class both_output_added_up(solution.SelfAttention):
    def forward(self, x):
        output, weights = super().forward(x)
        return output.sum(-2), weights


@mistake(
    hint="Axes 1 and 2 are those of tokens and features only with a batch; count from the end.",
    ko="1번과 2번 축은 배치가 있을 때만 토큰과 특징의 축입니다. 뒤에서부터 세세요.",
)
class both_axes_of_a_batch(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = torch.softmax(torch.bmm(q, k.transpose(1, 2)) / math.sqrt(k.shape[-1]), dim=-1)
        return weights @ v, weights


@mistake(
    hint="The tokens were added to the output; only the mixture is asked for.",
    ko="출력에 토큰을 더했습니다. 섞은 것만 필요합니다.",
)
class both_tokens_added(solution.SelfAttention):
    def forward(self, x):
        output, weights = super().forward(x)
        return output + x, weights


@mistake(
    hint="The values are made of the queries; all three projections begin with x.",
    ko="값을 쿼리로 만들었습니다. 세 투영 모두 x에서 시작합니다.",
)
class both_values_of_queries(solution.SelfAttention):
    def forward(self, x):
        q, k = self.q(x), self.k(x)
        weights = torch.softmax(q @ k.mT / math.sqrt(k.shape[-1]), dim=-1)
        return weights @ self.v(q), weights


@mistake(
    hint="The scores are returned as a third result; output and weights are asked for, nothing else.",
    ko="점수를 셋째 결과로 돌려줍니다. 출력과 가중치만 필요합니다.",
    unnamed="It fails as every result of another form does; the report says that.",
)
class both_and_scores(solution.SelfAttention):
    def forward(self, x):
        q, k = self.q(x), self.k(x)
        return *super().forward(x), q @ k.mT
