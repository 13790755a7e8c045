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
    hint="The softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
class v2_over_queries(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, dim=-2) @ v


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
    marks="slip",
    hint="The keys are mixed instead of the values.",
    ko="값 대신 키를 섞었습니다.",
)
class v2_keys_as_values(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, _v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k) @ k


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
    hint="The softmax is missing: scaled scores are no weights.",
    ko="소프트맥스가 빠졌습니다. 나눈 점수는 가중치가 아닙니다.",
)
class v2_without_softmax(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]) @ v


@mistake(
    hint="`squeeze` removes every axis of size 1, also one that belongs to the result.",
    ko="`squeeze`는 크기가 1인 축을 모두 없앱니다. 결과에 필요한 축까지 없어집니다.",
)
class v2_squeezed(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return attend(q, k, v).squeeze()


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
    marks="library",
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
)
class v2_by_library(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return F.scaled_dot_product_attention(q, k, v)


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
    hint="The layers never have a bias; hand qkv_bias on to them.",
    ko="층에 편향이 전혀 없습니다. qkv_bias를 층에 넘기세요.",
)
class v2_bias_never(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out)


@mistake(
    hint="A linear layer stores its matrix as (d_out, d_in); call the layer instead of multiplying by its weight.",
    ko="선형 층은 행렬을 (d_out, d_in)으로 둡니다. 가중치를 곱하지 말고 층을 호출하세요.",
)
class v2_weights_transposed_again(solution.SelfAttention_v2):
    def forward(self, x):
        return attend(*(x @ layer.weight for layer in (self.W_query, self.W_key, self.W_value)))


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
    hint="The class sets the seed itself, so every module is the same; leave the seed to the caller.",
    ko="클래스가 시드를 스스로 정해 모듈이 모두 같아집니다. 시드는 부르는 쪽에 맡기세요.",
)
class v2_seeded(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        torch.manual_seed(123)
        super().__init__(d_in, d_out, qkv_bias)


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
    hint="The biases are subtracted; a layer adds its bias. Call the layers.",
    ko="편향을 뺐습니다. 층은 편향을 더합니다. 층을 호출하세요.",
)
class v2_bias_subtracted(solution.SelfAttention_v2):
    def forward(self, x):
        layers = self.W_query, self.W_key, self.W_value
        return attend(*(x @ layer.weight.T - (0 if layer.bias is None else layer.bias) for layer in layers))
