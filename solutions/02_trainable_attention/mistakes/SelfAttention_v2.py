"""Wrong answers to `SelfAttention_v2`, each with the hint that a student with this answer gets."""

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
class v2_not_scaled(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, 1) @ v


@mistake(
    marks="slip",
    hint="The scores are divided by the key size itself; divide by its root.",
    ko="점수를 키 차원으로 나누었습니다. 그 제곱근으로 나누세요.",
)
class v2_by_key_size(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, k.shape[-1]) @ v


@mistake(
    marks="slip",
    hint="The scores are multiplied by the root and grow; divide by it.",
    ko="점수에 제곱근을 곱해 더 커졌습니다. 나누세요.",
)
class v2_multiplied(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, k.shape[-1] ** -0.5) @ v


@mistake(
    hint="This is the root of the size of a token; the vectors that meet have the size of a key.",
    ko="토큰 크기의 제곱근입니다. 서로 만나는 벡터는 키의 크기를 가집니다.",
)
class v2_by_root_of_features(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, math.sqrt(x.shape[-1])) @ v


@mistake(
    hint="This is the root of the number of tokens; take that of the key size.",
    ko="토큰 개수의 제곱근입니다. 키 차원의 제곱근을 쓰세요.",
)
class v2_by_root_of_tokens(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, math.sqrt(x.shape[-2])) @ v


@mistake(
    hint="The root was cut to a whole number.",
    ko="제곱근을 정수로 잘랐습니다.",
)
class v2_by_integer_root(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, math.isqrt(k.shape[-1])) @ v


@mistake(
    marks="slip",
    hint="The softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
class v2_over_queries(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, dim=-2) @ v


@mistake(
    hint="The softmax runs over the first axis; it belongs on the keys, the last one.",
    ko="소프트맥스를 첫 축으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
    twins=(
        "v2_over_queries",
        "v2_axes_counted_from_the_front",
    ),
)
class v2_over_first_axis(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, dim=0) @ v


@mistake(
    hint="Axis 1 is that of the keys only without a batch; count from the end.",
    ko="1번 축은 배치가 없을 때만 키의 축입니다. 뒤에서 세세요.",
    twins=("v2_over_queries",),
)
class v2_axes_counted_from_the_front(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, dim=1) @ v


@mistake(
    hint="Queries and keys are swapped: the rows of the scores belong to the queries.",
    ko="쿼리와 키가 바뀌었습니다. 점수의 행은 쿼리입니다.",
)
class v2_queries_and_keys_swapped(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(k, q) @ v


@mistake(
    hint="The keys are compared with themselves; the queries play no part.",
    ko="키를 키와 비교했습니다. 쿼리가 쓰이지 않습니다.",
)
class v2_keys_only(solution.SelfAttention_v2):
    def forward(self, x):
        _q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(k, k) @ v


@mistake(
    hint="The queries are compared with themselves; the keys play no part.",
    ko="쿼리를 쿼리와 비교했습니다. 키가 쓰이지 않습니다.",
)
class v2_queries_only(solution.SelfAttention_v2):
    def forward(self, x):
        q, _k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, q) @ v


@mistake(
    hint="The keys are mixed instead of the values.",
    ko="값 대신 키를 섞었습니다.",
)
class v2_keys_as_values(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, _v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k) @ k


@mistake(
    hint="The tokens themselves are mixed; they have to be projected to values first.",
    ko="토큰을 그대로 섞었습니다. 먼저 값으로 투영해야 합니다.",
)
class v2_tokens_as_values(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, _v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k) @ x


@mistake(
    hint="The weights stand the wrong way round: row i belongs to query i.",
    ko="가중치가 전치되었습니다. i번째 행이 i번째 쿼리의 것입니다.",
)
class v2_weights_transposed(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k).transpose(-2, -1) @ v


@mistake(
    marks="trivial",
    hint="Every token gets the plain mean of the values; the weights play no part.",
    ko="모든 토큰이 값의 평균을 받습니다. 가중치가 쓰이지 않습니다.",
)
class v2_mean_of_values(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, math.inf) @ v


@mistake(
    hint="The values are divided by the root; it belongs to the scores.",
    ko="값을 제곱근으로 나누었습니다. 점수를 나누어야 합니다.",
)
class v2_values_scaled(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, 1) @ (v / math.sqrt(k.shape[-1]))


@mistake(
    hint="The softmax was taken twice, which flattens the weights.",
    ko="소프트맥스를 두 번 해서 가중치가 평평해졌습니다.",
)
class v2_softmax_twice(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return torch.softmax(weigh(q, k), dim=-1) @ v


@mistake(
    hint="The softmax is missing: scaled scores are no weights.",
    ko="소프트맥스가 빠졌습니다. 나눈 점수는 가중치가 아닙니다.",
)
class v2_without_softmax(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]) @ v


@mistake(
    marks="slip",
    hint="The future is hidden here, which is the next assignment's matter; every token sees all.",
    ko="미래를 가렸습니다. 그것은 다음 과제의 일입니다. 여기서는 모든 토큰이 모두를 봅니다.",
)
class v2_causal(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k).tril() / weigh(q, k).tril().sum(-1, keepdim=True) @ v


@mistake(
    hint="`.T` turns all dimensions round, the leading ones too; swap the last two only.",
    ko="`.T`는 앞의 차원까지 모두 뒤집습니다. 마지막 두 차원만 바꾸세요.",
)
class v2_turned_round(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=-1) @ v


@mistake(
    hint="`squeeze` removes every axis of size 1, also one that belongs to the result.",
    ko="`squeeze`는 크기가 1인 축을 모두 없앱니다. 결과에 필요한 축까지 없어집니다.",
)
class v2_squeezed(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return attend(q, k, v).squeeze()


@mistake(
    hint="The projections of the values were added to the output; only the mixture is asked for.",
    ko="출력에 값의 투영을 더했습니다. 섞은 것만 필요합니다.",
)
class v2_residual_added(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return attend(q, k, v) + v


@mistake(
    marks="point",
    hint="The weights are cut off (detach, .data), so queries and keys never learn.",
    ko="가중치가 끊겨(detach, .data) 쿼리와 키가 학습되지 않습니다.",
)
class v2_detached(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k).detach() @ v


@mistake(
    hint="The result is always float32; keep the dtype of the input (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
class v2_into_float32(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return attend(q.float(), k.float(), v.float())


@mistake(
    hint="All sequences of the batch were joined to one; each attends to itself alone.",
    ko="배치의 문장을 하나로 이었습니다. 문장마다 자기 안에서만 주의를 기울입니다.",
)
class v2_sequences_mixed(solution.SelfAttention_v2):
    def forward(self, x):
        output = super().forward(x.reshape(-1, x.shape[-1]))
        return output.reshape(*x.shape[:-1], output.shape[-1])


@mistake(
    marks="library",
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
)
class v2_by_library(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return F.scaled_dot_product_attention(q, k, v)


@mistake(
    hint="Some weights are dropped in training; this module has no dropout.",
    ko="학습 중에 가중치를 떨어뜨립니다. 이 모듈에는 dropout이 없습니다.",
    twins=("changing_result",),
)
class v2_drops_in_training(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return F.dropout(weigh(q, k), 0.1, self.training) @ v


@mistake(
    hint="Some weights are dropped in evaluation; this module has no dropout.",
    ko="평가 중에 가중치를 떨어뜨립니다. 이 모듈에는 dropout이 없습니다.",
    twins=("changing_result",),
)
class v2_drops_in_evaluation(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return F.dropout(weigh(q, k), 0.1, not self.training) @ v


@mistake(
    marks="point",
    hint="The input was changed in place; the caller's tensor has to stay as it was.",
    ko="입력을 제자리에서 바꾸었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
)
class v2_input_in_place(solution.SelfAttention_v2):
    def forward(self, x):
        output = super().forward(x)
        with torch.no_grad():
            x.mul_(2)
        return output


@mistake(
    hint="The result of an earlier call with the same shape is returned again; compute it from the new input.",
    ko="모양이 같으면 예전 호출의 결과를 다시 돌려줍니다. 새 입력으로 계산하세요.",
    twins=("earlier_result",),
)
class v2_output_kept(solution.SelfAttention_v2):
    def forward(self, x):
        if getattr(self, "kept", None) is None or self.kept.shape[:-1] != x.shape[:-1] or self.kept.dtype != x.dtype:
            self.kept = super().forward(x)
        return self.kept


@mistake(
    hint="The size is kept by the class, so the module that was made last decides for all; keep it in self.",
    ko="크기를 클래스에 두어, 마지막에 만든 모듈의 크기가 모두에게 쓰입니다. self에 두세요.",
    twins=("scaling_divisor",),
)
class v2_size_shared_by_all(solution.SelfAttention_v2):
    size = 1

    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias)
        type(self).size = d_out

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, math.sqrt(type(self).size)) @ v


@mistake(
    hint="In evaluation no gradient flows: leave no_grad to the caller.",
    ko="평가 중에 기울기가 흐르지 않습니다. no_grad는 부르는 쪽에 맡기세요.",
)
class v2_no_grad_in_evaluation(solution.SelfAttention_v2):
    def forward(self, x):
        with torch.set_grad_enabled(self.training):
            return super().forward(x)


@mistake(
    hint="There is a parameter or a layer more than asked for; even unused it is saved with the rest.",
    ko="요구하지 않은 매개변수나 층이 더 있습니다. 쓰지 않아도 함께 저장됩니다.",
)
class v2_extra_layer(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias)
        self.out = nn.Linear(d_out, d_out)


@mistake(
    hint="The weights are returned beside the output; only the output is asked for.",
    ko="출력 옆에 가중치도 돌려줍니다. 출력만 필요합니다.",
)
class v2_returns_weights_too(solution.SelfAttention_v2):
    def forward(self, x):
        return super().forward(x), weigh(self.W_query(x), self.W_key(x))


@mistake(
    hint="There are biases where none were asked for: qkv_bias is False by default.",
    ko="요구하지 않은 편향이 있습니다. qkv_bias의 기본값은 False입니다.",
    unnamed="The bias is drawn at random, so the numbers look like those of any wrong answer.",
)
class v2_bias_by_default(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=True):
        super().__init__(d_in, d_out, qkv_bias)


@mistake(
    hint="The layers always have a bias; hand qkv_bias on to them.",
    ko="층에 항상 편향이 있습니다. qkv_bias를 층에 넘기세요.",
    unnamed="The bias is drawn at random, so the numbers look like those of any wrong answer.",
)
class v2_bias_always(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out, True)


@mistake(
    hint="The layers never have a bias; hand qkv_bias on to them.",
    ko="층에 편향이 전혀 없습니다. qkv_bias를 층에 넘기세요.",
)
class v2_bias_never(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out)


@mistake(
    hint="Only the queries get a bias; qkv_bias is meant for all three layers.",
    ko="쿼리에만 편향이 있습니다. qkv_bias는 세 층 모두에 해당합니다.",
)
class v2_bias_of_queries_only(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)


@mistake(
    hint="The weights are used without their biases; call the layers.",
    ko="가중치만 쓰고 편향은 더하지 않았습니다. 층을 호출하세요.",
)
class v2_bias_not_added(solution.SelfAttention_v2):
    def forward(self, x):
        return attend(*(x @ layer.weight.T for layer in (self.W_query, self.W_key, self.W_value)))


@mistake(
    hint="The values are made without their bias; call the layer.",
    ko="값에 편향을 더하지 않았습니다. 층을 호출하세요.",
)
class v2_value_bias_not_added(solution.SelfAttention_v2):
    def forward(self, x):
        return attend(self.W_query(x), self.W_key(x), x @ self.W_value.weight.T)


@mistake(
    hint="A linear layer stores its matrix as (d_out, d_in); call the layer instead of multiplying by its weight.",
    ko="선형 층은 행렬을 (d_out, d_in)으로 둡니다. 가중치를 곱하지 말고 층을 호출하세요.",
)
class v2_weights_transposed_again(solution.SelfAttention_v2):
    def forward(self, x):
        return attend(*(x @ layer.weight for layer in (self.W_query, self.W_key, self.W_value)))


@mistake(
    hint="These are matrices of your own as in the exercise before; here linear layers are asked for.",
    ko="앞 문제처럼 직접 만든 행렬입니다. 여기서는 선형 층이 필요합니다.",
)
class v2_parameters_instead(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        return attend(x @ self.W_query, x @ self.W_key, x @ self.W_value)


@mistake(
    hint="The layers have other names; W_query, W_key and W_value are asked for.",
    ko="층의 이름이 다릅니다. W_query, W_key, W_value여야 합니다.",
)
class v2_other_names(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        return attend(self.q(x), self.k(x), self.v(x))


@mistake(
    hint="One wide layer makes all three; three layers with names of their own are asked for.",
    ko="넓은 층 하나로 셋을 만듭니다. 이름이 따로 있는 층 세 개가 필요합니다.",
)
class v2_one_wide_layer(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)

    def forward(self, x):
        return attend(*self.qkv(x).chunk(3, dim=-1))


@mistake(
    hint="All three names mean one layer; each role has its own.",
    ko="세 이름이 한 층을 가리킵니다. 역할마다 자기 층이 있어야 합니다.",
)
class v2_one_layer(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias)
        self.W_key = self.W_value = self.W_query


@mistake(
    hint="The keys' layer is made first; the order is query, key, value.",
    ko="키의 층을 먼저 만들었습니다. 쿼리, 키, 값의 순서입니다.",
)
class v2_keys_made_first(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        nn.Module.__init__(self)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)


@mistake(
    hint="The numbers are drawn once more; leave them as nn.Linear draws them.",
    ko="값을 다시 뽑았습니다. nn.Linear가 뽑은 그대로 두세요.",
)
class v2_drawn_by_xavier(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias)
        for layer in (self.W_query, self.W_key, self.W_value):
            nn.init.xavier_uniform_(layer.weight)


@mistake(
    hint="Where there are biases, they are set to zero or drawn once more; leave them as nn.Linear draws them.",
    ko="편향이 있을 때 0으로 두거나 다시 뽑았습니다. nn.Linear가 뽑은 그대로 두세요.",
)
class v2_biases_set_to_zero(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias)
        for layer in (self.W_query, self.W_key, self.W_value):
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)


@mistake(
    hint="The numbers of the first module are drawn; a linear layer draws its own in another way.",
    ko="첫 모듈의 방법으로 값을 뽑았습니다. 선형 층은 다른 방법으로 스스로 뽑습니다.",
)
class v2_drawn_by_rand(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias)
        with torch.no_grad():
            for layer in (self.W_query, self.W_key, self.W_value):
                layer.weight.copy_(torch.rand(d_in, d_out).T)


@mistake(
    hint="The class sets the seed itself, so every module is the same; leave the seed to the caller.",
    ko="클래스가 시드를 스스로 정해 모듈이 모두 같아집니다. 시드는 부르는 쪽에 맡기세요.",
)
class v2_seeded(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        torch.manual_seed(123)
        super().__init__(d_in, d_out, qkv_bias)


@mistake(
    hint="The parameters are frozen (requires_grad=False), so they are never trained.",
    ko="매개변수가 고정되어(requires_grad=False) 학습되지 않습니다.",
)
class v2_frozen(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias)
        self.requires_grad_(False)


@mistake(
    hint="A matrix of the first call is kept, so numbers that are loaded or trained later have no effect.",
    ko="첫 호출의 행렬을 간직해 두어, 나중에 불러오거나 학습한 값이 효과가 없습니다.",
)
class v2_layer_cached(solution.SelfAttention_v2):
    def forward(self, x):
        if not hasattr(self, "matrix"):
            self.matrix = self.W_value.weight.clone()
        bias = 0 if self.W_value.bias is None else self.W_value.bias
        return attend(self.W_query(x), self.W_key(x), x @ self.matrix.to(x.dtype).T + bias)


@mistake(
    hint="A Python list hides the layers from the module; give each an attribute of its own.",
    ko="파이썬 리스트에 넣으면 모듈이 층을 알지 못합니다. 층마다 자기 속성을 주세요.",
)
class v2_layers_in_a_list(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.layers = [nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)]

    def forward(self, x):
        return attend(*(layer.to(x.dtype)(x) for layer in self.layers))


@mistake(
    hint="Negative numbers of the queries are set to 0 (relu); use the projection as it is.",
    ko="쿼리의 음수를 0으로 바꾸었습니다(relu). 투영을 그대로 쓰세요.",
)
class v2_queries_through_relu(solution.SelfAttention_v2):
    def forward(self, x):
        return attend(torch.relu(self.W_query(x)), self.W_key(x), self.W_value(x))


@mistake(
    hint="Only the first token asks; every token needs its own row.",
    ko="첫 토큰만 묻습니다. 토큰마다 행이 있어야 합니다.",
)
class v2_of_first_token(solution.SelfAttention_v2):
    def forward(self, x):
        return attend(self.W_query(x[..., :1, :]), self.W_key(x), self.W_value(x))


@mistake(
    hint="The exponential of a score in the hundreds is infinite. Subtract each row's maximum first.",
    ko="점수가 수백이면 지수 함수가 무한대가 됩니다. 먼저 행마다 최댓값을 빼세요.",
)
class v2_without_a_shift(solution.SelfAttention_v2):
    def forward(self, x):
        queries, keys = self.W_query(x), self.W_key(x)
        powers = torch.exp(queries @ keys.mT / math.sqrt(keys.shape[-1]))
        weights = powers / powers.sum(dim=-1, keepdim=True)
        return weights @ self.W_value(x)


@mistake(
    marks="trivial",
    hint="Only zeros come back; nothing is computed yet.",
    ko="0만 돌려줍니다. 아직 아무것도 계산하지 않았습니다.",
)
class v2_zeros(solution.SelfAttention_v2):
    def forward(self, x):
        return torch.zeros_like(self.W_value(x))
